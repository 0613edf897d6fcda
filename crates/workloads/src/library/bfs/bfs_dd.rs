//! BFS-DD: a thread for each vertex of a queue, and a queue of each block in shared memory
//! (\[Lakshminarayana14\] section 5.2).

use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "bfs-dd",
    is_default: false,
    problem: Problem::Bfs,
    summary: "data-driven: a thread for each vertex of a queue; block queues in shared memory spill to a global one",
    document: "[Lakshminarayana14] section 5.2, figure 53, table 9",
    files: &[kernel_file!("bfs/bfs_dd.ptx")],
    settings: &[],
    block: 512,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let rows = session.graph().out_edges();
    let (vertices, source) = (rows.num_vertices(), session.source() as usize);
    let count = vertices as usize;
    let expand = session.kernel("expand")?;
    let offsets = session.upload_offsets("row_offsets", rows)?;
    let edges = session.upload("edges", rows.targets())?;
    let visited = session.filled("visited", count, 0u32)?;
    let cost = session.filled("cost", count, crate::UNREACHED)?;
    let mut frontier = session.filled("frontier", count, 0u32)?;
    let mut next_frontier = session.filled("next_frontier", count, 0u32)?;
    let mut size = session.upload("frontier_size", &[1u32])?;
    let mut next_size = session.upload("next_frontier_size", &[0u32])?;
    session.write_element(visited, source, 1u32)?;
    session.write_element(cost, source, 0u32)?;
    session.write_element(frontier, 0, session.source())?;

    let mut active = 1u32;
    for next_cost in 1u32.. {
        session.iteration(Some(active.into()), u64::from(vertices) + 1)?;
        session.write(next_size, &[0u32])?;
        let arguments =
            arguments![offsets, edges, visited, cost, frontier, next_frontier, size, next_size, next_cost];
        session.launch(expand, active.into(), &arguments)?;
        active = session.read_word(next_size)?;
        if active == 0 {
            break;
        }
        std::mem::swap(&mut frontier, &mut next_frontier);
        std::mem::swap(&mut size, &mut next_size);
    }
    Ok(Answer::Depths(session.read(cost)?))
}
