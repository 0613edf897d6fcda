//! H-SSSP: two kernels over all vertices, a frontier of flags, an atomic relaxation (Harish and Narayanan;
//! \[Lakshminarayana14\] section 2.3.2).

use crate::library::arguments::arguments;
use crate::library::flags::count_set;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "h-sssp",
    is_default: true,
    problem: Problem::Sssp,
    summary: "topology-driven, two kernels, frontier of flags, three loads and an atomic minimum on each edge",
    document: "[Lakshminarayana14] section 2.3.2, tables 4 and 9: [Harish07]",
    files: &[kernel_file!("sssp/h_sssp.ptx")],
    settings: &[],
    block: 512,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let rows = session.graph().out_edges();
    let (vertices, source) = (rows.num_vertices(), session.source() as usize);
    let count = vertices as usize;
    let (relax, update) = (session.kernel("DijkstraKernel1")?, session.kernel("DijkstraKernel2")?);
    let nodes = session.upload_offsets("graph_nodes", rows)?;
    let edges = session.upload("graph_edges", rows.targets())?;
    let weights = session.upload_weights("graph_weights", rows)?;
    let updating_cost = session.filled("graph_updating_cost", count, crate::UNREACHED)?;
    let mask = session.filled("graph_mask", count, 0u8)?;
    let cost = session.filled("cost", count, crate::UNREACHED)?;
    let finished = session.upload("finished", &[0u32])?;
    session.write_element(mask, source, 1u8)?;
    session.write_element(cost, source, 0u32)?;
    session.write_element(updating_cost, source, 0u32)?;

    let mut active = 1;
    loop {
        session.iteration(Some(active), u64::from(vertices) + 1)?;
        session.write(finished, &[1u32])?;
        let arguments = arguments![nodes, edges, weights, updating_cost, mask, cost, vertices];
        session.launch(relax, vertices.into(), &arguments)?;
        let arguments = arguments![updating_cost, mask, cost, finished, vertices];
        session.launch(update, vertices.into(), &arguments)?;
        if session.read_word(finished)? == 1 {
            return Ok(Answer::Distances(session.read(cost)?));
        }
        active = count_set::<u8>(session, mask)?;
    }
}
