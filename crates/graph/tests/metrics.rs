//! Metrics against closed forms, against naive versions, and with several numbers of threads.

use crate::common::*;
use heddle_graph::metrics::{self, UNREACHED, diameter};
use heddle_graph::{Csr, Graph, Vertex};
use proptest::prelude::*;
use std::collections::{BTreeMap, VecDeque};

#[test]
fn a_clique_is_flat() {
    let graph = clique(20);
    let degrees = metrics::degree_statistics(graph.out_edges());
    assert_eq!((degrees.min, degrees.max, degrees.median, degrees.p99, degrees.zero), (19, 19, 19, 19, 0));
    assert_eq!((degrees.mean, degrees.standard_deviation), (19.0, 0.0));
    assert_eq!(metrics::bfs_levels(graph.out_edges(), 7).frontier_sizes, [1, 19]);
    assert_eq!(metrics::weakly_connected(graph.out_edges()).count, 1);
    assert_eq!(diameter::estimate(&graph).lower_bound, 1);
    assert!(metrics::is_symmetric(graph.out_edges()));
    assert_eq!(metrics::duplicates(graph.out_edges()), 0);
}

#[test]
fn a_cycle_is_half_as_deep_as_it_is_long() {
    for n in [3u32, 4, 9, 1000] {
        let estimate = diameter::estimate(&cycle(n));
        assert_eq!(estimate.lower_bound, n / 2, "{n}");
        assert!(estimate.upper_bound >= n / 2);
        let levels = metrics::bfs_levels(cycle(n).out_edges(), 0);
        assert_eq!((levels.depth, levels.reached, levels.farthest), (n / 2, n.into(), n / 2));
    }
}

#[test]
fn a_path_and_a_star_are_measured_exactly() {
    let long = diameter::estimate(&path(10_001));
    assert_eq!((long.lower_bound, long.upper_bound), (10_000, 10_000));
    let graph = star(1000);
    let estimate = diameter::estimate(&graph);
    assert_eq!((estimate.lower_bound, estimate.upper_bound), (2, 2));
    let degrees = metrics::degree_statistics(graph.out_edges());
    assert_eq!((degrees.min, degrees.max, degrees.p99), (1, 1000, 1));
    let buckets = metrics::degree_histogram(graph.out_edges()).buckets;
    assert_eq!((buckets[1].vertices, buckets[10].low, buckets[10].vertices), (1000, 512, 1));
}

#[test]
fn a_grid_is_as_wide_as_its_sides_together() {
    let graph = grid(60, 35);
    let estimate = diameter::estimate(&graph);
    assert_eq!(estimate.lower_bound, 59 + 34);
    assert_eq!(metrics::bfs_levels(graph.out_edges(), 0).depth, 59 + 34);
}

#[test]
fn one_vertex_and_none_have_figures() {
    let one = Graph::undirected(Csr::empty(1));
    assert_eq!(metrics::bfs_depths(one.out_edges(), 0), [0]);
    assert_eq!(metrics::weakly_connected(one.out_edges()).largest, 1);
    let none = Csr::empty(0);
    assert_eq!((metrics::self_loops(&none), metrics::duplicates(&none)), (0, 0));
    assert!(metrics::is_symmetric(&none));
}

#[test]
fn a_very_deep_graph_is_searched_in_linear_time() {
    // Work of O(V) per level would be 10^12 steps here.
    let levels = metrics::bfs_levels(path(1 << 20).out_edges(), 0);
    assert_eq!((levels.depth, levels.farthest), ((1 << 20) - 1, (1 << 20) - 1));
}

#[test]
fn threads_change_no_figure() {
    let graph = large_directed();
    let csr = graph.out_edges();
    let all = || {
        (
            metrics::degree_statistics(csr),
            metrics::degree_histogram(csr),
            (metrics::self_loops(csr), metrics::duplicates(csr), metrics::is_symmetric(csr)),
            metrics::weakly_connected(csr),
            (metrics::bfs_depths(csr, 77), metrics::bfs_levels(csr, 77)),
            diameter::estimate(&graph),
            metrics::classify(csr, &Default::default()),
        )
    };
    let one = with_threads(1, all);
    assert!(one.4.1.frontier_sizes.iter().any(|&size| size > 1 << 13), "{:?}", one.4.1);
    assert_eq!(with_threads(2, all), one);
    assert_eq!(with_threads(5, all), one);
}

fn naive_depths(csr: &Csr, source: Vertex) -> Vec<u32> {
    let mut depths = vec![UNREACHED; csr.num_vertices() as usize];
    depths[source as usize] = 0;
    let mut queue = VecDeque::from([source]);
    while let Some(vertex) = queue.pop_front() {
        for &target in csr.neighbours(vertex) {
            if depths[target as usize] == UNREACHED {
                depths[target as usize] = depths[vertex as usize] + 1;
                queue.push_back(target);
            }
        }
    }
    depths
}

fn naive_labels(csr: &Csr) -> Vec<Vertex> {
    let mut labels: Vec<Vertex> = csr.vertices().collect();
    // Every round hands the smaller label over each arc; after V rounds nothing changes any more.
    for _ in csr.vertices() {
        for (source, target) in csr.arcs() {
            let label = labels[source as usize].min(labels[target as usize]);
            (labels[source as usize], labels[target as usize]) = (label, label);
        }
    }
    labels
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn depths_equal_those_of_a_queue(graph in small_graph()) {
        let csr = graph.out_edges();
        for source in csr.vertices() {
            let depths = metrics::bfs_depths(csr, source);
            prop_assert_eq!(&depths, &naive_depths(csr, source));
            let levels = metrics::bfs_levels(csr, source);
            let reached: Vec<u32> = depths.iter().copied().filter(|&depth| depth != UNREACHED).collect();
            prop_assert_eq!(levels.reached, reached.len() as u64);
            prop_assert_eq!(Some(&levels.depth), reached.iter().max());
            let farthest = depths.iter().position(|&depth| depth == levels.depth);
            prop_assert_eq!(Some(levels.farthest as usize), farthest);
            prop_assert_eq!(levels.iterations(), u64::from(levels.depth) + 1);
        }
    }

    #[test]
    fn components_equal_label_propagation(graph in small_graph()) {
        let components = metrics::weakly_connected(graph.out_edges());
        prop_assert_eq!(&components.labels, &naive_labels(graph.out_edges()));
        let mut sizes = BTreeMap::new();
        components.labels.iter().for_each(|&label| *sizes.entry(label).or_insert(0u64) += 1);
        prop_assert_eq!(components.count, sizes.len() as u64);
        prop_assert_eq!(Some(&components.largest), sizes.values().max());
        prop_assert_eq!(sizes[&components.largest_label], components.largest);
    }

    #[test]
    fn multiplicities_equal_a_count_of_pairs(graph in small_graph()) {
        let csr = graph.out_edges();
        let mut counts: BTreeMap<(Vertex, Vertex), u64> = BTreeMap::new();
        csr.arcs().for_each(|arc| *counts.entry(arc).or_default() += 1);
        prop_assert_eq!(metrics::duplicates(csr), csr.num_arcs() - counts.len() as u64);
        prop_assert_eq!(metrics::self_loops(csr), csr.arcs().filter(|(a, b)| a == b).count() as u64);
        let symmetric = counts.iter().all(|(&(a, b), count)| counts.get(&(b, a)) == Some(count));
        prop_assert_eq!(metrics::is_symmetric(csr), symmetric);
        prop_assert!(graph.is_directed() || symmetric);
    }

    #[test]
    fn the_diameter_lies_between_its_bounds(graph in small_graph()) {
        let components = metrics::weakly_connected(graph.out_edges());
        let both_ways = graph.out_edges().arcs().flat_map(|(a, b)| [(a, b), (b, a)]);
        let both_ways = directed(graph.num_vertices().into(), both_ways);
        let members = both_ways.out_edges().vertices();
        let members = members.filter(|&v| components.labels[v as usize] == components.largest_label);
        let depth = |v| metrics::bfs_levels(both_ways.out_edges(), v).depth;
        let diameter = members.map(depth).max().unwrap();
        let estimate = diameter::estimate(&graph);
        prop_assert!(estimate.lower_bound <= diameter && diameter <= estimate.upper_bound);
        let (from, to) = estimate.ends.unwrap();
        let apart = metrics::bfs_depths(both_ways.out_edges(), from)[to as usize];
        prop_assert_eq!(apart, estimate.lower_bound);
    }

    #[test]
    fn the_diameter_of_a_tree_is_exact(parents in prop::collection::vec(any::<u32>(), 0..60)) {
        let edges = (1..).zip(&parents).map(|(child, parent): (u32, _)| (child, parent % child));
        let graph = undirected(parents.len() as u64 + 1, edges);
        let depth = |v| metrics::bfs_levels(graph.out_edges(), v).depth;
        let estimate = diameter::estimate(&graph);
        prop_assert_eq!(Some(estimate.lower_bound), graph.out_edges().vertices().map(depth).max());
    }

    #[test]
    fn percentiles_equal_those_of_the_sorted_degrees(graph in small_graph()) {
        let csr = graph.out_edges();
        let mut degrees: Vec<u64> = csr.vertices().map(|v| csr.degree(v)).collect();
        degrees.sort_unstable();
        let statistics = metrics::degree_statistics(csr);
        // The smallest degree that the given share of the vertices does not exceed.
        let nearest_rank = |percent: u64| degrees.iter().copied().find(|&degree| {
            let within = degrees.iter().filter(|&&other| other <= degree).count() as u64;
            within * 100 >= percent * degrees.len() as u64
        });
        prop_assert_eq!(Some(statistics.median), nearest_rank(50));
        prop_assert_eq!(Some(statistics.p90), nearest_rank(90));
        prop_assert_eq!(Some(statistics.p99), nearest_rank(99));
        let histogram = metrics::degree_histogram(csr);
        for bucket in &histogram.buckets {
            let within = degrees.iter().filter(|&&degree| bucket.low <= degree && degree <= bucket.high);
            prop_assert_eq!(bucket.vertices, within.count() as u64);
        }
        prop_assert_eq!(histogram.buckets.iter().map(|bucket| bucket.vertices).sum::<u64>(), degrees.len() as u64);
    }
}
