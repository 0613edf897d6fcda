//! The list of workloads.

use super::{Problem, Workload, bfs};

/// Every workload, by problem.
pub const WORKLOADS: &[&Workload] = &[&bfs::h_bfs::WORKLOAD];

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
