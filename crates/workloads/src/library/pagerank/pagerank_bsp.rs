//! PageRank in super-steps: a vertex program that gathers one word per in-edge (figure 2 of
//! 001_5c3b768a7015d194.txt).

use super::{Common, SETTINGS};
use crate::library::arguments::arguments;
use crate::library::wcc::wcc_bitvector::all_set;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "pagerank-bsp",
    is_default: true,
    problem: Problem::PageRank,
    summary: "vertex program in super-steps scheduled by a bit vector: gathers one word per in-edge",
    document: "001_5c3b768a7015d194.txt, figure 2 and section 6",
    files: &[kernel_file!("pagerank/pagerank_bsp.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (init, share) = (session.kernel("pagerank_bsp_init")?, session.kernel("pagerank_bsp_share")?);
    let (schedule, visit) = (session.kernel("schedule")?, session.kernel("visit")?);
    let (outgoing, incoming) = (session.graph().out_edges(), session.graph().in_edges());
    let vertices = outgoing.num_vertices();
    let count = vertices as usize;
    let row = session.upload_offsets("R", incoming)?;
    let col = session.upload("C", incoming.targets())?;
    let shares = session.filled("V", count, 0f32)?;
    let degrees: Vec<u32> = outgoing.vertices().map(|vertex| outgoing.degree(vertex) as u32).collect();
    let out_degree = session.upload("N_out", &degrees)?;
    let rank = session.filled("Rank", count, 0f32)?;
    let bits = all_set(vertices);
    let words = bits.len() as u32;
    let active = session.upload("active_vertex_list", &bits)?;
    let scheduled = session.filled("scheduled", count, 0u32)?;
    let size = session.filled("scheduled_size", 1, 0u32)?;
    let common = Common::new(session)?;
    let &Common { damping, tolerance, partial, dangling, over, .. } = &common;
    session.launch(init, vertices.into(), arguments![rank, vertices])?;
    session.launch(schedule, words.into(), arguments![active, scheduled, size, words])?;
    common.iterate(session, |session| {
        session.launch(share, vertices.into(), arguments![out_degree, rank, shares, partial, vertices])?;
        common.sum_dangling(session)?;
        let gather =
            arguments![row, col, shares, rank, scheduled, size, dangling, over, damping, tolerance, vertices];
        session.launch(visit, vertices.into(), gather)?;
        Ok(())
    })?;
    common.answer(session, rank, 1)
}
