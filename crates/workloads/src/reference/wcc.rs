//! Weakly connected components: which vertices are joined if arcs have no direction.

use heddle_graph::metrics::weakly_connected;
use heddle_graph::{Graph, Vertex};

/// For every vertex the smallest vertex of its component.
pub fn labels(graph: &Graph) -> Vec<Vertex> {
    weakly_connected(graph.out_edges()).labels
}
