//! Transforms: a graph into another one, with a sentence that says what was done.
//!
//! One transform per file. Weights follow their arcs; unless a transform says otherwise, the arcs of a
//! vertex keep their order.

mod component;
mod duplicates;
mod note;
mod parse;
mod relabel;
mod rows;
mod self_loops;
mod symmetrise;
mod transpose;
mod weights;

pub use parse::{Entry, TRANSFORMS, parse};

use crate::graph::Graph;

/// A transform, ready to be applied.
#[derive(Clone, Debug, PartialEq)]
pub enum Transform {
    /// Every arc turned round.
    Transpose,
    /// Every arc and its opposite once.
    SymmetriseUnion,
    /// Every arc and its opposite, keeping reciprocal duplicates, as \[Salvador20\] does.
    SymmetriseDouble,
    /// Without arcs from a vertex to itself.
    DropSelfLoops,
    /// Without all but the first of parallel arcs.
    DropDuplicates,
    /// Seeded weights, uniform in this inclusive range; an edge of an undirected graph weighs the same both ways.
    Weights {
        /// Smallest.
        min: u32,
        /// Largest.
        max: u32,
        /// Seed.
        seed: u64,
    },
    /// New vertex ids.
    Relabel(Order),
    /// The largest weakly connected component alone, renumbered.
    LargestComponent,
}

/// How vertices are renumbered. Degrees are those of outgoing arcs; equals keep their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By falling degree.
    Degree,
    /// Vertices above the average degree first, by falling degree; the others keep their order.
    HubSort,
    /// In the order of a breadth-first search from the first vertex of largest degree.
    Bfs,
    /// A seeded permutation.
    Random(u64),
}

/// A graph and what was done to it.
#[derive(Clone, Debug)]
pub struct Transformed {
    /// The result.
    pub graph: Graph,
    /// What was done, with figures, in one sentence.
    pub note: String,
}

/// Applies one transform.
pub fn apply(graph: Graph, transform: &Transform) -> Transformed {
    match *transform {
        Transform::Transpose => transpose::apply(graph),
        Transform::SymmetriseUnion => symmetrise::union(graph),
        Transform::SymmetriseDouble => symmetrise::double(graph),
        Transform::DropSelfLoops => self_loops::apply(graph),
        Transform::DropDuplicates => duplicates::apply(graph),
        Transform::Weights { min, max, seed } => weights::apply(graph, min, max, seed),
        Transform::Relabel(order) => relabel::apply(graph, order),
        Transform::LargestComponent => component::apply(graph),
    }
}
