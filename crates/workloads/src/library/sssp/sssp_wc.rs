//! Warp-centric SSSP: a warp relaxes the edges of one vertex of its chunk after the other
//! (\[Lakshminarayana14\] sections 5.1.1 and 5.4.3).

use crate::library::arguments::arguments;
use crate::library::flags::count_set;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file, warp_centric};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "sssp-wc",
    is_default: false,
    problem: Problem::Sssp,
    summary: "warp-centric: the lanes of a warp relax consecutive edges of one vertex of its 32 after the other",
    document: "[Lakshminarayana14] sections 5.1.1 and 5.4.3",
    files: &[kernel_file!("sssp/sssp_wc.ptx")],
    settings: &[],
    block: 512,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let rows = session.graph().out_edges();
    let (vertices, source) = (rows.num_vertices(), session.source() as usize);
    let count = vertices as usize;
    let (relax, build_frontier) = (session.kernel("relax")?, session.kernel("build_frontier")?);
    let offsets = session.upload_offsets("row_offsets", rows)?;
    let edges = session.upload("edges", rows.targets())?;
    let weights = session.upload_weights("weights", rows)?;
    let cost = session.filled("cost", count, crate::UNREACHED)?;
    let updating_cost = session.filled("updating_cost", count, crate::UNREACHED)?;
    let frontier = session.filled("frontier", count, 0u8)?;
    let over = session.upload("over", &[0u32])?;
    session.write_element(cost, source, 0u32)?;
    session.write_element(updating_cost, source, 0u32)?;
    session.write_element(frontier, source, 1u8)?;

    let mut active = 1;
    loop {
        session.iteration(Some(active), u64::from(vertices) + 1)?;
        session.write(over, &[0u32])?;
        let arguments = arguments![offsets, edges, weights, cost, updating_cost, frontier, vertices];
        session.launch(relax, warp_centric::threads(vertices), &arguments)?;
        let arguments = arguments![cost, updating_cost, frontier, over, vertices];
        session.launch(build_frontier, vertices.into(), &arguments)?;
        if session.read_word(over)? == 0 {
            return Ok(Answer::Distances(session.read(cost)?));
        }
        active = count_set::<u8>(session, frontier)?;
    }
}
