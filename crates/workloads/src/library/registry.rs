//! The list of workloads.

use super::{Problem, Workload, bc, bfs, cc, colouring, mis, mst, pagerank, sssp, stcon, wcc};

/// Every workload, by problem.
pub const WORKLOADS: &[&Workload] = &[
    &bfs::h_bfs::WORKLOAD,
    &bfs::ls_bfs::WORKLOAD,
    &bfs::bfs_dd::WORKLOAD,
    &bfs::bfs_wc::WORKLOAD,
    &bfs::bfs_unrolled::WORKLOAD,
    &bfs::topology::BASE,
    &bfs::topology::SWP,
    &bfs::topology::SWPNC,
    &bfs::topology::UNR2,
    &bfs::topology::UNR3,
    &bfs::topology::UNR2_SWP,
    &bfs::topology::UNR2_SWPNC,
    &bfs::bfs_bitvector::WORKLOAD,
    &bfs::bfs_push::WORKLOAD,
    &bfs::bfs_pull::WORKLOAD,
    &sssp::h_sssp::WORKLOAD,
    &sssp::ls_sssp::WORKLOAD,
    &sssp::sssp_dd::WORKLOAD,
    &sssp::sssp_wc::WORKLOAD,
    &sssp::sssp_bitvector::WORKLOAD,
    &sssp::sssp_push::WORKLOAD,
    &sssp::sssp_pull::WORKLOAD,
    &colouring::colouring_topology::WORKLOAD,
    &colouring::colouring_dd::WORKLOAD,
    &colouring::colouring_wc::WORKLOAD,
    &colouring::colouring_push::WORKLOAD,
    &colouring::colouring_pull::WORKLOAD,
    &mis::mis_luby::WORKLOAD,
    &mis::mis_push::WORKLOAD,
    &mis::mis_pull::WORKLOAD,
    &mst::h_mst::WORKLOAD,
    &mst::ls_mst::WORKLOAD,
    &stcon::WORKLOAD,
    &pagerank::pagerank_bsp::WORKLOAD,
    &pagerank::pagerank_push::WORKLOAD,
    &pagerank::pagerank_pull::WORKLOAD,
    &wcc::wcc_bitvector::WORKLOAD,
    &bc::bc_push::WORKLOAD,
    &bc::bc_pull::WORKLOAD,
    &cc::cc_dynamic::WORKLOAD,
];

/// The workload of this name; a problem's name stands for its default implementation. An error names the
/// nearest one.
pub fn find(name: &str) -> Result<&'static Workload, String> {
    let problem = Problem::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, problem)| problem);
    let named = |workload: &&&Workload| {
        workload.name == name || workload.is_default && Some(workload.problem) == problem
    };
    if let Some(workload) = WORKLOADS.iter().find(named) {
        return Ok(workload);
    }
    let aliases = Problem::NAMES.iter().map(|(name, _)| *name);
    let nearest =
        heddle_graph::error::nearest(name, WORKLOADS.iter().map(|workload| workload.name).chain(aliases));
    let suggestion = nearest.map_or(String::new(), |nearest| format!("; did you mean '{nearest}'?"));
    Err(format!("there is no workload '{name}'{suggestion}"))
}
