//! Betweenness centrality by push: numbers of paths and dependencies are added to targets by atomics
//! (\[Salvador20\] figure 1).

use super::{Common, SETTINGS};
use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "bc-push",
    is_default: true,
    problem: Problem::Betweenness,
    summary: "push: the vertices of a level add to their targets by atomics, forward and backward",
    document: "[Salvador20] figure 1, table III (BC): Brandes, after Pannotia [Che13]",
    files: &[kernel_file!("bc/bc_push.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (discover, count) = (session.kernel("bc_push_discover")?, session.kernel("bc_push_count")?);
    let depend = session.kernel("bc_push_depend")?;
    let mut common = Common::new(session, true)?;
    let forward = |common: &Common, session: &mut Session<'_>, level: u32| {
        let &Common { row, col, depth, sigma, sigma_exponent, over, vertices, .. } = common;
        session.write(over, &[0u32])?;
        let reach = &arguments![row, col, depth, sigma, sigma_exponent, over, level, vertices];
        common.over_vertices(session, discover, reach)?;
        if session.read_word(over)? == 0 {
            return Ok(false);
        }
        let add = &arguments![row, col, depth, sigma, sigma_exponent, level, vertices];
        common.over_vertices(session, count, add)?;
        Ok(true)
    };
    let backward = |common: &Common, session: &mut Session<'_>, level: u32| {
        let &Common { row_in, col_in, depth, sigma, sigma_exponent, delta, vertices, .. } = common;
        let send = &arguments![row_in, col_in, depth, sigma, sigma_exponent, delta, level, vertices];
        common.over_vertices(session, depend, send)
    };
    common.run(session, forward, backward)?;
    common.answer(session)
}
