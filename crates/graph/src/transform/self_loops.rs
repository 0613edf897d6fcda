//! Without arcs from a vertex to itself.

use super::{Transformed, note, rows};
use crate::graph::Graph;

pub(super) fn apply(graph: Graph) -> Transformed {
    let (kind, arcs) = (graph.kind(), graph.num_arcs());
    let csr = rows::compact(
        graph.into_out_edges(),
        || (),
        |(), vertex, targets, weights| rows::retain(targets, weights, |target| target != vertex),
    );
    let dropped = note::count(arcs - csr.num_arcs(), "self-loop");
    let note = format!("dropped {dropped}; {}", note::remaining_arcs(csr.num_arcs()));
    Transformed { graph: Graph::new(kind, csr), note }
}
