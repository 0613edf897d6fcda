//! MIS by pull: a vertex reads priorities and states of its neighbours, without atomics
//! (\[Salvador20\] figure 1).

use super::{Common, SETTINGS, States, members};
use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "mis-pull",
    is_default: false,
    problem: Problem::Mis,
    summary: "pull: vertices read priorities and states of their neighbours, no atomics",
    document: "[Salvador20] figure 1, table III (MIS): after Pannotia [Che13]",
    files: &[kernel_file!("mis/mis_pull.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

/// States of `mis_pull.cu`.
const UNDECIDED: u32 = 0;
const IN: u32 = 2;

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (init, reduce) = (session.kernel("mis_pull_init")?, session.kernel("mis_pull_min")?);
    let (join, exclude) = (session.kernel("mis_pull_join")?, session.kernel("mis_pull_exclude")?);
    let common = Common::upload(session)?;
    let &Common { vertices, row, col, node_value } = &common;
    let state = session.filled("state", vertices as usize, UNDECIDED)?;
    let next_state = session.filled("next_state", vertices as usize, UNDECIDED)?;
    let min = session.filled("min", vertices as usize, 0u32)?;
    let over = session.filled("over", 1, 0u32)?;
    let (threads, seed) = (u64::from(vertices), session.whole("seed"));
    session.launch(init, threads, &arguments![node_value, state, seed, vertices])?;
    let states = States { buffer: state, undecided: UNDECIDED };
    common.rounds(session, over, &states, |session| {
        session.launch(reduce, threads, &arguments![row, col, node_value, state, min, vertices])?;
        session.launch(join, threads, &arguments![node_value, state, next_state, min, over, vertices])?;
        session.launch(exclude, threads, &arguments![row, col, next_state, state, vertices])?;
        Ok(())
    })?;
    members(session, state, IN)
}
