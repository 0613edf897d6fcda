//! Breadth-first search: how many arcs every vertex is away from a source.

use crate::NoSuchVertex;
use heddle_graph::metrics::bfs_depths;
use heddle_graph::{Graph, Vertex};

pub use heddle_graph::metrics::UNREACHED;

/// The depth of every vertex from `source` along the arcs, [`UNREACHED`] where no path leads.
pub fn depths(graph: &Graph, source: Vertex) -> Result<Vec<u32>, NoSuchVertex> {
    NoSuchVertex::check(graph, source)?;
    Ok(bfs_depths(graph.out_edges(), source))
}
