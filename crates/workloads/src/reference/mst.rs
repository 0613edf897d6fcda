//! A minimum spanning forest by Kruskal's algorithm: a lightest tree for every component.
//!
//! Every arc is an edge that may be used in both directions, so of parallel arcs, or of the two directions
//! if their weights differ, the lightest counts. Self-loops are never used. In an unweighted graph every
//! edge weighs 1. The weight of the forest is unique; of the forests that have it this is the one that
//! comes first if edges are sorted by weight and then by their ends.

use crate::disjoint_sets::DisjointSets;
use heddle_graph::{Graph, Vertex, Weight};
use rayon::prelude::*;

/// Edges that join every component by a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forest {
    /// The edges, smaller end first, lightest edge first.
    pub edges: Vec<(Vertex, Vertex)>,
    /// The sum of their weights.
    pub weight: u64,
    /// The number of trees. A vertex without edges is a tree.
    pub trees: u32,
}

/// The forest.
pub fn forest(graph: &Graph) -> Forest {
    let mut forest = Forest { edges: Vec::new(), weight: 0, trees: graph.num_vertices() };
    let mut sets = DisjointSets::new(graph.num_vertices());
    for (weight, a, b) in edges_by_weight(graph) {
        if sets.join(a, b) {
            forest.edges.push((a, b));
            forest.weight += u64::from(weight);
            forest.trees -= 1;
        }
    }
    forest
}

/// Every arc that is not a self-loop as weight, smaller end, larger end, in that order.
pub(crate) fn edges_by_weight(graph: &Graph) -> Vec<(Weight, Vertex, Vertex)> {
    let arcs = graph.out_edges();
    let mut edges: Vec<(Weight, Vertex, Vertex)> = Vec::with_capacity(arcs.targets().len());
    for vertex in arcs.vertices() {
        let others = arcs.weighted_neighbours(vertex).filter(|&(other, _)| other != vertex);
        edges.extend(others.map(|(other, weight)| (weight, vertex.min(other), vertex.max(other))));
    }
    edges.par_sort_unstable();
    edges
}
