//! Minimum spanning forest: any one of minimum weight is right.
//!
//! A spanning forest is a lightest one exactly if, for every weight `w`, its edges up to `w` already join
//! whatever the graph's edges up to `w` join. So the edges of both are walked by weight, and the first edge
//! of the graph that the forest does not make up for is the proof that it is not minimal.

use crate::NoSuchVertex;
use crate::disjoint_sets::DisjointSets;
use crate::edges::edge;
use crate::reference::mst::edges_by_weight;
use heddle_graph::{Graph, Vertex, Weight};
use thiserror::Error;

/// Why edges are not a minimum spanning forest.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WrongForest {
    /// An edge ends at a vertex that does not exist.
    #[error(transparent)]
    Vertex(#[from] NoSuchVertex),
    /// The graph has no such edge.
    #[error("the graph has no edge between {a} and {b}")]
    NoEdge {
        /// One end.
        a: Vertex,
        /// The other end.
        b: Vertex,
    },
    /// An edge whose ends the others join already.
    #[error("the edge between {a} and {b} closes a cycle")]
    Cycle {
        /// One end.
        a: Vertex,
        /// The other end.
        b: Vertex,
    },
    /// An edge of the graph joins two trees.
    #[error("not spanning: the graph has an edge between {a} and {b}, which are in different trees")]
    NotSpanning {
        /// One end.
        a: Vertex,
        /// The other end.
        b: Vertex,
    },
    /// An edge of the graph could replace a heavier one.
    #[error(
        "not minimal: the edge between {a} and {b} weighs only {weight}, less than some edge on the way \
         between them in the forest"
    )]
    NotMinimal {
        /// One end.
        a: Vertex,
        /// The other end.
        b: Vertex,
        /// The weight of the edge.
        weight: Weight,
    },
}

/// Judges the edges of a forest, in any order and with their ends in any order. An edge that the graph holds
/// several times is the lightest of them.
pub fn edges(graph: &Graph, edges: &[(Vertex, Vertex)]) -> Result<(), WrongForest> {
    let mut chosen = Vec::with_capacity(edges.len().min(graph.num_vertices() as usize));
    let mut trees = DisjointSets::new(graph.num_vertices());
    for &(a, b) in edges {
        NoSuchVertex::check(graph, a)?;
        NoSuchVertex::check(graph, b)?;
        let weight = edge(graph, a, b).ok_or(WrongForest::NoEdge { a, b })?;
        if !trees.join(a, b) {
            return Err(WrongForest::Cycle { a, b });
        }
        chosen.push((weight, a, b));
    }
    chosen.sort_unstable();
    let mut lighter = DisjointSets::new(graph.num_vertices());
    let mut chosen = chosen.into_iter().peekable();
    for (weight, a, b) in edges_by_weight(graph) {
        while let Some((_, c, d)) = chosen.next_if(|&(chosen_weight, _, _)| chosen_weight <= weight) {
            lighter.join(c, d);
        }
        if trees.root(a) != trees.root(b) {
            return Err(WrongForest::NotSpanning { a, b });
        }
        if lighter.root(a) != lighter.root(b) {
            return Err(WrongForest::NotMinimal { a, b, weight });
        }
    }
    Ok(())
}
