//! MIS of \[Lakshminarayana14\]: Luby's algorithm, a thread for every vertex, new members switch their
//! neighbours off (section 2.3.6).

use super::{Common, SETTINGS, States, members};
use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "mis-luby",
    is_default: true,
    problem: Problem::Mis,
    summary: "Luby's algorithm: flags for active vertices, new members switch neighbours off by plain stores",
    document: "[Lakshminarayana14] section 2.3.6, table 9 (MIS): after [Luby85] and Pannotia [Che13]",
    files: &[kernel_file!("mis/mis_luby.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (init, find) = (session.kernel("mis_init")?, session.kernel("mis_find")?);
    let join = session.kernel("mis_join")?;
    let common = Common::upload(session)?;
    let &Common { vertices, row, col, node_value } = &common;
    let count = vertices as usize;
    let active = session.filled("active", count, 0u32)?;
    let mis = session.filled("mis", count, 0u32)?;
    let candidate = session.filled("candidate", count, 0u32)?;
    let over = session.filled("over", 1, 0u32)?;
    let (threads, seed) = (u64::from(vertices), session.whole("seed"));
    session.launch(init, threads, &arguments![node_value, active, mis, candidate, seed, vertices])?;
    let states = States { buffer: active, undecided: 1 };
    common.rounds(session, over, &states, |session| {
        let scan = &arguments![row, col, node_value, active, candidate, over, vertices];
        session.launch(find, threads, scan)?;
        session.launch(join, threads, &arguments![row, col, active, mis, candidate, vertices])?;
        Ok(())
    })?;
    members(session, mis, 1)
}
