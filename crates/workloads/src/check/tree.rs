//! Trees of shortest paths, given by the parent of every vertex.
//!
//! The source is its own parent, and a vertex that cannot be reached has [`NO_PARENT`]. Every other vertex
//! must have a parent from which an arc leads to it along a shortest path.

use super::WrongLength;
use crate::reference::dijkstra::FAR;
use crate::{NO_PARENT, NoSuchVertex};
use heddle_graph::{Graph, Vertex};
use thiserror::Error;

/// Why parents are not a tree of shortest paths.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WrongTree {
    /// One parent per vertex.
    #[error(transparent)]
    Length(#[from] WrongLength),
    /// The source does not exist.
    #[error(transparent)]
    Source(#[from] NoSuchVertex),
    /// The source must be its own parent.
    #[error("source {source_vertex} has parent {parent}, expected itself")]
    Root {
        /// The source.
        source_vertex: Vertex,
        /// Its parent.
        parent: Vertex,
    },
    /// The parent is not a vertex.
    #[error("vertex {vertex} has parent {parent}; the graph has only {vertices} vertices")]
    NoSuchParent {
        /// The child.
        vertex: Vertex,
        /// Its parent.
        parent: Vertex,
        /// How many vertices there are.
        vertices: u32,
    },
    /// A vertex that can be reached needs a parent.
    #[error("vertex {vertex} can be reached, but has no parent")]
    Missing {
        /// The vertex.
        vertex: Vertex,
    },
    /// A vertex that cannot be reached must not have a parent.
    #[error("vertex {vertex} cannot be reached, but has parent {parent}")]
    Unreachable {
        /// The child.
        vertex: Vertex,
        /// Its parent.
        parent: Vertex,
    },
    /// No arc leads from the parent.
    #[error("vertex {vertex} has parent {parent}, but no arc leads from {parent} to {vertex}")]
    NoArc {
        /// The child.
        vertex: Vertex,
        /// Its parent.
        parent: Vertex,
    },
    /// The parent is not reached itself.
    #[error("vertex {vertex} has parent {parent}, which cannot be reached")]
    UnreachableParent {
        /// The child.
        vertex: Vertex,
        /// Its parent.
        parent: Vertex,
    },
    /// There is a shorter path than the one through the parent.
    #[error("vertex {vertex} is {through} away through its parent {parent}, but {shortest} by another path")]
    NotShortest {
        /// The child.
        vertex: Vertex,
        /// Its parent.
        parent: Vertex,
        /// The distance through the parent.
        through: u64,
        /// The smallest distance.
        shortest: u64,
    },
    /// Parents of parents lead back to the vertex (along arcs of weight zero).
    #[error("the parents of vertex {vertex} lead back to it, not to the source")]
    Circle {
        /// A vertex on the circle.
        vertex: Vertex,
    },
}

/// Judges `parents`, where `distances` are right and `arc_length` gives the length of the shortest arc from
/// one vertex to another.
pub(super) fn check(
    graph: &Graph,
    source: Vertex,
    parents: &[Vertex],
    distances: &[u64],
    arc_length: impl Fn(Vertex, Vertex) -> Option<u64>,
) -> Result<(), WrongTree> {
    WrongLength::check(graph, parents.len())?;
    let vertices = graph.num_vertices();
    for (vertex, &parent) in (0..).zip(parents) {
        let shortest = distances[vertex as usize];
        if vertex == source {
            if parent != source {
                return Err(WrongTree::Root { source_vertex: source, parent });
            }
        } else if parent == NO_PARENT {
            if shortest != FAR {
                return Err(WrongTree::Missing { vertex });
            }
        } else if parent >= vertices {
            return Err(WrongTree::NoSuchParent { vertex, parent, vertices });
        } else if shortest == FAR {
            return Err(WrongTree::Unreachable { vertex, parent });
        } else {
            let length = arc_length(parent, vertex).ok_or(WrongTree::NoArc { vertex, parent })?;
            if distances[parent as usize] == FAR {
                return Err(WrongTree::UnreachableParent { vertex, parent });
            }
            let through = distances[parent as usize] + length;
            if through != shortest {
                return Err(WrongTree::NotShortest { vertex, parent, through, shortest });
            }
        }
    }
    find_circle(source, parents).map_or(Ok(()), |vertex| Err(WrongTree::Circle { vertex }))
}

/// A vertex whose parents lead back to it. All parents exist, or are [`NO_PARENT`].
fn find_circle(source: Vertex, parents: &[Vertex]) -> Option<Vertex> {
    // Each walk towards the source leaves its own mark and ends at marks of earlier walks.
    let mut marks = vec![NO_PARENT; parents.len()];
    for start in 0..parents.len() as Vertex {
        let mut vertex = start;
        while vertex != NO_PARENT && vertex != source && marks[vertex as usize] == NO_PARENT {
            marks[vertex as usize] = start;
            vertex = parents[vertex as usize];
        }
        if vertex != NO_PARENT && vertex != source && marks[vertex as usize] == start {
            return Some(vertex);
        }
    }
    None
}
