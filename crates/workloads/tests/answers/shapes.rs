//! Graphs whose answers are known in closed form. All are undirected unless they say otherwise.

use heddle_graph::build::{from_arcs, from_undirected_arcs};
use heddle_graph::{Graph, Vertex, Weight};

pub(crate) fn undirected(vertices: u32, edges: impl IntoIterator<Item = (Vertex, Vertex)>) -> Graph {
    Graph::undirected(from_undirected_arcs(&edges.into_iter().collect(), u64::from(vertices)).unwrap())
}

pub(crate) fn directed(vertices: u32, arcs: impl IntoIterator<Item = (Vertex, Vertex)>) -> Graph {
    Graph::directed(from_arcs(&arcs.into_iter().collect(), u64::from(vertices)).unwrap())
}

pub(crate) fn weighted(vertices: u32, arcs: impl IntoIterator<Item = (Vertex, Vertex, Weight)>) -> Graph {
    Graph::directed(from_arcs(&arcs.into_iter().collect(), u64::from(vertices)).unwrap())
}

pub(crate) fn path(vertices: u32) -> Graph {
    undirected(vertices, (1..vertices).map(|v| (v - 1, v)))
}

pub(crate) fn cycle(vertices: u32) -> Graph {
    undirected(vertices, (0..vertices).map(|v| (v, (v + 1) % vertices)))
}

pub(crate) fn clique(vertices: u32) -> Graph {
    undirected(vertices, (0..vertices).flat_map(move |a| (a + 1..vertices).map(move |b| (a, b))))
}

/// Vertex 0 in the middle.
pub(crate) fn star(leaves: u32) -> Graph {
    undirected(leaves + 1, (1..=leaves).map(|leaf| (0, leaf)))
}

/// Vertices `0..a` on one side, the others on the other.
pub(crate) fn complete_bipartite(a: u32, b: u32) -> Graph {
    undirected(a + b, (0..a).flat_map(move |left| (a..a + b).map(move |right| (left, right))))
}

/// Vertex `(row, column)` has number `row * columns + column`.
pub(crate) fn grid(rows: u32, columns: u32) -> Graph {
    let across = (0..rows * columns).filter(move |v| v % columns + 1 < columns).map(|v| (v, v + 1));
    let down = (0..(rows - 1) * columns).map(move |v| (v, v + columns));
    undirected(rows * columns, across.chain(down))
}

/// Outer pentagon 0 to 4, inner star 5 to 9.
pub(crate) fn petersen() -> Graph {
    let edges = (0..5).flat_map(|v| [(v, (v + 1) % 5), (v, v + 5), (v + 5, (v + 2) % 5 + 5)]);
    undirected(10, edges)
}

pub(crate) fn empty(vertices: u32) -> Graph {
    directed(vertices, [])
}
