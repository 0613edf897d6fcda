//! Matrix Market coordinate files: pattern or integer; general for a directed graph, symmetric (the lower
//! triangle alone) for an undirected one.

use super::WriteError;
use super::text::{count_edges, for_each_arc, push_line, write_vertices};
use crate::format::Format;
use crate::graph::Graph;
use std::io::Write;

pub(super) fn write(graph: &Graph, sink: &mut dyn Write) -> Result<Vec<String>, WriteError> {
    let (csr, directed) = (graph.out_edges(), graph.is_directed());
    let field = if graph.is_weighted() { "integer" } else { "pattern" };
    let symmetry = if directed { "general" } else { "symmetric" };
    let entries = if directed { graph.num_arcs() } else { count_edges(graph, Format::MatrixMarket)? };
    let vertices = graph.num_vertices();
    write!(sink, "%%MatrixMarket matrix coordinate {field} {symmetry}\n{vertices} {vertices} {entries}\n")?;
    write_vertices(csr, sink, |vertex, text| {
        let row = u64::from(vertex) + 1;
        for_each_arc(
            csr,
            vertex,
            |target| directed || target <= vertex,
            |target, weight| push_line(text, b' ', [row, u64::from(target) + 1], weight),
        );
    })?;
    Ok(Vec::new())
}
