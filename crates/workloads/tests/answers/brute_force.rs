//! The definitions, spelled out over matrices. Slow, and too simple to be wrong in the same way.

use heddle_graph::{Graph, Vertex};
use heddle_workloads::reference::dijkstra::FAR;

pub(crate) type Matrix<T> = Vec<Vec<T>>;

pub(crate) fn size(graph: &Graph) -> usize {
    graph.num_vertices() as usize
}

/// How many arcs lead from one vertex to another.
pub(crate) fn multiplicities(graph: &Graph) -> Matrix<u64> {
    let mut matrix = vec![vec![0; size(graph)]; size(graph)];
    graph.out_edges().arcs().for_each(|(a, b)| matrix[a as usize][b as usize] += 1);
    matrix
}

/// Whether two different vertices are neighbours, directions aside.
pub(crate) fn neighbours(graph: &Graph) -> Matrix<bool> {
    let arcs = multiplicities(graph);
    let n = size(graph);
    (0..n).map(|a| (0..n).map(|b| a != b && arcs[a][b] + arcs[b][a] > 0).collect()).collect()
}

/// Floyd and Warshall; without `weighted` every arc is one long.
pub(crate) fn distances(graph: &Graph, weighted: bool) -> Matrix<u64> {
    let n = size(graph);
    let mut distances = vec![vec![FAR; n]; n];
    for v in graph.out_edges().vertices() {
        for (target, weight) in graph.out_edges().weighted_neighbours(v) {
            let place = &mut distances[v as usize][target as usize];
            *place = (*place).min(if weighted { u64::from(weight) } else { 1 });
        }
    }
    (0..n).for_each(|v| distances[v][v] = 0);
    for middle in 0..n {
        for from in 0..n {
            for to in 0..n {
                let through = distances[from][middle].saturating_add(distances[middle][to]);
                distances[from][to] = distances[from][to].min(through);
            }
        }
    }
    distances
}

/// Whether two vertices are in one component.
pub(crate) fn joined(graph: &Graph) -> Matrix<bool> {
    let n = size(graph);
    let mut joined = neighbours(graph);
    (0..n).for_each(|v| joined[v][v] = true);
    for middle in 0..n {
        for from in 0..n {
            for to in 0..n {
                joined[from][to] |= joined[from][middle] && joined[middle][to];
            }
        }
    }
    joined
}

/// Number of shortest paths between all pairs: entry (s, t) of the power `distance(s, t)` of the matrix of
/// multiplicities.
fn path_counts(graph: &Graph, distances: &Matrix<u64>) -> Matrix<f64> {
    let n = size(graph);
    let arcs = multiplicities(graph);
    let mut walks: Matrix<u64> = (0..n).map(|a| (0..n).map(|b| u64::from(a == b)).collect()).collect();
    let mut counts = vec![vec![0.0; n]; n];
    for length in 0..n as u64 {
        for s in 0..n {
            for t in 0..n {
                if distances[s][t] == length {
                    counts[s][t] = walks[s][t] as f64;
                }
            }
        }
        let step = |s: usize, t: usize| (0..n).map(|v| walks[s][v] * arcs[v][t]).sum();
        walks = (0..n).map(|s| (0..n).map(|t| step(s, t)).collect()).collect();
    }
    counts
}

/// Betweenness by its definition.
pub(crate) fn betweenness(graph: &Graph, sources: &[Vertex]) -> Vec<f64> {
    let n = size(graph);
    let distances = distances(graph, false);
    let counts = path_counts(graph, &distances);
    let mut centrality = vec![0.0; n];
    for &s in sources {
        let s = s as usize;
        for t in (0..n).filter(|&t| t != s && distances[s][t] != FAR) {
            for v in (0..n).filter(|&v| v != s && v != t) {
                if distances[s][v].saturating_add(distances[v][t]) == distances[s][t] {
                    centrality[v] += counts[s][v] * counts[v][t] / counts[s][t];
                }
            }
        }
    }
    centrality
}

/// PageRank as the solution of its linear equations, by Gauss and Jordan.
pub(crate) fn pagerank(graph: &Graph, damping: f64) -> Vec<f64> {
    let n = size(graph);
    let arcs = multiplicities(graph);
    // Row v: rank(v) - damping * sum over u of rank(u) * chance(u to v) = (1 - damping) / n.
    let chance = |u: usize, v: usize| {
        let degree: u64 = arcs[u].iter().sum();
        if degree == 0 { 1.0 / n as f64 } else { arcs[u][v] as f64 / degree as f64 }
    };
    let coefficient = |v: usize, u: usize| f64::from(u8::from(u == v)) - damping * chance(u, v);
    let mut rows: Matrix<f64> = (0..n)
        .map(|v| (0..n).map(|u| coefficient(v, u)).chain([(1.0 - damping) / n as f64]).collect())
        .collect();
    for pivot in 0..n {
        // The columns of the matrix are diagonally dominant, so no exchange of rows is needed.
        let scale = rows[pivot][pivot];
        rows[pivot].iter_mut().for_each(|entry| *entry /= scale);
        let pivot_row = rows[pivot].clone();
        for row in (0..n).filter(|&row| row != pivot) {
            let factor = rows[row][pivot];
            rows[row].iter_mut().zip(&pivot_row).for_each(|(entry, p)| *entry -= factor * p);
        }
    }
    rows.into_iter().map(|row| row[n]).collect()
}

/// The lightest edge between two different vertices.
pub(crate) fn lightest_edges(graph: &Graph) -> Matrix<Option<u64>> {
    let n = size(graph);
    let mut lightest: Matrix<Option<u64>> = vec![vec![None; n]; n];
    for v in graph.out_edges().vertices() {
        for (target, weight) in graph.out_edges().weighted_neighbours(v).filter(|&(t, _)| t != v) {
            for (a, b) in [(v, target), (target, v)] {
                let place = &mut lightest[a as usize][b as usize];
                *place = Some(place.unwrap_or(u64::MAX).min(u64::from(weight)));
            }
        }
    }
    lightest
}

/// Weight and number of trees of a minimum spanning forest, by Prim's algorithm.
pub(crate) fn forest(graph: &Graph) -> (u64, u32) {
    let n = size(graph);
    let lightest = lightest_edges(graph);
    let mut inside = vec![false; n];
    let (mut weight, mut trees) = (0, 0);
    while let Some(root) = inside.iter().position(|&inside| !inside) {
        inside[root] = true;
        trees += 1;
        let crossing = |inside: &[bool]| {
            let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
            let pairs = pairs.filter(|&(a, b)| inside[a] && !inside[b]);
            pairs.filter_map(|(a, b)| lightest[a][b].map(|weight| (weight, b))).min()
        };
        while let Some((lightest, vertex)) = crossing(&inside) {
            inside[vertex] = true;
            weight += lightest;
        }
    }
    (weight, trees)
}

pub(crate) fn triangles(graph: &Graph) -> u64 {
    let n = size(graph);
    let near = neighbours(graph);
    let mut count = 0;
    for a in 0..n {
        for b in a + 1..n {
            count += (b + 1..n).filter(|&c| near[a][b] && near[b][c] && near[a][c]).count() as u64;
        }
    }
    count
}

/// Whether every edge, self-loops included, joins the two sides.
pub(crate) fn fits(graph: &Graph, sides: &[bool]) -> bool {
    graph.out_edges().arcs().all(|(a, b)| sides[a as usize] != sides[b as usize])
}

/// All subsets of the vertices.
pub(crate) fn subsets(graph: &Graph) -> impl Iterator<Item = Vec<bool>> {
    let n = size(graph);
    (0..1u32 << n).map(move |bits| (0..n).map(|v| bits >> v & 1 == 1).collect())
}

/// Whether a set is independent and maximal.
pub(crate) fn is_maximal_independent(graph: &Graph, set: &[bool]) -> bool {
    let near = neighbours(graph);
    let n = size(graph);
    let touched = |v: usize| (0..n).any(|other| near[v][other] && set[other]);
    (0..n).all(|v| set[v] != touched(v))
}
