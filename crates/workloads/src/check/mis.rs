//! Maximal independent set: any one is right.

use super::WrongLength;
use crate::edges::around;
use heddle_graph::{Graph, Vertex};
use rayon::prelude::*;
use thiserror::Error;

/// Why a set is not a maximal independent one.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WrongSet {
    /// One entry per vertex.
    #[error(transparent)]
    Length(#[from] WrongLength),
    /// Not independent.
    #[error("vertex {vertex} and its neighbour {neighbour} are both in the set")]
    Neighbours {
        /// A member.
        vertex: Vertex,
        /// A neighbour that is a member too.
        neighbour: Vertex,
    },
    /// Not maximal.
    #[error("vertex {vertex} could still be added: none of its neighbours is in the set")]
    NotMaximal {
        /// A vertex that is not a member, and has no neighbour that is.
        vertex: Vertex,
    },
}

/// Judges a set, given as membership of every vertex. Self-loops are ignored, directions too.
pub fn set(graph: &Graph, set: &[bool]) -> Result<(), WrongSet> {
    WrongLength::check(graph, set.len())?;
    let wrong = |vertex: Vertex| {
        let member = around(graph, vertex).find(|&neighbour| set[neighbour as usize]);
        match (set[vertex as usize], member) {
            (true, Some(neighbour)) => Some(WrongSet::Neighbours { vertex, neighbour }),
            (false, None) => Some(WrongSet::NotMaximal { vertex }),
            _ => None,
        }
    };
    graph.out_edges().vertices().into_par_iter().find_map_first(wrong).map_or(Ok(()), Err)
}
