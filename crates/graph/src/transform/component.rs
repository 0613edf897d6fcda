//! The largest weakly connected component alone. Its vertices keep their order; of equally large
//! components the one with the smallest vertex stays.

use super::relabel::renumbered;
use super::{Transformed, note};
use crate::csr::Vertex;
use crate::graph::Graph;
use crate::metrics::weakly_connected;

pub(super) fn apply(graph: Graph) -> Transformed {
    let components = weakly_connected(graph.out_edges());
    let label = components.largest_label;
    let members: Vec<Vertex> =
        (0..).zip(&components.labels).filter(|&(_, &own)| own == label).map(|(vertex, _)| vertex).collect();
    let all = u64::from(graph.num_vertices());
    let count = note::count(components.count, "component");
    drop(components);
    if members.len() as u64 == all {
        let note = format!("kept all of {}: the graph has {count}", note::vertices(all));
        return Transformed { graph, note };
    }
    let csr = renumbered(graph.out_edges(), &members);
    let (kept, arcs) = (note::vertices(members.len() as u64), note::count(csr.num_arcs(), "arc"));
    let dropped = note::vertices(all - members.len() as u64);
    let note = format!("kept the largest of {count}, {kept} and {arcs}; {dropped} dropped");
    Transformed { graph: Graph::new(graph.kind(), csr), note }
}
