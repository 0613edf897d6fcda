//! Single-source shortest paths: distances, or the tree of parents.

use super::{WrongLength, WrongTree, first_difference, shown, tree};
use crate::reference::dijkstra::{self, FAR};
use crate::{NoSuchVertex, edges};
use heddle_graph::{Graph, Vertex};
use thiserror::Error;

/// Why distances are wrong.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WrongDistances {
    /// One distance per vertex.
    #[error(transparent)]
    Length(#[from] WrongLength),
    /// The source does not exist.
    #[error(transparent)]
    Source(#[from] NoSuchVertex),
    /// The first vertex with a wrong distance.
    #[error("vertex {vertex} has distance {}, expected {}", shown(.found, FAR), shown(.expected, FAR))]
    Distance {
        /// The vertex.
        vertex: Vertex,
        /// The distance in the answer.
        found: u64,
        /// The right one.
        expected: u64,
    },
}

/// Judges distances from `source`, [`FAR`] where no path leads.
pub fn distances(graph: &Graph, source: Vertex, distances: &[u64]) -> Result<(), WrongDistances> {
    WrongLength::check(graph, distances.len())?;
    let expected = dijkstra::distances(graph, source)?;
    match first_difference(distances, &expected) {
        None => Ok(()),
        Some((vertex, found, expected)) => Err(WrongDistances::Distance { vertex, found, expected }),
    }
}

/// Judges a tree of parents: any in which every path to the source is a shortest one. The source is its own
/// parent, and a vertex that is not reached has [`NO_PARENT`](crate::NO_PARENT).
pub fn parents(graph: &Graph, source: Vertex, parents: &[Vertex]) -> Result<(), WrongTree> {
    let distances = dijkstra::distances(graph, source)?;
    tree::check(graph, source, parents, &distances, |from, to| edges::arc(graph, from, to).map(u64::from))
}
