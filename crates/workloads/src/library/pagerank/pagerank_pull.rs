//! PageRank by pull: targets read rank and degree of their sources, without atomics (\[Salvador20\]
//! figure 1).

use super::{Common, SETTINGS};
use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "pagerank-pull",
    is_default: false,
    problem: Problem::PageRank,
    summary: "pull: a target reads rank and degree of each source and divides, no atomics",
    document: "[Salvador20] figure 1, table III (PR): after Pannotia [Che13]",
    files: &[kernel_file!("pagerank/pagerank_pull.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (init, pull) = (session.kernel("pagerank_pull_init")?, session.kernel("pagerank_pull")?);
    let sum = session.kernel("pagerank_pull_dangling")?;
    let (outgoing, incoming) = (session.graph().out_edges(), session.graph().in_edges());
    let vertices = outgoing.num_vertices();
    let threads = u64::from(vertices);
    let row = session.upload_offsets("row", incoming)?;
    let col = session.upload("col", incoming.targets())?;
    let degrees: Vec<u32> = outgoing.vertices().map(|vertex| outgoing.degree(vertex) as u32).collect();
    let out_degree = session.upload("out_degree", &degrees)?;
    let mut rank = session.filled("rank", vertices as usize, 0f32)?;
    let mut next = session.filled("next_rank", vertices as usize, 0f32)?;
    let common = Common::new(session)?;
    let &Common { damping, tolerance, partial, dangling, over, .. } = &common;
    session.launch(init, threads, &arguments![rank, vertices])?;
    common.iterate(session, |session| {
        session.launch(sum, threads, &arguments![out_degree, rank, partial, vertices])?;
        common.sum_dangling(session)?;
        let gather =
            &arguments![row, col, out_degree, rank, next, dangling, over, damping, tolerance, vertices];
        session.launch(pull, threads, gather)?;
        (rank, next) = (next, rank);
        Ok(())
    })?;
    common.answer(session, rank, 1)
}
