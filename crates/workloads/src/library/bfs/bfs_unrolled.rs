//! Kernel-unrolled BFS: no frontier, and several vertices for each thread in one launch
//! (\[Lakshminarayana14\] section 5.1.2).

use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Setting, Workload, WorkloadError, kernel_file};
use heddle_device::Launch;

/// Bytes of an entry of a thread's queue in shared memory.
const ENTRY_BYTES: u32 = 4;

/// Shared memory that a block can have on the machines of the document (table 3).
const SHARED_BYTES_MAX: u32 = 48 << 10;

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "bfs-unrolled",
    is_default: false,
    problem: Problem::Bfs,
    summary: "no frontier: every vertex in every launch, and its thread goes on with vertices that it has lowered",
    document: "[Lakshminarayana14] section 5.1.2, figure 51",
    files: &[kernel_file!("bfs/bfs_unrolled.ptx")],
    // 12 is what LonestarGPU's kernels have room for; the document names no number.
    settings: &[Setting::whole(
        "limit",
        "vertices that a thread expands in one launch at most",
        12,
        [1, 4096],
    )],
    block: 512,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let rows = session.graph().out_edges();
    let vertices = rows.num_vertices();
    let expand = session.kernel("expand")?;
    let offsets = session.upload_offsets("row_offsets", rows)?;
    let edges = session.upload("edges", rows.targets())?;
    let depth = session.filled("depth", vertices as usize, crate::UNREACHED)?;
    let changed = session.upload("changed", &[0u32])?;
    session.write_element(depth, session.source() as usize, 0u32)?;

    let limit = session.whole("limit");
    let queues = session.block().saturating_mul(limit).saturating_mul(ENTRY_BYTES);
    if queues > SHARED_BYTES_MAX {
        let most = SHARED_BYTES_MAX / ENTRY_BYTES / session.block();
        return Err(WorkloadError::Setting(format!(
            "limit={limit} with blocks of {} threads needs {queues} bytes of shared memory and a block has \
             {SHARED_BYTES_MAX}: take at most limit={most}, or smaller blocks (--block)",
            session.block()
        )));
    }
    let launch = Launch::linear(vertices.into(), session.block()).shared(queues);
    loop {
        session.iteration(None, u64::from(vertices) + 1)?;
        session.write(changed, &[0u32])?;
        let arguments = arguments![offsets, edges, depth, changed, limit, vertices];
        session.launch_with(expand, launch, &arguments)?;
        if session.read_word(changed)? == 0 {
            return Ok(Answer::Depths(session.read(depth)?));
        }
    }
}
