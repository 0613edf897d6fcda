//! Writers: a graph to a file that other tools read.
//!
//! A file holds the graph exactly where its format can say everything: read again it gives the same
//! vertices, arcs, multiplicities and weights (and, in a directed graph, the same order of arcs; an
//! undirected graph that is written one line an edge may get another order within a vertex). Where a format
//! can not, either writing is refused with the transform that would help, or a note says what was lost or
//! had to be added.

mod dimacs;
mod edge_list;
mod frame;
mod galois;
mod gap;
mod matrix_market;
mod metis;
mod numbers;
mod path;
mod text;

pub use path::{Compression, check_writable, is_special, to_path, whole_file};

use crate::format::Format;
use crate::graph::Graph;
use std::io::{self, Write};
use thiserror::Error;

/// The formats that can be written.
pub const WRITABLE: &[Format] =
    &[Format::MatrixMarket, Format::EdgeList, Format::Metis, Format::Dimacs, Format::Galois, Format::Gap];

/// For formats that have no undirected graphs.
const BOTH_WAYS: &str =
    "The format has no undirected graphs: every edge was written as two arcs, and will be read as such.";

/// Why a graph could not be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The file or stream failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The format cannot hold this graph.
    #[error("{format} cannot hold this graph: {reason}")]
    Unsupported {
        /// The format.
        format: Format,
        /// What it cannot hold.
        reason: String,
        /// What the user can do about it.
        help: String,
    },
}

impl WriteError {
    fn unsupported(format: Format, reason: impl Into<String>, help: impl Into<String>) -> WriteError {
        WriteError::Unsupported { format, reason: reason.into(), help: help.into() }
    }
}

/// Writes `graph` to `sink`. Returns what had to be said about it, one sentence each.
pub fn write(graph: &Graph, format: Format, sink: &mut dyn Write) -> Result<Vec<String>, WriteError> {
    let notes = match format {
        Format::MatrixMarket => matrix_market::write(graph, sink),
        Format::EdgeList => edge_list::write(graph, sink),
        Format::Metis => metis::write(graph, sink),
        Format::Dimacs => dimacs::write(graph, sink),
        Format::Galois => galois::write(graph, sink),
        Format::Gap => gap::write(graph, sink),
        Format::Rodinia | Format::WebGraph => {
            let names: Vec<_> = WRITABLE.iter().map(|format| format.name()).collect();
            let help = format!("write one of {}", names.join(", "));
            return Err(WriteError::unsupported(format, "it can only be read", help));
        }
    }?;
    sink.flush()?;
    Ok(notes)
}

#[cfg(test)]
mod tests;
