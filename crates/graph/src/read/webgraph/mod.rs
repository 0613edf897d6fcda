//! WebGraph's BV format: a bit stream (`.graph`) and how to read it (`.properties`).
//!
//! The format is that of Boldi and Vigna, \[Boldi04\]. Parameters and the names of
//! the codes are those of the `webgraph` crate. Its decoder is not used: it trusts its input (one flipped bit
//! makes it panic or list vertices that do not exist), and `dsi-bitstream`'s readers of codes say of
//! themselves that malformed codes may panic. So lists are decoded here with a check at every step, from
//! that crate's plain bits and unary numbers, which are safe. Tests encode with an encoder of their own
//! (`encode.rs`) and decode files of the `webgraph` crate (`tests/fixtures`), which `validation/webgraph`
//! compares with at length. Decoding is sequential, so no `.offsets` are needed.
//!
//! Left out: arc labels (they are separate files), and the codes of the Java version that the `webgraph`
//! crate does not read either (Golomb and nibble).

mod codes;
mod decode;
mod files;
mod flags;
mod properties;

use super::context::{Content, Context};
use crate::csr::Csr;
use crate::error::GraphError;
use crate::graph::Graph;
use crate::source::WeightsSeen;
use dsi_bitstream::traits::{BE, LE};
use properties::{BitOrder, Properties};
use std::path::Path;

/// Reads the graph that `graph` belongs to: its `.graph`, its `.properties`, or what comes before the dot.
pub(super) fn read(graph: &Path, context: &Context<'_>) -> Result<Content, GraphError> {
    let files = files::find(graph)?;
    let text = files::load(&files.properties, &context.limits)?;
    let properties = properties::parse(&text, &files.properties)?;
    let bytes = files::load(&files.graph, &context.limits)?;
    let csr = decode_bytes(&bytes, &properties, &files.graph, context)?;
    Ok(Content { graph: Graph::directed(csr), weights: WeightsSeen::None, notes: Vec::new() })
}

fn decode_bytes(
    bytes: &[u8],
    properties: &Properties,
    graph: &Path,
    context: &Context<'_>,
) -> Result<Csr, GraphError> {
    check_promises(bytes.len() as u64, properties, graph, context)?;
    let words = codes::words(bytes);
    let source = decode::Source { properties, graph, bits: 8 * bytes.len() as u64 };
    match properties.bit_order {
        BitOrder::BigEndian => decode::rows::<BE, _>(codes::reader(&words), &source, context),
        BitOrder::LittleEndian => decode::rows::<LE, _>(codes::reader(&words), &source, context),
    }
}

/// Every vertex takes at least one bit, and what the properties promise must fit in memory.
fn check_promises(
    bytes: u64,
    properties: &Properties,
    graph: &Path,
    context: &Context<'_>,
) -> Result<(), GraphError> {
    let (vertices, arcs) = (properties.vertices, properties.arcs);
    if vertices > bytes.saturating_mul(8) {
        let problem =
            format!("the properties promise {vertices} vertices; {bytes} bytes cannot hold that many");
        return Err(GraphError::new(graph, problem).with_help("the file is truncated: fetch it again"));
    }
    let rows = arcs.saturating_mul(4).saturating_add(8 * (vertices + 1));
    context
        .grant(rows, "the graph that the properties promise")
        .map_err(|error| GraphError { input: properties.path.clone(), ..error }.at_line(properties.arcs_line))
}

#[cfg(test)]
mod encode;
#[cfg(test)]
mod tests;
