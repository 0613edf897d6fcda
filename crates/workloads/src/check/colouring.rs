//! Colouring: any proper one is right, whatever the number of colours.

use super::WrongLength;
use crate::edges::around;
use heddle_graph::{Graph, Vertex};
use rayon::prelude::*;
use thiserror::Error;

/// The mark of a vertex without a colour.
pub const UNCOLOURED: u32 = u32::MAX;

/// Why a colouring is not proper.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WrongColouring {
    /// One colour per vertex.
    #[error(transparent)]
    Length(#[from] WrongLength),
    /// Every vertex needs a colour.
    #[error("vertex {vertex} has no colour")]
    Uncoloured {
        /// The vertex.
        vertex: Vertex,
    },
    /// Neighbours need different colours.
    #[error("vertex {vertex} and its neighbour {neighbour} both have colour {colour}")]
    Neighbours {
        /// A vertex.
        vertex: Vertex,
        /// A neighbour of the same colour.
        neighbour: Vertex,
        /// The colour.
        colour: u32,
    },
}

/// Judges colours, [`UNCOLOURED`] being none. Self-loops are ignored, directions too.
pub fn colours(graph: &Graph, colours: &[u32]) -> Result<(), WrongColouring> {
    WrongLength::check(graph, colours.len())?;
    let wrong = |vertex: Vertex| {
        let colour = colours[vertex as usize];
        if colour == UNCOLOURED {
            return Some(WrongColouring::Uncoloured { vertex });
        }
        let neighbour = around(graph, vertex).find(|&neighbour| colours[neighbour as usize] == colour)?;
        Some(WrongColouring::Neighbours { vertex, neighbour, colour })
    };
    graph.out_edges().vertices().into_par_iter().find_map_first(wrong).map_or(Ok(()), Err)
}
