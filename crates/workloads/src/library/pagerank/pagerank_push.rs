//! PageRank by push: sources add their shares to targets by atomics (\[Salvador20\] figure 1).

use super::{Common, SETTINGS};
use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "pagerank-push",
    is_default: false,
    problem: Problem::PageRank,
    summary: "push: a source divides once and adds to its targets by atomics, four arcs at a time",
    document: "[Salvador20] figure 1, table III (PR): after Pannotia [Che13]",
    files: &[kernel_file!("pagerank/pagerank_push.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (init, push) = (session.kernel("pagerank_push_init")?, session.kernel("pagerank_push")?);
    let sum = session.kernel("pagerank_push_dangling")?;
    let update = session.kernel("pagerank_push_update")?;
    let rows = session.graph().out_edges();
    let vertices = rows.num_vertices();
    let threads = u64::from(vertices);
    let row = session.upload_offsets("row", rows)?;
    let col = session.upload("col", rows.targets())?;
    let rank = session.filled("rank", vertices as usize, 0f32)?;
    let next = session.filled("next_rank", vertices as usize, 0f32)?;
    let common = Common::new(session)?;
    let &Common { damping, tolerance, partial, dangling, over, .. } = &common;
    session.launch(init, threads, &arguments![rank, next, vertices])?;
    common.iterate(session, |session| {
        session.launch(push, threads, &arguments![row, col, rank, next, vertices])?;
        session.launch(sum, threads, &arguments![row, rank, partial, vertices])?;
        common.sum_dangling(session)?;
        let settle = &arguments![rank, next, dangling, over, damping, tolerance, vertices];
        session.launch(update, threads, settle)?;
        Ok(())
    })?;
    let incoming = session.graph().in_edges();
    let terms = incoming.vertices().map(|vertex| incoming.degree(vertex)).max().unwrap_or(0);
    common.answer(session, rank, terms)
}
