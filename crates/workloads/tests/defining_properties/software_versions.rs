//! The six software versions of topology-driven BFS: which load of the text reads how many edges.
//!
//! Every vertex of the graph has 13 edges, and all are reached, so that the counts follow from the number of
//! vertices: 13 is neither even nor a multiple of three.

use super::counted::{Counted, arcs, count};
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

/// Branches that lanes executed in `expand`, for each vertex.
fn branches(run: &Counted) -> f64 {
    let lanes: u64 = run.launches("expand").iter().map(|report| report.classes.branches[1]).sum();
    lanes as f64 / f64::from(VERTICES)
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
fn unrolling_saves_branches_and_prefetching_with_a_check_costs_them() {
    let graph = ring();
    let [base, swp, swpnc, unr2, unr3, unr2_swp, unr2_swpnc] =
        ["bfs-topology", "bfs-swp", "bfs-swpnc", "bfs-unr2", "bfs-unr3", "bfs-unr2-swp", "bfs-unr2-swpnc"]
            .map(|name| branches(&count(name, &graph)));
    // For 13 neighbours, the loop branches 13, 6 or 4 times, and each check once more.
    assert!(base - unr2 >= 5.0 && unr2 - unr3 >= 0.5, "{base} {unr2} {unr3}");
    assert!(swp - base >= 12.0, "{swp} {base}");
    assert!(swp - swpnc >= 11.0, "{swp} {swpnc}");
    assert!(unr2_swp - unr2 >= 5.0 && unr2_swp - unr2_swpnc >= 4.0, "{unr2_swp} {unr2} {unr2_swpnc}");
}

#[test]
fn instruction_counts_stand_in_the_order_of_the_document() {
    // 000_e5444c911889a1ac.txt, section 5.5.2: SWP raises the count, SWPNC less so, unrolling lowers it.
    let graph = ring();
    let [base, swp, swpnc, unr2, unr3] = ["bfs-topology", "bfs-swp", "bfs-swpnc", "bfs-unr2", "bfs-unr3"]
        .map(|name| lane_instructions(&count(name, &graph)));
    assert!(swp > swpnc && swpnc > base, "{swp} {swpnc} {base}");
    assert!(base > unr2 && unr2 > unr3, "{base} {unr2} {unr3}");
}
