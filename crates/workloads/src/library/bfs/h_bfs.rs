//! H-BFS: two kernels over all vertices and a frontier of flags (Harish and Narayanan; section 2.3.1 of
//! \[Lakshminarayana14\]).

use crate::library::arguments::arguments;
use crate::library::flags::count_set;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "h-bfs",
    is_default: true,
    problem: Problem::Bfs,
    summary: "topology-driven, two kernels, frontier of flags, no atomics",
    document: "[Lakshminarayana14] section 2.3.1: [Harish07]",
    files: &[kernel_file!("bfs/h_bfs.ptx")],
    settings: &[],
    block: 512,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let rows = session.graph().out_edges();
    let (vertices, source) = (rows.num_vertices(), session.source() as usize);
    let count = vertices as usize;
    let (expand, update) = (session.kernel("Kernel")?, session.kernel("Kernel2")?);
    let nodes = session.upload_rows("graph_nodes", rows)?;
    let edges = session.upload("graph_edges", rows.targets())?;
    let mask = session.filled("graph_mask", count, 0u8)?;
    let updating = session.filled("updating_graph_mask", count, 0u8)?;
    let visited = session.filled("graph_visited", count, 0u8)?;
    let cost = session.filled("cost", count, crate::UNREACHED)?;
    let over = session.upload("over", &[0u32])?;
    session.write_element(mask, source, 1u8)?;
    session.write_element(visited, source, 1u8)?;
    session.write_element(cost, source, 0u32)?;

    let mut active = 1;
    loop {
        session.iteration(Some(active), u64::from(vertices) + 1)?;
        session.write(over, &[0u32])?;
        let arguments = arguments![nodes, edges, mask, updating, visited, cost, vertices];
        session.launch(expand, vertices.into(), &arguments)?;
        let arguments = arguments![mask, updating, visited, over, vertices];
        session.launch(update, vertices.into(), &arguments)?;
        if session.read_word(over)? == 0 {
            return Ok(Answer::Depths(session.read(cost)?));
        }
        active = count_set::<u8>(session, mask)?;
    }
}
