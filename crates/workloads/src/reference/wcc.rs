//! Weakly connected components: which vertices are joined if arcs have no direction.

use crate::disjoint_sets::DisjointSets;
use heddle_graph::{Graph, Vertex};

/// For every vertex the smallest vertex of its component.
pub fn labels(graph: &Graph) -> Vec<Vertex> {
    let mut sets = DisjointSets::new(graph.num_vertices());
    for (source, target) in graph.out_edges().arcs() {
        sets.join(source, target);
    }
    graph.out_edges().vertices().map(|vertex| sets.root(vertex)).collect()
}
