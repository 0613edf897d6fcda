//! Graphs of the ninth DIMACS challenge: `p sp` and one `a` line per arc, counted from 1. Always directed
//! and weighted.

use super::WriteError;
use super::text::{for_each_arc, push_line, write_vertices};
use crate::graph::Graph;
use std::io::Write;

pub(super) fn write(graph: &Graph, sink: &mut dyn Write) -> Result<Vec<String>, WriteError> {
    let csr = graph.out_edges();
    writeln!(sink, "p sp {} {}", graph.num_vertices(), graph.num_arcs())?;
    write_vertices(csr, sink, |vertex, text| {
        let source = u64::from(vertex) + 1;
        for_each_arc(
            csr,
            vertex,
            |_| true,
            |target, weight| {
                text.extend_from_slice(b"a ");
                push_line(text, b' ', [source, u64::from(target) + 1], weight.or(Some(1)));
            },
        );
    })?;
    let mut notes = Vec::new();
    if !graph.is_weighted() {
        let note =
            "The graph has no weights and DIMACS asks for one per arc: every arc was written with weight 1.";
        notes.push(note.to_owned());
    }
    if !graph.is_directed() {
        notes.push(super::BOTH_WAYS.to_owned());
    }
    Ok(notes)
}
