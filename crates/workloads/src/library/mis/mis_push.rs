//! MIS by push: priorities and exclusions are sent to targets by atomics (\[Salvador20\] figure 1).

use super::{Common, SETTINGS, States, members};
use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "mis-push",
    is_default: false,
    problem: Problem::Mis,
    summary: "push: priorities by atomic minimum, exclusions by atomic or, four arcs at a time",
    document: "[Salvador20] figure 1, table III (MIS): after Pannotia [Che13]",
    files: &[kernel_file!("mis/mis_push.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

/// States of `mis_push.cu`.
const UNDECIDED: u32 = 0;
const IN: u32 = 4;

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (init, reduce) = (session.kernel("mis_push_init")?, session.kernel("mis_push_min")?);
    let (join, exclude) = (session.kernel("mis_push_join")?, session.kernel("mis_push_exclude")?);
    let common = Common::upload(session)?;
    let &Common { vertices, row, col, node_value } = &common;
    let state = session.filled("state", vertices as usize, UNDECIDED)?;
    let min = session.filled("min", vertices as usize, 0u32)?;
    let over = session.filled("over", 1, 0u32)?;
    let (threads, seed) = (u64::from(vertices), session.whole("seed"));
    session.launch(init, threads, &arguments![node_value, state, min, seed, vertices])?;
    let states = States { buffer: state, undecided: UNDECIDED };
    common.rounds(session, over, &states, |session| {
        session.launch(reduce, threads, &arguments![row, col, node_value, state, min, vertices])?;
        session.launch(join, threads, &arguments![node_value, state, min, over, vertices])?;
        session.launch(exclude, threads, &arguments![row, col, state, vertices])?;
        Ok(())
    })?;
    members(session, state, IN)
}
