//! The error of naming a vertex that the graph does not have.

use heddle_graph::{Graph, Vertex};
use thiserror::Error;

/// A source, a target or an entry of an answer is not a vertex of the graph.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("vertex {vertex} does not exist; the graph has {vertices} vertices, counted from 0")]
pub struct NoSuchVertex {
    /// What was named.
    pub vertex: Vertex,
    /// How many vertices there are.
    pub vertices: u32,
}

impl NoSuchVertex {
    /// Makes sure that `vertex` is one of `graph`.
    pub(crate) fn check(graph: &Graph, vertex: Vertex) -> Result<(), NoSuchVertex> {
        let vertices = graph.num_vertices();
        if vertex < vertices { Ok(()) } else { Err(NoSuchVertex { vertex, vertices }) }
    }
}
