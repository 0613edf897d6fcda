//! Serialised graphs of the GAP Benchmark Suite: `.sg` without and `.wsg` with weights. The layout is told
//! in the reader. Ids and weights are signed there, which halves their range.

use super::WriteError;
use super::numbers::{write_numbers, write_u32s, write_u64s};
use crate::csr::Csr;
use crate::format::Format;
use crate::graph::Graph;
use std::io::{self, Write};

const SIGNED_MAX: u32 = i32::MAX as u32;

pub(super) fn write(graph: &Graph, sink: &mut dyn Write) -> Result<Vec<String>, WriteError> {
    check_range(graph)?;
    sink.write_all(&[u8::from(graph.is_directed())])?;
    write_u64s(sink, [graph.num_arcs(), graph.num_vertices().into()])?;
    write_rows(graph.out_edges(), sink)?;
    if graph.is_directed() {
        write_rows(graph.in_edges(), sink)?;
    }
    let mut notes = Vec::new();
    if graph.is_weighted() && graph.num_arcs() == 0 {
        notes.push("A GAP file without arcs cannot say that it has weights.".to_owned());
    }
    Ok(notes)
}

fn check_range(graph: &Graph) -> Result<(), WriteError> {
    if graph.num_vertices() > SIGNED_MAX {
        let reason = format!("it has {} vertices, more than {SIGNED_MAX}", graph.num_vertices());
        return Err(WriteError::unsupported(Format::Gap, reason, "write galois, which has room for them"));
    }
    let weights = graph.out_edges().weights().unwrap_or_default();
    match weights.iter().find(|&&weight| weight > SIGNED_MAX) {
        Some(weight) => {
            let reason = format!("an arc weighs {weight}, more than {SIGNED_MAX}");
            let help = "scale the weights down with --weights, or write galois, which has room for them";
            Err(WriteError::unsupported(Format::Gap, reason, help))
        }
        None => Ok(()),
    }
}

fn write_rows(csr: &Csr, sink: &mut dyn Write) -> io::Result<()> {
    write_u64s(sink, csr.offsets().iter().copied())?;
    match csr.weights() {
        None => write_u32s(sink, csr.targets().iter().copied()),
        Some(weights) => {
            let pairs = csr.targets().iter().zip(weights);
            write_numbers(
                sink,
                pairs.map(|(&target, &weight)| (u64::from(target) | u64::from(weight) << 32).to_le_bytes()),
            )
        }
    }
}
