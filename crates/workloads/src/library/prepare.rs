//! The graph as a problem needs it: weighted, or with both arcs of every edge.

use super::Problem;
use heddle_graph::Graph;
use heddle_graph::transform::{Transform, apply};

/// Weights that an unweighted graph is given: 1 to 100, as many as fit a byte with room, by a fixed seed.
const WEIGHTS: Transform = Transform::Weights { min: 1, max: 100, seed: 1 };

/// A graph in the two shapes that a run needs, and what was done to it.
pub(super) struct Prepared {
    /// What the answer is judged on: the user's graph, with weights if the problem needs them.
    pub(super) question: Graph,
    /// What the driver sees, if it differs: every edge in both directions.
    pub(super) both_ways: Option<Graph>,
    pub(super) notes: Vec<String>,
}

/// Prepares a graph for a problem.
pub(super) fn prepare(graph: Graph, problem: Problem) -> Prepared {
    let mut notes = Vec::new();
    let mut change = |graph: Graph, transform: &Transform| {
        let transformed = apply(graph, transform);
        notes.push(transformed.note);
        transformed.graph
    };
    let question =
        if problem.is_weighted() && !graph.is_weighted() { change(graph, &WEIGHTS) } else { graph };
    let both_ways = (problem.is_undirected() && question.is_directed()).then(|| {
        // A union would keep one of two opposite arcs of different weight; the lightest may be the other one.
        let symmetrise =
            if problem.is_weighted() { Transform::SymmetriseDouble } else { Transform::SymmetriseUnion };
        change(question.clone(), &symmetrise)
    });
    Prepared { question, both_ways, notes }
}
