//! BFS with bit-vector scheduling: scatter only (\[Park15\] section 6).

use crate::library::arguments::arguments;
use crate::library::bit_vector::Schedule;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "bfs-bitvector",
    is_default: false,
    problem: Problem::Bfs,
    summary: "active vertices in a bit vector; a scheduling kernel lists them, each scatters to its targets' bits",
    document: "[Park15] sections 5 and 6",
    files: &[kernel_file!("bfs/bfs_bitvector.ptx")],
    settings: &[],
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let rows = session.graph().out_edges();
    let vertices = rows.num_vertices();
    let visit = session.kernel("visit")?;
    let r_out = session.upload_offsets("r_out", rows)?;
    let c_out = session.upload("c_out", rows.targets())?;
    let level = session.filled("level", vertices as usize, crate::UNREACHED)?;
    let schedule = Schedule::new(session, &[session.source()])?;

    for step in 0u32.. {
        // The last step reaches nothing new, but its vertices have set the bits of their targets.
        session.iteration(None, u64::from(vertices) + 2)?;
        let active = schedule.take(session)?;
        session.set_frontier(active.into());
        if active == 0 {
            break;
        }
        let Schedule { active_vertex_list, scheduled, scheduled_size, .. } = schedule;
        let arguments = arguments![r_out, c_out, level, active_vertex_list, scheduled, scheduled_size, step];
        session.launch(visit, active.into(), &arguments)?;
    }
    Ok(Answer::Depths(session.read(level)?))
}
