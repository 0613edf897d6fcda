//! The six software versions of topology-driven BFS: which load of the text reads how many edges.
//!
//! Every vertex of the graph has 13 edges, and all are reached, so that the counts follow from the number of
//! vertices: 13 is neither even nor a multiple of three.

use super::counted::{Counted, arcs, count, star};
use heddle_graph::Graph;

const VERTICES: u32 = 400;
const DEGREE: u32 = 13;

/// Vertex `v` leads to the 13 vertices behind it, around a ring.
fn ring() -> Graph {
    let rows = (0..VERTICES).flat_map(|from| (1..=DEGREE).map(move |step| (from, (from + step) % VERTICES)));
    arcs(VERTICES.into(), rows)
}

/// Edges that each load of edges in the text reads for each vertex; the first two loads are the row's ends.
fn edges_by_load(run: &Counted) -> Vec<u64> {
    let loads = run.read_only_words("expand");
    loads[2..].iter().map(|load| load.lanes / u64::from(VERTICES)).collect()
}

/// Branches that warps executed in `expand`, taken or not.
fn branches(run: &Counted) -> i64 {
    run.launches("expand").iter().map(|report| report.classes.branches[0] as i64).sum()
}

fn lane_instructions(run: &Counted) -> u64 {
    run.launches("expand").iter().map(|report| report.lane_instructions).sum()
}

#[test]
fn each_version_loads_its_edges_in_its_own_way() {
    let graph = ring();
    let loads = |name: &str| edges_by_load(&count(name, &graph));
    assert_eq!(loads("bfs-topology"), [13]);
    // The first neighbour before the loop, the others one iteration early.
    assert_eq!(loads("bfs-swp"), [1, 12]);
    let mut without_check = loads("bfs-swpnc");
    without_check.sort_unstable();
    assert_eq!(without_check, [1, 12]);
    // Pairs, then the odd one.
    assert_eq!(loads("bfs-unr2"), [6, 6, 1]);
    // Triples, then the one left over; there is no second one.
    assert_eq!(loads("bfs-unr3"), [4, 4, 4, 1, 0]);
    // The first pair before the loop, five pairs early, the odd one.
    assert_eq!(loads("bfs-unr2-swp"), [1, 1, 5, 5, 1]);
    let mut without_check = loads("bfs-unr2-swpnc");
    without_check.sort_unstable();
    assert_eq!(without_check, [1, 1, 1, 5, 5]);
}

#[test]
fn unrolling_saves_branches_and_a_check_in_the_loop_costs_them() {
    // One thread expands 12,000 edges, so that what a loop's iteration costs shows against all else: 376 warps
    // whose rows are empty.
    let graph = star(12_000);
    let count_branches = |name: &str| branches(&count(name, &graph));
    let base = count_branches("bfs-topology");
    let more_than = |name: &str, other: i64| count_branches(name) - other;
    let thousands = |difference: i64, expected: i64| {
        assert!((difference - expected * 1000).abs() < 1500, "{difference} branches, not {expected},000");
    };
    thousands(more_than("bfs-unr2", base), -6);
    thousands(more_than("bfs-unr3", base), -8);
    thousands(more_than("bfs-swp", base), 12);
    thousands(more_than("bfs-swpnc", base), 0);
    thousands(more_than("bfs-unr2-swp", base), -6 + 6);
    thousands(more_than("bfs-unr2-swpnc", base), -6);
}

#[test]
fn instruction_counts_stand_in_the_order_of_the_document() {
    // [Lakshminarayana14] section 5.5.2: SWP raises the count, SWPNC has fewer than SWP, unrolling lowers it.
    let graph = ring();
    let [base, swp, swpnc, unr2, unr3] = ["bfs-topology", "bfs-swp", "bfs-swpnc", "bfs-unr2", "bfs-unr3"]
        .map(|name| lane_instructions(&count(name, &graph)));
    assert!(swp > base && swp > swpnc, "{swp} {base} {swpnc}");
    assert!(base > unr2 && base > unr3, "{base} {unr2} {unr3}");
}
