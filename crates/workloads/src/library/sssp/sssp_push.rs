//! SSSP by push: sources outside, atomics on their targets (\[Salvador20\] figure 1).

use crate::library::arguments::arguments;
use crate::library::flags::count_set;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "sssp-push",
    is_default: false,
    problem: Problem::Sssp,
    summary: "push: sources outside, atomics without an answer on targets, four edges in each iteration",
    document: "[Salvador20] figure 1, table III and section V-B",
    files: &[kernel_file!("sssp/sssp_push.ptx")],
    settings: &[],
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let rows = session.graph().out_edges();
    let (vertices, source) = (rows.num_vertices(), session.source() as usize);
    let count = vertices as usize;
    let (push, commit) = (session.kernel("push")?, session.kernel("commit")?);
    let offsets = session.upload_offsets("row_offsets", rows)?;
    let edges = session.upload("edges", rows.targets())?;
    let weights = session.upload_weights("weights", rows)?;
    let distance = session.filled("distance", count, crate::UNREACHED)?;
    let next_distance = session.filled("next_distance", count, crate::UNREACHED)?;
    let active = session.filled("active", count, 0u32)?;
    let changed = session.upload("changed", &[0u32])?;
    session.write_element(distance, source, 0u32)?;
    session.write_element(next_distance, source, 0u32)?;
    session.write_element(active, source, 1u32)?;

    loop {
        let frontier = count_set::<u32>(session, active)?;
        session.iteration(Some(frontier), u64::from(vertices) + 1)?;
        session.write(changed, &[0u32])?;
        let arguments = arguments![offsets, edges, weights, distance, next_distance, active, vertices];
        session.launch(push, vertices.into(), &arguments)?;
        let arguments = arguments![distance, next_distance, active, changed, vertices];
        session.launch(commit, vertices.into(), &arguments)?;
        if session.read_word(changed)? == 0 {
            return Ok(Answer::Distances(session.read(distance)?));
        }
    }
}
