//! SSSP with bit-vector scheduling: gather along in-edges, scatter along out-edges
//! (\[Park15\] sections 5 and 6).

use crate::library::arguments::arguments;
use crate::library::bit_vector::Schedule;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "sssp-bitvector",
    is_default: false,
    problem: Problem::Sssp,
    summary: "active vertices in a bit vector; each gathers along its in-edges and scatters to its targets' bits",
    document: "[Park15] sections 5 and 6",
    files: &[kernel_file!("sssp/sssp_bitvector.ptx")],
    settings: &[],
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (outgoing, incoming) = (session.graph().out_edges(), session.graph().in_edges());
    let (vertices, source) = (outgoing.num_vertices(), session.source());
    let visit = session.kernel("visit")?;
    let r_in = session.upload_offsets("r_in", incoming)?;
    let c_in = session.upload("c_in", incoming.targets())?;
    let w_in = session.upload_weights("w_in", incoming)?;
    let r_out = session.upload_offsets("r_out", outgoing)?;
    let c_out = session.upload("c_out", outgoing.targets())?;
    let distance = session.filled("distance", vertices as usize, crate::UNREACHED)?;
    let schedule = Schedule::new(session, &[source])?;

    loop {
        // The last step lowers nothing any more, but its vertices were scheduled.
        session.iteration(None, u64::from(vertices) + 2)?;
        let active = schedule.take(session)?;
        session.set_frontier(active.into());
        if active == 0 {
            return Ok(Answer::Distances(session.read(distance)?));
        }
        let Schedule { active_vertex_list, scheduled, scheduled_size, .. } = schedule;
        let bits = arguments![distance, active_vertex_list, scheduled, scheduled_size, source];
        let arguments =
            [&arguments![r_in, c_in, w_in, r_out, c_out], &bits].map(|part| part.to_vec()).concat();
        session.launch(visit, active.into(), &arguments)?;
    }
}
