//! Betweenness centrality by pull: targets look for sources of the level, without atomics
//! (\[Salvador20\] figure 1).

use super::{Common, SETTINGS};
use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "bc-pull",
    is_default: false,
    problem: Problem::Betweenness,
    summary: "pull: unreached vertices look for the level, and a level for the one below; no atomics",
    document: "[Salvador20] figure 1, table III (BC): Brandes, after Pannotia [Che13]",
    files: &[kernel_file!("bc/bc_pull.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (count, depend) = (session.kernel("bc_pull_count")?, session.kernel("bc_pull_depend")?);
    let mut common = Common::new(session, false)?;
    let forward = |common: &Common, session: &mut Session<'_>, level: u32| {
        let &Common { row_in, col_in, depth, sigma, sigma_exponent, over, vertices, .. } = common;
        session.write(over, &[0u32])?;
        let look = &arguments![row_in, col_in, depth, sigma, sigma_exponent, over, level, vertices];
        common.over_vertices(session, count, look)?;
        Ok(session.read_word(over)? != 0)
    };
    let backward = |common: &Common, session: &mut Session<'_>, level: u32| {
        let &Common { row, col, depth, sigma, sigma_exponent, delta, vertices, .. } = common;
        let above = level - 1;
        let look = &arguments![row, col, depth, sigma, sigma_exponent, delta, above, vertices];
        common.over_vertices(session, depend, look)
    };
    common.run(session, forward, backward)?;
    common.answer(session)
}
