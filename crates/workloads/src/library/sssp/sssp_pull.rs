//! SSSP by pull: targets outside, in-edges inside, no atomics (\[Salvador20\] figure 1).

use crate::library::flags::count_set;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};
use heddle_device::Argument;
use std::mem::swap;

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "sssp-pull",
    is_default: false,
    problem: Problem::Sssp,
    summary: "pull: targets take the shortest way through an active source among their in-edges, no atomics",
    document: "[Salvador20] figure 1",
    files: &[kernel_file!("sssp/sssp_pull.ptx")],
    settings: &[],
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let rows = session.graph().in_edges();
    let (vertices, source) = (rows.num_vertices(), session.source() as usize);
    let count = vertices as usize;
    let pull = session.kernel("pull")?;
    let offsets = session.upload_offsets("in_offsets", rows)?;
    let edges = session.upload("in_edges", rows.targets())?;
    let weights = session.upload_weights("in_weights", rows)?;
    let mut distance = session.filled("distance", count, crate::UNREACHED)?;
    let mut next_distance = session.filled("next_distance", count, crate::UNREACHED)?;
    let mut active = session.filled("active", count, 0u32)?;
    let mut next_active = session.filled("next_active", count, 0u32)?;
    let changed = session.upload("changed", &[0u32])?;
    session.write_element(distance, source, 0u32)?;
    session.write_element(active, source, 1u32)?;

    loop {
        let frontier = count_set::<u32>(session, active)?;
        session.iteration(Some(frontier), u64::from(vertices) + 1)?;
        session.write(changed, &[0u32])?;
        let buffers = [offsets, edges, weights, distance, next_distance, active, next_active, changed];
        let mut arguments = buffers.map(Argument::from).to_vec();
        arguments.push(Argument::from(vertices));
        session.launch(pull, vertices.into(), &arguments)?;
        swap(&mut distance, &mut next_distance);
        swap(&mut active, &mut next_active);
        if session.read_word(changed)? == 0 {
            return Ok(Answer::Distances(session.read(distance)?));
        }
    }
}
