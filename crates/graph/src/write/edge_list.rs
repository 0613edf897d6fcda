//! Edge lists as SNAP writes them: a header of `#` lines that says how many vertices there are and whether
//! a line is an arc or an edge, then tab-separated ids counted from 0.

use super::WriteError;
use super::text::{count_edges, for_each_arc, push_line, write_vertices};
use crate::format::Format;
use crate::graph::Graph;
use std::io::Write;

pub(super) fn write(graph: &Graph, sink: &mut dyn Write) -> Result<Vec<String>, WriteError> {
    let (csr, directed) = (graph.out_edges(), graph.is_directed());
    let edges = if directed { graph.num_arcs() } else { count_edges(graph, Format::EdgeList)? };
    let first = if directed {
        "# Directed graph"
    } else {
        "# Undirected graph (each unordered pair of nodes is saved once)"
    };
    let weight_column = if graph.is_weighted() { "\tWeight" } else { "" };
    let vertices = graph.num_vertices();
    writeln!(sink, "{first}\n# Nodes: {vertices} Edges: {edges}\n# FromNodeId\tToNodeId{weight_column}")?;
    write_vertices(csr, sink, |vertex, text| {
        for_each_arc(
            csr,
            vertex,
            // Each edge at its smaller end: read again, sorted neighbours stay sorted.
            |target| directed || target >= vertex,
            |target, weight| push_line(text, b'\t', [vertex.into(), target.into()], weight),
        );
    })?;
    let mut notes = Vec::new();
    if graph.is_weighted() && edges == 0 {
        notes.push("An edge list without edges cannot say that it has weights.".to_owned());
    }
    Ok(notes)
}
