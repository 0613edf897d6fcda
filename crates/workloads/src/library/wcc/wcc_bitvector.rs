//! WCC by bit-vector scheduling: a vertex program that gathers labels and schedules its neighbours
//! (\[Park15\] sections 5 and 6).

use crate::library::arguments::arguments;
use crate::library::bit_vector::Schedule;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "wcc-bitvector",
    is_default: true,
    problem: Problem::Wcc,
    summary: "vertex program scheduled by a bit vector: gather the smallest label, scatter activations",
    document: "[Park15] sections 5 and 6",
    files: &[kernel_file!("wcc/wcc_bitvector.ptx")],
    settings: &[],
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let visit = session.kernel("visit")?;
    let rows = session.graph().out_edges();
    let vertices: Vec<u32> = rows.vertices().collect();
    let row = session.upload_offsets("R", rows)?;
    let col = session.upload("C", rows.targets())?;
    let labels = session.upload("V", &vertices)?;
    let schedule = Schedule::new(session, &vertices)?;
    let Schedule { active_vertex_list, scheduled, scheduled_size, .. } = schedule;
    // A label crosses an edge per step at the least, and the last two steps find that nothing changes any more.
    let steps_max = vertices.len() as u64 + 2;
    loop {
        session.iteration(None, steps_max)?;
        let size = schedule.take(session)?;
        session.set_frontier(size.into());
        if size == 0 {
            return Ok(Answer::Labels(session.read(labels)?));
        }
        let step = &arguments![row, col, labels, active_vertex_list, scheduled, scheduled_size];
        session.launch(visit, size.into(), step)?;
    }
}
