//! The smallest graphs, the most lopsided ones, and questions about vertices that do not exist.

use super::shapes::{directed, empty, path, star, weighted};
use heddle_graph::Graph;
use heddle_workloads::reference::bipartite::{self, Bipartite};
use heddle_workloads::reference::dijkstra::FAR;
use heddle_workloads::reference::{
    betweenness, bfs, colouring, delta_stepping, dijkstra, mis, mst, pagerank, stcon, triangles, wcc,
};
use heddle_workloads::{NoSuchVertex, check};
use std::num::NonZeroU64;

#[test]
fn a_graph_without_vertices_has_empty_answers() {
    let graph = empty(0);
    assert!(wcc::labels(&graph).is_empty());
    assert!(pagerank::ranks(&graph, &pagerank::Settings::default()).unwrap().ranks.is_empty());
    assert!(mis::greedy(&graph, 1).is_empty());
    assert_eq!(colouring::greedy(&graph, 1).count, 0);
    assert!(betweenness::exact(&graph).is_empty());
    assert_eq!(mst::forest(&graph).trees, 0);
    assert_eq!(triangles::count(&graph), 0);
    assert_eq!(bipartite::sides(&graph), Bipartite::Sides(vec![]));
    assert_eq!(delta_stepping::default_delta(&graph), NonZeroU64::MIN);
    assert_eq!(check::wcc::labels(&graph, &[]), Ok(()));
    assert_eq!(check::pagerank::ranks(&graph, 0.85, &[], 0.0), Ok(()));
    assert_eq!(check::mis::set(&graph, &[]), Ok(()));
    assert_eq!(check::colouring::colours(&graph, &[]), Ok(()));
    assert_eq!(check::mst::edges(&graph, &[]), Ok(()));
}

#[test]
fn a_source_that_does_not_exist_is_an_error() {
    let graph = path(3);
    let error = NoSuchVertex { vertex: 3, vertices: 3 };
    assert_eq!(bfs::depths(&graph, 3), Err(error));
    assert_eq!(dijkstra::distances(&graph, 3), Err(error));
    assert_eq!(delta_stepping::distances(&graph, 3, None), Err(error));
    assert_eq!(betweenness::centrality(&graph, &[0, 3]), Err(error));
    assert_eq!(stcon::path(&graph, 0, 3), Err(error));
    assert_eq!(stcon::path(&graph, 3, 0), Err(error));
    assert!(check::bfs::depths(&graph, 3, &[0; 3]).is_err());
    assert!(check::bfs::parents(&graph, u32::MAX, &[0; 3]).is_err());
    assert!(check::sssp::distances(&graph, 3, &[0; 3]).is_err());
    assert!(check::sssp::parents(&graph, 3, &[0; 3]).is_err());
    assert!(check::betweenness::centrality(&graph, &[7], &[0.0; 3], 1.0).is_err());
    assert!(check::stcon::path(&graph, 0, 9, None).is_err());
    assert_eq!(bfs::depths(&empty(0), 0), Err(NoSuchVertex { vertex: 0, vertices: 0 }));
}

#[test]
fn one_vertex_with_a_loop() {
    for graph in [directed(1, [(0, 0), (0, 0)]), Graph::undirected(directed(1, [(0, 0)]).into_out_edges())] {
        assert_eq!(bfs::depths(&graph, 0).unwrap(), [0]);
        assert_eq!(dijkstra::distances(&graph, 0).unwrap(), [0]);
        assert_eq!(wcc::labels(&graph), [0]);
        assert_eq!(pagerank::ranks(&graph, &pagerank::Settings::default()).unwrap().ranks, [1.0]);
        assert_eq!(mis::greedy(&graph, 3), [true]);
        assert_eq!(colouring::greedy(&graph, 3).colours, [0]);
        assert_eq!(betweenness::exact(&graph), [0.0]);
        assert_eq!(mst::forest(&graph).trees, 1);
        assert_eq!(triangles::count(&graph), 0);
        assert_eq!(bipartite::sides(&graph), Bipartite::OddCycle(vec![0]));
    }
}

#[test]
fn a_star_of_a_hundred_thousand_leaves() {
    let graph = star(100_000);
    let depths = bfs::depths(&graph, 5).unwrap();
    assert_eq!((depths[0], depths[5], depths[6]), (1, 0, 2));
    assert_eq!(delta_stepping::distances(&graph, 5, None), dijkstra::distances(&graph, 5));
    let mut parents = vec![0; 100_001];
    assert_eq!(check::bfs::parents(&graph, 0, &parents), Ok(()));
    parents[7] = 8;
    assert!(check::sssp::parents(&graph, 0, &parents).is_err());
    assert_eq!(check::mis::set(&graph, &mis::greedy(&graph, 1)), Ok(()));
    assert_eq!(colouring::greedy(&graph, 1).count, 2);
    assert_eq!(betweenness::centrality(&graph, &[0, 1]).unwrap()[0], 99_999.0);
    let forest = mst::forest(&graph);
    assert_eq!((forest.weight, forest.trees), (100_000, 1));
    assert_eq!(check::mst::edges(&graph, &forest.edges), Ok(()));
    assert_eq!(stcon::path(&graph, 17, 99_999).unwrap().unwrap(), [17, 0, 99_999]);
    assert_eq!(triangles::count(&graph), 0);
    assert!(matches!(bipartite::sides(&graph), Bipartite::Sides(_)));
    let ranks = pagerank::ranks(&graph, &pagerank::Settings::default()).unwrap().ranks;
    assert_eq!(check::pagerank::ranks(&graph, 0.85, &ranks, 1e-6), Ok(()));
}

#[test]
fn a_long_path() {
    let graph = path(200_000);
    let depths: Vec<u32> = (0..200_000).collect();
    assert_eq!(check::bfs::depths(&graph, 0, &depths), Ok(()));
    let parents: Vec<u32> = (0..200_000u32).map(|v| v.saturating_sub(1)).collect();
    assert_eq!(check::sssp::parents(&graph, 0, &parents), Ok(()));
    assert_eq!(delta_stepping::distances(&graph, 0, None), dijkstra::distances(&graph, 0));
    assert_eq!(stcon::path(&graph, 0, 199_999).unwrap().unwrap(), depths);
    assert_eq!(wcc::labels(&graph), vec![0; 200_000]);
    assert!(colouring::greedy(&graph, 1).count <= 3);
    assert_eq!(check::mis::set(&graph, &mis::greedy(&graph, 1)), Ok(()));
    let sides = (0..200_000).map(|v| v % 2 == 1).collect();
    assert_eq!(bipartite::sides(&graph), Bipartite::Sides(sides));
}

#[test]
fn the_longest_distance_does_not_overflow() {
    let graph = weighted(4, [(0, 1, u32::MAX), (1, 2, u32::MAX), (2, 0, u32::MAX)]);
    let distances = [0, u64::from(u32::MAX), 2 * u64::from(u32::MAX), FAR];
    assert_eq!(dijkstra::distances(&graph, 0).unwrap(), distances);
    for delta in [1, 1 << 20, u64::MAX] {
        assert_eq!(delta_stepping::distances(&graph, 0, NonZeroU64::new(delta)).unwrap(), distances);
    }
}

#[test]
fn arcs_of_weight_zero_are_no_circle() {
    let graph = weighted(4, [(0, 1, 5), (1, 2, 0), (2, 1, 0), (2, 3, 0), (3, 3, 0)]);
    assert_eq!(dijkstra::distances(&graph, 0).unwrap(), [0, 5, 5, 5]);
    assert_eq!(delta_stepping::distances(&graph, 0, None).unwrap(), [0, 5, 5, 5]);
    assert_eq!(check::sssp::parents(&graph, 0, &[0, 0, 1, 2]), Ok(()));
    // Every step is as short as it must be, and yet nobody comes from the source.
    assert_eq!(check::sssp::parents(&graph, 0, &[0, 2, 1, 2]), Err(check::WrongTree::Circle { vertex: 1 }));
    assert_eq!(check::sssp::parents(&graph, 0, &[0, 0, 1, 3]), Err(check::WrongTree::Circle { vertex: 3 }));
}

#[test]
fn a_false_claim_to_be_undirected_does_not_hang() {
    // Only the arcs against the order of the trees are held.
    let arcs = directed(6, [(3, 0), (4, 3), (4, 1), (5, 4), (5, 3), (2, 5)]).into_out_edges();
    let graph = Graph::undirected(arcs);
    bipartite::sides(&graph);
    mis::greedy(&graph, 1);
    colouring::greedy(&graph, 1);
    stcon::path(&graph, 5, 0).unwrap();
    triangles::count(&graph);
}
