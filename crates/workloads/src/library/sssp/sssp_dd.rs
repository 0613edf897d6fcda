//! Data-driven SSSP: a thread for each vertex of a queue, which a second kernel builds
//! (\[Lakshminarayana14\] sections 5.2 and 5.4.3).

use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "sssp-dd",
    is_default: false,
    problem: Problem::Sssp,
    summary: "data-driven: a thread for each vertex of a queue, which a kernel over all vertices builds",
    document: "[Lakshminarayana14] sections 5.2 and 5.4.3",
    files: &[kernel_file!("sssp/sssp_dd.ptx")],
    settings: &[],
    block: 512,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let rows = session.graph().out_edges();
    let (vertices, source) = (rows.num_vertices(), session.source() as usize);
    let count = vertices as usize;
    let (relax, build_frontier) = (session.kernel("relax")?, session.kernel("build_frontier")?);
    let offsets = session.upload_offsets("row_offsets", rows)?;
    let edges = session.upload("edges", rows.targets())?;
    let weights = session.upload_weights("weights", rows)?;
    let cost = session.filled("cost", count, crate::UNREACHED)?;
    let updating_cost = session.filled("updating_cost", count, crate::UNREACHED)?;
    let frontier = session.filled("frontier", count, 0u32)?;
    let size = session.upload("frontier_size", &[1u32])?;
    session.write_element(cost, source, 0u32)?;
    session.write_element(updating_cost, source, 0u32)?;
    session.write_element(frontier, 0, session.source())?;

    let mut active = 1u32;
    while active != 0 {
        session.iteration(Some(active.into()), u64::from(vertices) + 1)?;
        let arguments = arguments![offsets, edges, weights, cost, updating_cost, frontier, size];
        session.launch(relax, active.into(), &arguments)?;
        session.write(size, &[0u32])?;
        let arguments = arguments![cost, updating_cost, frontier, size, vertices];
        session.launch(build_frontier, vertices.into(), &arguments)?;
        active = session.read_word(size)?;
    }
    Ok(Answer::Distances(session.read(cost)?))
}
