//! BFS by pull: targets outside, in-edges inside, no atomics (\[Salvador20\] figure 1).

use crate::library::arguments::arguments;
use crate::library::flags::count_equal;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "bfs-pull",
    is_default: false,
    problem: Problem::Bfs,
    summary: "pull: unreached targets look for a source of the frontier among their in-edges, no atomics",
    document: "[Salvador20] figure 1",
    files: &[kernel_file!("bfs/bfs_pull.ptx")],
    settings: &[],
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let rows = session.graph().in_edges();
    let vertices = rows.num_vertices();
    let pull = session.kernel("pull")?;
    let offsets = session.upload_offsets("in_offsets", rows)?;
    let edges = session.upload("in_edges", rows.targets())?;
    let mut level = session.filled("level", vertices as usize, crate::UNREACHED)?;
    let mut next_level = session.filled("next_level", vertices as usize, crate::UNREACHED)?;
    let changed = session.upload("changed", &[0u32])?;
    session.write_element(level, session.source() as usize, 0u32)?;

    for depth in 0u32.. {
        let active = count_equal(session, level, depth)?;
        session.iteration(Some(active), u64::from(vertices) + 1)?;
        session.write(changed, &[0u32])?;
        let arguments = arguments![offsets, edges, level, next_level, changed, depth, vertices];
        session.launch(pull, vertices.into(), &arguments)?;
        std::mem::swap(&mut level, &mut next_level);
        if session.read_word(changed)? == 0 {
            break;
        }
    }
    Ok(Answer::Depths(session.read(level)?))
}
