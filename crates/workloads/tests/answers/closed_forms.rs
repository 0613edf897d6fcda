//! Graphs of which the answers are known by heart.

use super::shapes::{
    clique, complete_bipartite, cycle, directed, grid, path, petersen, star, undirected, weighted,
};
use heddle_graph::{Graph, Vertex};
use heddle_workloads::reference::bipartite::{self, Bipartite};
use heddle_workloads::reference::{
    betweenness, bfs, colouring, delta_stepping, dijkstra, mis, mst, pagerank, stcon, triangles, wcc,
};
use heddle_workloads::{UNREACHED, check};

fn members(graph: &Graph, seed: u64) -> usize {
    mis::greedy(graph, seed).iter().filter(|&&member| member).count()
}

fn odd_cycle_length(graph: &Graph) -> Option<usize> {
    let verdict = bipartite::sides(graph);
    assert_eq!(check::bipartite::verdict(graph, &verdict), Ok(()));
    match verdict {
        Bipartite::Sides(_) => None,
        Bipartite::OddCycle(cycle) => Some(cycle.len()),
    }
}

#[test]
fn depths() {
    assert_eq!(bfs::depths(&path(5), 1).unwrap(), [1, 0, 1, 2, 3]);
    assert_eq!(bfs::depths(&cycle(6), 0).unwrap(), [0, 1, 2, 3, 2, 1]);
    assert_eq!(bfs::depths(&petersen(), 0).unwrap(), [0, 1, 2, 2, 1, 1, 2, 2, 2, 2]);
    let manhattan: Vec<u32> = (0..30 * 40).map(|v| v / 40 + v % 40).collect();
    assert_eq!(bfs::depths(&grid(30, 40), 0).unwrap(), manhattan);
    assert_eq!(bfs::depths(&directed(3, [(0, 1), (2, 1)]), 0).unwrap(), [0, 1, UNREACHED]);
}

#[test]
fn distances() {
    // The long way round is lighter than the direct arc.
    let graph = weighted(4, [(0, 1, 10), (0, 2, 3), (2, 3, 0), (3, 1, 4), (1, 0, 1)]);
    for distances in
        [dijkstra::distances(&graph, 0).unwrap(), delta_stepping::distances(&graph, 0, None).unwrap()]
    {
        assert_eq!(distances, [0, 7, 3, 3]);
    }
}

#[test]
fn components() {
    let graph = directed(7, [(6, 3), (3, 6), (5, 1), (2, 1), (4, 4)]);
    assert_eq!(wcc::labels(&graph), [0, 1, 1, 3, 4, 1, 3]);
}

#[test]
fn ranks() {
    let settings = pagerank::Settings { tolerance: 1e-13, ..pagerank::Settings::default() };
    let ranks = |graph: &Graph| pagerank::ranks(graph, &settings).unwrap().ranks;
    // All vertices of a regular graph are alike.
    for graph in [cycle(7), clique(5), petersen()] {
        let even = 1.0 / f64::from(graph.num_vertices());
        assert!(ranks(&graph).iter().all(|rank| (rank - even).abs() < 1e-12));
    }
    // The middle of a star with n leaves: c = (1-d)/(n+1) + d n l and l = (1-d)/(n+1) + d c/n.
    let (n, d) = (9.0, 0.85);
    let middle = (1.0 - d) / (n + 1.0) * (1.0 + d * n) / (1.0 - d * d);
    assert!((ranks(&star(9))[0] - middle).abs() < 1e-12);
    // One arc into a dangling vertex: r0 = (1-d)/2 + d r1/2 and r0 + r1 = 1.
    let first = 0.5 / (1.0 + d / 2.0);
    assert!((ranks(&directed(2, [(0, 1)]))[0] - first).abs() < 1e-12);
}

#[test]
fn independent_sets() {
    for seed in 0..20 {
        assert_eq!(members(&clique(9), seed), 1);
        assert!(matches!(members(&star(50), seed), 1 | 50));
        assert!(matches!(members(&complete_bipartite(3, 8), seed), 3 | 8));
        assert!((3..=4).contains(&members(&petersen(), seed)));
        assert!((4..=6).contains(&members(&cycle(12), seed)));
    }
}

#[test]
fn colours() {
    let count = |graph: &Graph| colouring::greedy(graph, 1).count;
    assert_eq!(count(&clique(40)), 40);
    assert_eq!(count(&star(1000)), 2);
    assert_eq!(count(&complete_bipartite(4, 9)), 2);
    assert_eq!(count(&cycle(9)), 3);
    assert!((3..=4).contains(&count(&petersen())));
    assert!(count(&grid(50, 50)) <= 5);
}

#[test]
fn centralities() {
    // Each pair is counted in both directions.
    let middle = |vertex: f64, n: f64| 2.0 * vertex * (n - 1.0 - vertex);
    let expected: Vec<f64> = (0..7).map(|v| middle(f64::from(v), 7.0)).collect();
    assert_eq!(betweenness::exact(&path(7)), expected);
    assert_eq!(betweenness::exact(&clique(6)), [0.0; 6]);
    assert_eq!(betweenness::exact(&star(10))[0], 90.0);
    // Every vertex of Petersen's graph is the one midpoint of 3 pairs.
    assert_eq!(betweenness::exact(&petersen()), [6.0; 10]);
    // In K(2,n) the two share n(n-1) ordered pairs; the n share the pair of the two, both ways.
    let expected: Vec<f64> = [6.0, 6.0].into_iter().chain([0.5; 4]).collect();
    assert_eq!(betweenness::exact(&complete_bipartite(2, 4)), expected);
    // One of two ways has its arc doubled: two of three paths.
    let graph = directed(4, [(0, 1), (0, 1), (1, 3), (0, 2), (2, 3)]);
    let shares = betweenness::centrality(&graph, &[0]).unwrap();
    assert_eq!(
        check::betweenness::centrality(&graph, &[0], &[0.0, 2.0 / 3.0, 1.0 / 3.0, 0.0], 1e-15),
        Ok(())
    );
    assert_eq!(shares[3], 0.0);
}

#[test]
fn more_paths_than_a_float_can_count() {
    // Every arc twice: 2^1999 paths from end to end, and all pass through every vertex between.
    let arcs = (0..1999u32).flat_map(|v| [(v, v + 1); 2]);
    let centrality = betweenness::centrality(&directed(2000, arcs), &[0]).unwrap();
    let after: Vec<f64> = (0..2000).map(|v| if v == 0 { 0.0 } else { f64::from(1999 - v) }).collect();
    assert!(centrality == after);
}

#[test]
fn forests() {
    let tree = |graph: &Graph| {
        let forest = mst::forest(graph);
        (forest.weight, forest.trees)
    };
    assert_eq!(tree(&clique(10)), (9, 1));
    assert_eq!(tree(&grid(4, 5)), (19, 1));
    assert_eq!(tree(&undirected(6, [(0, 1), (1, 2), (2, 0), (4, 5)])), (3, 3));
    // Directions do not matter, the lighter of two parallel arcs does, loops do not.
    let graph = weighted(3, [(0, 1, 8), (1, 0, 5), (2, 1, 7), (0, 2, 6), (2, 2, 0)]);
    assert_eq!(mst::forest(&graph).edges, [(0, 1), (0, 2)]);
    assert_eq!(tree(&graph), (11, 1));
    assert_eq!(tree(&weighted(2, [(0, 1, u32::MAX)])), (u64::from(u32::MAX), 1));
}

#[test]
fn paths() {
    assert_eq!(stcon::path(&path(6), 1, 4).unwrap().unwrap(), [1, 2, 3, 4]);
    assert_eq!(stcon::path(&path(6), 3, 3).unwrap().unwrap(), [3]);
    assert_eq!(stcon::path(&grid(10, 10), 0, 99).unwrap().unwrap().len(), 19);
    let one_way = directed(3, [(0, 1), (1, 2)]);
    assert_eq!(stcon::path(&one_way, 0, 2).unwrap().unwrap(), [0, 1, 2]);
    assert_eq!(stcon::path(&one_way, 2, 0).unwrap(), None);
}

#[test]
fn triangle_counts() {
    assert_eq!(triangles::count(&clique(20)), 20 * 19 * 18 / 6);
    assert_eq!(triangles::count(&cycle(3)), 1);
    for graph in [petersen(), cycle(8), grid(6, 6), complete_bipartite(5, 5), star(9)] {
        assert_eq!(triangles::count(&graph), 0);
    }
    // Both orientations, doubled arcs and loops make no difference.
    assert_eq!(triangles::count(&directed(3, [(0, 1), (2, 1), (0, 2), (0, 1), (1, 0), (1, 1)])), 1);
}

#[test]
fn odd_cycles() {
    for graph in [path(9), cycle(10), grid(5, 6), star(8), complete_bipartite(4, 4)] {
        assert_eq!(odd_cycle_length(&graph), None);
    }
    assert_eq!(odd_cycle_length(&cycle(9)), Some(9));
    assert_eq!(odd_cycle_length(&clique(5)), Some(3));
    assert_eq!(odd_cycle_length(&petersen()), Some(5));
    assert_eq!(odd_cycle_length(&directed(3, [(0, 1), (2, 2)])), Some(1));
    // A tail in front of the cycle is not part of the witness.
    let tail_and_cycle: Vec<(Vertex, Vertex)> = (0..20).map(|v| (v, v + 1)).chain([(20, 14)]).collect();
    assert_eq!(odd_cycle_length(&undirected(21, tail_and_cycle)), Some(7));
}
