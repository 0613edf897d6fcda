//! METIS graphs: one line per vertex with its neighbours, counted from 1. Undirected and without self-loops
//! by definition. Parallel edges are written as often as they are there; METIS itself does not expect them.

use super::WriteError;
use super::text::{count_edges, for_each_arc, push_number, write_vertices};
use crate::format::Format;
use crate::graph::Graph;
use std::io::Write;

pub(super) fn write(graph: &Graph, sink: &mut dyn Write) -> Result<Vec<String>, WriteError> {
    if graph.is_directed() {
        let help = "apply --transform symmetrise first";
        return Err(WriteError::unsupported(Format::Metis, "it is directed", help));
    }
    let csr = graph.out_edges();
    let edges = count_edges(graph, Format::Metis)?;
    // Without self-loops every edge is two arcs.
    if 2 * edges != graph.num_arcs() {
        let reason = format!("it has {} self-loops", 2 * edges - graph.num_arcs());
        let help = "apply --transform drop-self-loops first";
        return Err(WriteError::unsupported(Format::Metis, reason, help));
    }
    let format = if graph.is_weighted() { " 1" } else { "" };
    if graph.num_vertices() == 0 {
        // `0 0` alone could be an edge list with a self-loop.
        writeln!(sink, "% METIS graph without vertices")?;
    }
    writeln!(sink, "{} {edges}{format}", graph.num_vertices())?;
    write_vertices(csr, sink, |vertex, text| {
        let mut separator: &[u8] = b"";
        for_each_arc(
            csr,
            vertex,
            |_| true,
            |target, weight| {
                text.extend_from_slice(separator);
                push_number(text, u64::from(target) + 1);
                if let Some(weight) = weight {
                    text.push(b' ');
                    push_number(text, weight.into());
                }
                separator = b" ";
            },
        );
        text.push(b'\n');
    })?;
    let zeros = csr.weights().map_or(0, |weights| weights.iter().filter(|&&weight| weight == 0).count());
    let mut notes = Vec::new();
    if zeros > 0 {
        notes.push(format!("{zeros} arcs have weight 0; METIS itself asks for positive weights."));
    }
    Ok(notes)
}
