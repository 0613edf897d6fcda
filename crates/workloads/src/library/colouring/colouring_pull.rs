//! CLR by pull: targets read the priorities of sources, without atomics (\[Salvador20\] figure 1).

use super::{Common, SETTINGS};
use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "colouring-pull",
    is_default: false,
    problem: Problem::Colouring,
    summary: "pull: uncoloured vertices read the priorities of their neighbours, no atomics",
    document: "[Salvador20] figure 1, table III (CLR): after Pannotia [Che13]",
    files: &[kernel_file!("colouring/colouring_pull.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (init, reduce) = (session.kernel("color_pull_init")?, session.kernel("color_pull_max")?);
    let assign = session.kernel("color_pull_assign")?;
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
