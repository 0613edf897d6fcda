//! Implementations of colouring.

use super::counted::{Counted, arcs, count, count_with, recipe};
use heddle_image::atomic::AtomicOperation;
use heddle_ptx::ir::StateSpace;
use heddle_workloads::library::RunOptions;

const GRAPH: &str = "rmat:scale=9,degree=8";
const ALL: [&str; 5] =
    ["colouring-topology", "colouring-dd", "colouring-wc", "colouring-push", "colouring-pull"];

/// Lanes and sectors of the load of a neighbour in the inner loop: of all words that are only read, and are read
/// by most lanes, the first.
fn neighbours(run: &Counted, kernel: &str) -> (u64, u64) {
    let loads = run.read_only_words(kernel);
    let most = loads.iter().map(|load| load.lanes).max().unwrap();
    let first = loads.iter().find(|load| load.lanes == most).unwrap();
    (first.lanes, first.sectors)
}

#[test]
fn all_find_the_same_colours_in_the_same_rounds() {
    let graph = recipe(GRAPH);
    let runs = ALL.map(|name| count(name, &graph));
    for run in &runs {
        assert_eq!(run.outcome.answer, runs[0].outcome.answer);
        assert_eq!(run.frontiers(), runs[0].frontiers());
    }
    let other = RunOptions { settings: vec!["seed=2".to_owned()], ..RunOptions::default() };
    assert_ne!(count_with(ALL[0], &graph, &other).outcome.answer, runs[0].outcome.answer);
}

#[test]
fn topology_scans_only_to_the_first_higher_neighbour_and_pull_scans_whole_rows() {
    let graph = recipe(GRAPH);
    let (topology, pull) = (count("colouring-topology", &graph), count("colouring-pull", &graph));
    let (scanned, _) = neighbours(&topology, "color_mark");
    let (all, _) = neighbours(&pull, "color_pull_max");
    assert!(2 * scanned < all, "{scanned} of {all}");
    assert_eq!(topology.outcome.total(|report| report.classes.atomics[1]), 0);
}

#[test]
fn colouring_dd_has_as_many_threads_as_vertices_are_uncoloured() {
    let options = RunOptions { block: Some(1), ..RunOptions::default() };
    let run = count_with("colouring-dd", &recipe(GRAPH), &options);
    let threads: Vec<_> = run.launches("color_dd").iter().map(|report| Some(report.grid.count())).collect();
    assert_eq!(threads, run.frontiers());
    assert!(run.atomic_lanes("color_dd", StateSpace::Shared) > 0);
}

#[test]
fn the_lanes_of_a_warp_of_colouring_wc_read_consecutive_neighbours_and_more_than_needed() {
    let vertices = 256;
    let complete = (0..vertices).flat_map(|a| (0..vertices).filter(move |&b| b != a).map(move |b| (a, b)));
    let graph = arcs(vertices.into(), complete);
    let (warps, threads) = (count("colouring-wc", &graph), count("colouring-topology", &graph));
    let (lanes, sectors) = neighbours(&warps, "color_wc");
    assert!(sectors * 6 < lanes, "{sectors} sectors for {lanes} neighbours");
    let (thread_lanes, thread_sectors) = neighbours(&threads, "color_mark");
    assert!(thread_sectors * 2 > thread_lanes, "{thread_sectors} sectors for {thread_lanes} neighbours");
    assert!(lanes > thread_lanes, "{lanes}, {thread_lanes}");
}

#[test]
fn colouring_push_sends_maxima_without_an_answer_four_arcs_at_a_time() {
    let run = count("colouring-push", &recipe(GRAPH));
    let atomics = run.atomics("color_push_max");
    assert_eq!(atomics.len(), 5, "four in the loop and one for what is left");
    for (operation, space, drops_answer, lanes) in atomics {
        assert_eq!((operation, space, drops_answer), (AtomicOperation::Maximum, StateSpace::Global, true));
        assert!(lanes > 0);
    }
}

#[test]
fn colouring_pull_has_no_atomics_and_one_store_for_each_uncoloured_vertex() {
    let run = count("colouring-pull", &recipe(GRAPH));
    assert_eq!(run.outcome.total(|report| report.classes.atomics[1]), 0);
    let stores: Vec<_> =
        run.launches("color_pull_max").iter().map(|report| Some(report.classes.global_stores[1])).collect();
    assert_eq!(stores, run.frontiers());
}
