//! CLR by push: sources send their priorities to targets by atomics (\[Salvador20\] figure 1).

use super::{Common, SETTINGS};
use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "colouring-push",
    is_default: false,
    problem: Problem::Colouring,
    summary: "push: uncoloured vertices send their priorities by atomic maximum, four arcs at a time",
    document: "[Salvador20] figure 1, table III (CLR): after Pannotia [Che13]",
    files: &[kernel_file!("colouring/colouring_push.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (init, reduce) = (session.kernel("color_push_init")?, session.kernel("color_push_max")?);
    let assign = session.kernel("color_push_assign")?;
    let common = Common::upload(session)?;
    let &Common { vertices, row, col, node_value, color } = &common;
    let max = session.filled("max", vertices as usize, 0u32)?;
    let over = session.filled("over", 1, 0u32)?;
    let (threads, seed) = (u64::from(vertices), session.whole("seed"));
    session.launch(init, threads, &arguments![node_value, color, max, seed, vertices])?;
    common.rounds(session, over, |session, round| {
        session.launch(reduce, threads, &arguments![row, col, node_value, color, max, vertices])?;
        session.launch(assign, threads, &arguments![node_value, color, max, over, round, vertices])?;
        Ok(())
    })
}
