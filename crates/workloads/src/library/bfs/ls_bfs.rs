//! LS-BFS: LonestarGPU's `drelax` without weights (000_e5444c911889a1ac.txt, section 5.1.2, tables 4 and 9).

use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file, lonestar};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "ls-bfs",
    is_default: false,
    problem: Problem::Bfs,
    summary: "no frontier, atomic minimum on each edge, kernel unrolling through 48 KB of shared memory",
    document: "000_e5444c911889a1ac.txt, tables 4 and 9: LonestarGPU drelax",
    files: &[kernel_file!("bfs/ls_bfs.ptx")],
    settings: &[],
    block: lonestar::BLOCK,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    lonestar::drive(session, false).map(Answer::Depths)
}
