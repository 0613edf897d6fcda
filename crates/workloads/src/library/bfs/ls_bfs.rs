//! LS-BFS: LonestarGPU's `drelax` without weights (\[Lakshminarayana14\] section 5.1.2, tables 4 and 9).

use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file, lonestar};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "ls-bfs",
    is_default: false,
    problem: Problem::Bfs,
    summary: "no frontier, atomic minimum on each edge, kernel unrolling through 48 KB of shared memory",
    document: "[Lakshminarayana14] tables 4 and 9: LonestarGPU [Burtscher12], drelax",
    files: &[kernel_file!("bfs/ls_bfs.ptx")],
    settings: &[],
    block: lonestar::BLOCK,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    lonestar::drive(session, false).map(Answer::Depths)
}
