//! Galois binary graphs (`.gr`), versions 1 and 2.
//!
//! Little-endian: version, bytes of data per edge, vertices and edges as 64-bit numbers; the end offset of
//! every vertex's edges (64 bits each); the destinations (32 bits in version 1, 64 in version 2); the edge
//! data. Version 1 pads an odd number of destinations to 8 bytes, but not every writer does and some files
//! without edge data lack the padding, so what follows the destinations decides. Edge data of 4 bytes are
//! taken as unsigned weights; of 8 bytes could as well be integers as reals, so they are refused unless the
//! user wants the structure alone.

use super::WeightPolicy;
use super::binary::{LittleEndian, make_room};
use super::context::{Content, Context};
use super::integer_weights::{self, Signedness, Weights};
use crate::csr::{Csr, VERTICES_MAX, Vertex};
use crate::error::GraphError;
use crate::graph::Graph;
use std::io::Read;

struct Header {
    version: u64,
    edge_data_bytes: u64,
    vertices: u64,
    edges: u64,
}

/// Where the offsets begin.
const HEADER_BYTES: u64 = 32;

/// Reads a Galois graph, which is always directed.
pub(super) fn read(source: &mut dyn Read, context: &Context<'_>) -> Result<Content, GraphError> {
    let mut input = LittleEndian::new(source, context);
    let header = read_header(&mut input)?;
    let offsets = read_offsets(&mut input, &header)?;
    let targets = read_targets(&mut input, &header)?;
    let weights = read_edge_data(&mut input, &header)?;
    let csr =
        Csr::new(offsets, targets, weights.values).map_err(|problem| context.error(problem.to_string()))?;
    Ok(Content { graph: Graph::directed(csr), weights: weights.seen, notes: weights.notes })
}

fn read_header(input: &mut LittleEndian<'_>) -> Result<Header, GraphError> {
    let header = Header {
        version: input.number("the version")?,
        edge_data_bytes: input.number("the size of the edge data")?,
        vertices: input.number("the number of vertices")?,
        edges: input.number("the number of edges")?,
    };
    if !matches!(header.version, 1 | 2) {
        return Err(input.error_at(0, format!("Galois version {}; 1 and 2 are known", header.version)));
    }
    if header.vertices > VERTICES_MAX {
        let problem = format!("{} vertices; at most {VERTICES_MAX} fit 32-bit ids", header.vertices);
        return Err(input.error_at(16, problem));
    }
    let context = input.context();
    let weights_bytes = if keeps_weights(&header, context) { 4 } else { 0 };
    let arrays = header.edges.saturating_mul(4 + weights_bytes).saturating_add(8 * (header.vertices + 1));
    context
        .grant(8 * (header.vertices + 1), "the vertices that the header promises")
        .map_err(|error| error.at_offset(16))?;
    context.grant(arrays, "the graph that the header promises").map_err(|error| error.at_offset(24))?;
    refuse_unless_dropped(&header, context)?;
    let data = header.edges.saturating_mul(header.edge_data_bytes.saturating_add(4 * header.version));
    context.progress.begin("reading", data.saturating_add(8 * header.vertices));
    Ok(header)
}

fn keeps_weights(header: &Header, context: &Context<'_>) -> bool {
    header.edge_data_bytes == 4 && context.weights != WeightPolicy::Drop
}

fn read_offsets(input: &mut LittleEndian<'_>, header: &Header) -> Result<Vec<u64>, GraphError> {
    let mut offsets = vec![0];
    input.numbers_u64(header.vertices, "the offsets", &mut offsets)?;
    let place = |index: usize| HEADER_BYTES + 8 * (index as u64).saturating_sub(1);
    for (index, pair) in offsets.windows(2).enumerate() {
        if let &[before, offset] = pair
            && offset < before
        {
            let problem =
                format!("the edges of vertex {index} end at {offset}, before they begin ({before})");
            return Err(input.error_at(place(index + 1), problem));
        }
    }
    match offsets.last() {
        Some(&last) if last != header.edges => {
            let problem =
                format!("the last offset is {last}, but the header promises {} edges", header.edges);
            Err(input.error_at(place(offsets.len() - 1), problem))
        }
        _ => Ok(offsets),
    }
}

fn read_targets(input: &mut LittleEndian<'_>, header: &Header) -> Result<Vec<Vertex>, GraphError> {
    const WHAT: &str = "the destinations";
    let (context, start, vertices) = (input.context(), input.offset(), header.vertices);
    let out_of_range = |offset: u64, target: u64| {
        let problem = format!("an edge leads to vertex {target}; there are only {vertices} vertices");
        context.error(problem).at_offset(offset)
    };
    if header.version == 1 {
        let targets = input.numbers_u32(header.edges, WHAT)?;
        return match targets.iter().enumerate().find(|&(_, &target)| u64::from(target) >= vertices) {
            Some((edge, &target)) => Err(out_of_range(start + 4 * edge as u64, target.into())),
            None => Ok(targets),
        };
    }
    let mut targets: Vec<Vertex> = Vec::new();
    input.exactly(header.edges.saturating_mul(8), WHAT, |block| {
        let (words, _) = block.as_chunks::<8>();
        make_room(&mut targets, words.len(), header.edges);
        for &word in words {
            let target = u64::from_le_bytes(word);
            if target >= vertices {
                return Err(out_of_range(start + 8 * targets.len() as u64, target));
            }
            targets.push(target as Vertex);
        }
        Ok(())
    })?;
    Ok(targets)
}

fn read_edge_data(input: &mut LittleEndian<'_>, header: &Header) -> Result<Weights, GraphError> {
    const WHAT: &str = "the edge data";
    let (context, start) = (input.context(), input.offset());
    let data_bytes = header.edges.saturating_mul(header.edge_data_bytes);
    let padding_bytes = if header.version == 1 && header.edges % 2 == 1 { 4 } else { 0 };
    let keeps_weights = keeps_weights(header, context);
    let mut words: Vec<u32> = Vec::new();
    let bytes = input.up_to(data_bytes.saturating_add(padding_bytes), |block| {
        if keeps_weights {
            let (more, _) = block.as_chunks::<4>();
            make_room(&mut words, more.len(), header.edges + 1);
            words.extend(more.iter().map(|&word| u32::from_le_bytes(word)));
        }
        Ok(())
    })?;
    if bytes < data_bytes {
        return Err(input.truncated(WHAT, data_bytes - bytes));
    }
    if bytes != data_bytes && bytes != data_bytes + padding_bytes {
        let problem = "the graph ends here, but bytes follow that are neither padding nor edge data";
        return Err(input.error_at(start + data_bytes, problem));
    }
    input.finish()?;
    match header.edge_data_bytes {
        0 => Ok(Weights::none()),
        4 => {
            let padding_bytes = bytes - data_bytes;
            words.drain(..words.len().min(padding_bytes as usize / 4));
            let place = |edge: usize| start + padding_bytes + 4 * edge as u64;
            integer_weights::convert(words, Signedness::Unsigned, place, context)
        }
        size => Ok(Weights::dropped(format!(
            "The edge data of {size} bytes could be integers or reals, so the structure was read without weights."
        ))),
    }
}

/// Edge data of other sizes than 4 bytes may be skipped, but never guessed.
fn refuse_unless_dropped(header: &Header, context: &Context<'_>) -> Result<(), GraphError> {
    let size = header.edge_data_bytes;
    let problem = match (size, context.weights) {
        (0 | 4, _) | (_, WeightPolicy::Drop) | (8, WeightPolicy::Describe) => return Ok(()),
        (8, _) => {
            "edge data of 8 bytes; whether they are integers or reals is not said in the file".to_owned()
        }
        _ => format!("edge data of {size} bytes; 0, 4 or 8 was expected"),
    };
    let help = "read the structure alone with --weights drop, or convert the file to 4-byte integer weights";
    Err(context.error(problem).at_offset(8).with_help(help))
}

#[cfg(test)]
mod tests;
