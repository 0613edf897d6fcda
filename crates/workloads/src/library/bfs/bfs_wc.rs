//! BFS-WC: a warp expands one vertex of its chunk after the other (\[Lakshminarayana14\] section 5.1.1).

use super::flag_frontier;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file, warp_centric};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "bfs-wc",
    is_default: false,
    problem: Problem::Bfs,
    summary: "warp-centric: the lanes of a warp read consecutive edges of one vertex of its 32 after the other",
    document: "[Lakshminarayana14] section 5.1.1, figure 49, table 9",
    files: &[kernel_file!("bfs/bfs_wc.ptx")],
    settings: &[],
    block: 512,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    flag_frontier::drive(session, warp_centric::threads(session.graph().num_vertices()))
}
