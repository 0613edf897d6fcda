//! Breadth-first search: how many arcs every vertex is away from a source.

use super::traversal;
use crate::NoSuchVertex;
use heddle_graph::{Graph, Vertex};

/// The depth of a vertex that cannot be reached.
pub const UNREACHED: u32 = u32::MAX;

/// The depth of every vertex from `source` along the arcs, [`UNREACHED`] where no path leads.
pub fn depths(graph: &Graph, source: Vertex) -> Result<Vec<u32>, NoSuchVertex> {
    NoSuchVertex::check(graph, source)?;
    Ok(traversal::bfs_depths(graph.out_edges(), source))
}
