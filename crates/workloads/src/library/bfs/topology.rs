//! Topology-driven BFS and its six software versions (\[Lakshminarayana14\] section 5.5, table 18): the
//! same driver and buffers, another loop over the edges of a vertex.
//!
//! Blocks have 512 threads: with that number the occupancies of table 18 follow from its registers.

use super::flag_frontier;
use crate::library::{Answer, KernelFile, Problem, Session, Workload, WorkloadError, kernel_file};

const fn version(
    name: &'static str,
    summary: &'static str,
    document: &'static str,
    files: &'static [KernelFile],
) -> Workload {
    Workload {
        name,
        is_default: false,
        problem: Problem::Bfs,
        summary,
        document,
        files,
        settings: &[],
        block: 512,
        drive,
    }
}

/// The base: one neighbour after the other.
pub const BASE: Workload = version(
    "bfs-topology",
    "topology-driven, frontier of flags, one neighbour in each iteration: the base of the versions below",
    "[Lakshminarayana14] section 5.5, figure 75, table 18",
    &[kernel_file!("bfs/bfs_topology.ptx")],
);

/// Software prefetching with a check in the loop.
pub const SWP: Workload = version(
    "bfs-swp",
    "topology-driven, the next neighbour loaded early, with a check in the loop",
    "[Lakshminarayana14] section 5.5, figure 76, table 18",
    &[kernel_file!("bfs/bfs_swp.ptx")],
);

/// Software prefetching without a check.
pub const SWPNC: Workload = version(
    "bfs-swpnc",
    "topology-driven, the next neighbour loaded early, the last one processed behind the loop",
    "[Lakshminarayana14] section 5.5, figure 77, table 18",
    &[kernel_file!("bfs/bfs_swpnc.ptx")],
);

/// Two neighbours in each iteration.
pub const UNR2: Workload = version(
    "bfs-unr2",
    "topology-driven, two neighbours in each iteration",
    "[Lakshminarayana14] section 5.5, figure 78, table 18",
    &[kernel_file!("bfs/bfs_unr2.ptx")],
);

/// Three neighbours in each iteration.
pub const UNR3: Workload = version(
    "bfs-unr3",
    "topology-driven, three neighbours in each iteration",
    "[Lakshminarayana14] section 5.5, table 18",
    &[kernel_file!("bfs/bfs_unr3.ptx")],
);

/// Two neighbours in each iteration, the next two prefetched with a check.
pub const UNR2_SWP: Workload = version(
    "bfs-unr2-swp",
    "topology-driven, two neighbours in each iteration, the next two loaded early with a check",
    "[Lakshminarayana14] section 5.5, figures 76 and 78, table 18",
    &[kernel_file!("bfs/bfs_unr2_swp.ptx")],
);

/// Two neighbours in each iteration, the next two prefetched without a check.
pub const UNR2_SWPNC: Workload = version(
    "bfs-unr2-swpnc",
    "topology-driven, two neighbours in each iteration, the next two loaded early, the last ones behind the loop",
    "[Lakshminarayana14] section 5.5, figures 77 and 78, table 18",
    &[kernel_file!("bfs/bfs_unr2_swpnc.ptx")],
);

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    flag_frontier::drive(session, session.graph().num_vertices().into())
}
