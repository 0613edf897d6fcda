//! Writers: a graph to a file that other tools read.

use crate::format::Format;
use crate::graph::Graph;
use std::io::{self, Write};

/// The formats that can be written.
pub const WRITABLE: &[Format] =
    &[Format::MatrixMarket, Format::EdgeList, Format::Metis, Format::Dimacs, Format::Galois, Format::Gap];

/// Writes `graph` to `sink`. Returns what had to be said about it (weights that the format cannot hold …).
pub fn write(graph: &Graph, format: Format, sink: &mut dyn Write) -> io::Result<Vec<String>> {
    let _ = (graph, format, sink);
    Err(io::Error::other("not yet writable"))
}
