//! Every arc turned round.

use super::{Transformed, note};
use crate::build;
use crate::graph::Graph;

/// The incoming arcs become the outgoing ones; those of a vertex then stand by the vertex they lead to.
pub(super) fn apply(graph: Graph) -> Transformed {
    if !graph.is_directed() {
        let note = "transposed nothing: an undirected graph is its own transpose".to_string();
        return Transformed { graph, note };
    }
    let note = format!("turned {} round", note::count(graph.num_arcs(), "arc"));
    Transformed { graph: Graph::directed(build::transposed(graph.out_edges())), note }
}
