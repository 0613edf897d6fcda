//! Every reference answer on small random graphs equals its definition.

use super::any_graph::{any_graph, graph_and_two_vertices};
use super::brute_force::{self, size};
use heddle_graph::Vertex;
use heddle_workloads::reference::bipartite::{self, Bipartite};
use heddle_workloads::reference::dijkstra::FAR;
use heddle_workloads::reference::{
    betweenness, bfs, colouring, delta_stepping, dijkstra, mis, mst, pagerank, stcon, triangles, wcc,
};
use heddle_workloads::{UNREACHED, check};
use proptest::prelude::*;
use std::num::NonZeroU64;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn depths_and_distances_equal_floyd_and_warshall(
        (graph, source, _) in graph_and_two_vertices(9),
        delta in 1..20u64,
    ) {
        let depths: Vec<u64> = bfs::depths(&graph, source).unwrap().into_iter()
            .map(|depth| if depth == UNREACHED { FAR } else { depth.into() }).collect();
        prop_assert_eq!(&depths, &brute_force::distances(&graph, false)[source as usize]);
        let distances = dijkstra::distances(&graph, source).unwrap();
        prop_assert_eq!(&distances, &brute_force::distances(&graph, true)[source as usize]);
        for delta in [None, NonZeroU64::new(delta)] {
            prop_assert_eq!(&delta_stepping::distances(&graph, source, delta).unwrap(), &distances);
        }
    }

    #[test]
    fn a_label_is_the_smallest_vertex_that_is_joined(graph in any_graph(9)) {
        let joined = brute_force::joined(&graph);
        let expected: Vec<Vertex> =
            joined.iter().map(|row| row.iter().position(|&joined| joined).unwrap() as Vertex).collect();
        prop_assert_eq!(wcc::labels(&graph), expected);
    }

    #[test]
    fn ranks_solve_the_equations(graph in any_graph(8), damping in 0.0..0.95f64) {
        let settings = pagerank::Settings { damping, tolerance: 1e-13, iterations_max: 10_000 };
        let answer = pagerank::ranks(&graph, &settings).unwrap();
        prop_assert!(answer.residual <= 1e-13);
        for (found, expected) in answer.ranks.iter().zip(brute_force::pagerank(&graph, damping)) {
            prop_assert!((found - expected).abs() < 1e-11, "{found} {expected}");
        }
        prop_assert!((answer.ranks.iter().sum::<f64>() - 1.0).abs() < 1e-11);
    }

    #[test]
    fn the_independent_set_is_one(graph in any_graph(9), seed: u64) {
        let set = mis::greedy(&graph, seed);
        prop_assert!(brute_force::is_maximal_independent(&graph, &set));
        prop_assert_eq!(check::mis::set(&graph, &set), Ok(()));
    }

    #[test]
    fn the_colouring_is_proper_and_frugal(graph in any_graph(9), seed: u64) {
        let answer = colouring::greedy(&graph, seed);
        let near = brute_force::neighbours(&graph);
        let n = size(&graph);
        let differ = |a: usize, b: usize| !near[a][b] || answer.colours[a] != answer.colours[b];
        prop_assert!((0..n).all(|a| (0..n).all(|b| differ(a, b))));
        let degree_max = near.iter().map(|row| row.iter().filter(|&&near| near).count()).max().unwrap();
        prop_assert!(answer.count as usize <= degree_max + 1);
        prop_assert_eq!(answer.count, answer.colours.iter().max().unwrap() + 1);
        prop_assert_eq!(check::colouring::colours(&graph, &answer.colours), Ok(()));
    }

    #[test]
    fn betweenness_is_the_sum_of_shares(
        graph in any_graph(8),
        picks in proptest::collection::vec(0..8u32, 0..10),
    ) {
        let sources: Vec<Vertex> = picks.into_iter().map(|pick| pick % graph.num_vertices()).collect();
        let all: Vec<Vertex> = graph.out_edges().vertices().collect();
        let sampled = (betweenness::centrality(&graph, &sources).unwrap(), sources);
        for (found, sources) in [sampled, (betweenness::exact(&graph), all)] {
            for (found, expected) in found.iter().zip(brute_force::betweenness(&graph, &sources)) {
                prop_assert!((found - expected).abs() <= 1e-12 * expected.max(1.0), "{found} {expected}");
            }
        }
    }

    #[test]
    fn the_forest_weighs_what_prim_finds(graph in any_graph(9)) {
        let forest = mst::forest(&graph);
        prop_assert_eq!((forest.weight, forest.trees), brute_force::forest(&graph));
        prop_assert_eq!(forest.edges.len() as u32 + forest.trees, graph.num_vertices());
        prop_assert_eq!(check::mst::edges(&graph, &forest.edges), Ok(()));
    }

    #[test]
    fn a_path_is_found_exactly_if_there_is_one_and_is_shortest((graph, s, t) in graph_and_two_vertices(9)) {
        let path = stcon::path(&graph, s, t).unwrap();
        let length = path.as_ref().map_or(FAR, |path| path.len() as u64 - 1);
        prop_assert_eq!(length, brute_force::distances(&graph, false)[s as usize][t as usize]);
        prop_assert_eq!(check::stcon::path(&graph, s, t, path.as_deref()), Ok(()));
    }

    #[test]
    fn triangles_are_counted_once(graph in any_graph(9)) {
        prop_assert_eq!(triangles::count(&graph), brute_force::triangles(&graph));
    }

    #[test]
    fn a_graph_is_bipartite_exactly_if_some_sides_fit(graph in any_graph(7)) {
        let verdict = bipartite::sides(&graph);
        let expected = brute_force::subsets(&graph).any(|sides| brute_force::fits(&graph, &sides));
        prop_assert_eq!(matches!(verdict, Bipartite::Sides(_)), expected);
        prop_assert_eq!(check::bipartite::verdict(&graph, &verdict), Ok(()));
    }
}
