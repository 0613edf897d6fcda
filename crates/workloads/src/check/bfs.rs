//! Breadth-first search: depths, or the tree of parents.

use super::{WrongLength, WrongTree, first_difference, shown, tree};
use crate::reference::bfs::{self, UNREACHED};
use crate::reference::dijkstra::FAR;
use crate::{NoSuchVertex, edges};
use heddle_graph::{Graph, Vertex};
use thiserror::Error;

/// Why depths are wrong.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WrongDepths {
    /// One depth per vertex.
    #[error(transparent)]
    Length(#[from] WrongLength),
    /// The source does not exist.
    #[error(transparent)]
    Source(#[from] NoSuchVertex),
    /// The first vertex with a wrong depth.
    #[error("vertex {vertex} has depth {}, expected {}", shown(.found, UNREACHED), shown(.expected, UNREACHED))]
    Depth {
        /// The vertex.
        vertex: Vertex,
        /// The depth in the answer.
        found: u32,
        /// The right one.
        expected: u32,
    },
}

/// Judges depths from `source`, [`UNREACHED`] where no path leads.
pub fn depths(graph: &Graph, source: Vertex, depths: &[u32]) -> Result<(), WrongDepths> {
    WrongLength::check(graph, depths.len())?;
    let expected = bfs::depths(graph, source)?;
    match first_difference(depths, &expected) {
        None => Ok(()),
        Some((vertex, found, expected)) => Err(WrongDepths::Depth { vertex, found, expected }),
    }
}

/// Judges a tree of parents: any in which every path to the source has the fewest arcs. The source is its
/// own parent, and a vertex that is not reached has [`NO_PARENT`](crate::NO_PARENT).
pub fn parents(graph: &Graph, source: Vertex, parents: &[Vertex]) -> Result<(), WrongTree> {
    let as_distance = |depth: u32| if depth == UNREACHED { FAR } else { u64::from(depth) };
    let distances: Vec<u64> = bfs::depths(graph, source)?.into_iter().map(as_distance).collect();
    tree::check(graph, source, parents, &distances, |from, to| edges::arc(graph, from, to).map(|_| 1))
}
