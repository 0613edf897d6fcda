//! Galois graphs, version 1, with weights as 4 bytes of edge data. The layout is told in the reader.

use super::WriteError;
use super::numbers::{write_u32s, write_u64s};
use crate::graph::Graph;
use std::io::Write;

pub(super) fn write(graph: &Graph, sink: &mut dyn Write) -> Result<Vec<String>, WriteError> {
    let csr = graph.out_edges();
    let edge_data_bytes = if graph.is_weighted() { 4 } else { 0 };
    write_u64s(sink, [1, edge_data_bytes, graph.num_vertices().into(), graph.num_arcs()])?;
    write_u64s(sink, csr.offsets().iter().skip(1).copied())?;
    write_u32s(sink, csr.targets().iter().copied())?;
    if graph.num_arcs() % 2 == 1 {
        write_u32s(sink, [0])?;
    }
    write_u32s(sink, csr.weights().unwrap_or_default().iter().copied())?;
    Ok(if graph.is_directed() { Vec::new() } else { vec![super::BOTH_WAYS.to_owned()] })
}
