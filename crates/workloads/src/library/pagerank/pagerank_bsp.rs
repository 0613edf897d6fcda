//! PageRank in super-steps: a vertex program that gathers one word per in-edge (figure 2 of
//! \[Park15\]).

use super::{Common, SETTINGS};
use crate::library::arguments::arguments;
use crate::library::bit_vector::Schedule;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "pagerank-bsp",
    is_default: true,
    problem: Problem::PageRank,
    summary: "vertex program in super-steps scheduled by a bit vector: gathers one word per in-edge",
    document: "[Park15] figure 2 and section 6",
    files: &[kernel_file!("pagerank/pagerank_bsp.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (init, share) = (session.kernel("pagerank_bsp_init")?, session.kernel("pagerank_bsp_share")?);
    let visit = session.kernel("visit")?;
    let (outgoing, incoming) = (session.graph().out_edges(), session.graph().in_edges());
    let vertices = outgoing.num_vertices();
    let count = vertices as usize;
    let row = session.upload_offsets("R", incoming)?;
    let col = session.upload("C", incoming.targets())?;
    let shares = session.filled("V", count, 0f32)?;
    let degrees: Vec<u32> = outgoing.vertices().map(|vertex| outgoing.degree(vertex) as u32).collect();
    let out_degree = session.upload("N_out", &degrees)?;
    let rank = session.filled("Rank", count, 0f32)?;
    let schedule = Schedule::new(session, &outgoing.vertices().collect::<Vec<_>>())?;
    let Schedule { scheduled, scheduled_size, .. } = schedule;
    let common = Common::new(session)?;
    let &Common { damping, tolerance, partial, dangling, over, .. } = &common;
    session.launch(init, vertices.into(), &arguments![rank, vertices])?;
    let threads = u64::from(schedule.take(session)?);
    common.iterate(session, |session| {
        session.launch(share, vertices.into(), &arguments![out_degree, rank, shares, partial, vertices])?;
        common.sum_dangling(session)?;
        let gather = &arguments![
            row,
            col,
            shares,
            rank,
            scheduled,
            scheduled_size,
            dangling,
            over,
            damping,
            tolerance,
            vertices
        ];
        session.launch(visit, threads, gather)?;
        Ok(())
    })?;
    common.answer(session, rank, 1)
}
