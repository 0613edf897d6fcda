//! Serialised graphs of the GAP Benchmark Suite (`.sg`, `.wsg`).
//!
//! Little-endian: a byte that says whether the graph is directed; the number of arcs held (for an undirected
//! graph both directions count) and of vertices as signed 64-bit numbers; the `V+1` offsets (64 bits); the
//! neighbours (32 bits, in a weighted graph each followed by its weight, signed 32 bits). A directed graph
//! repeats offsets and neighbours for its incoming arcs.
//!
//! Only the extension tells a weighted file from an unweighted one there. Here the length does: after the
//! offsets every part is a multiple of 4 bytes, and the two lengths differ unless there is no arc.
//! That the incoming arcs are the outgoing ones turned round, and that an undirected graph has every arc in
//! both directions, is checked by fingerprints of all arcs: everything built on the graph relies on it.

use super::WeightPolicy;
use super::binary::LittleEndian;
use super::context::{Content, Context};
use super::integer_weights::{self, Signedness, Weights};
use crate::build;
use crate::csr::{Csr, VERTICES_MAX, Vertex};
use crate::error::GraphError;
use crate::graph::{Graph, Kind};
use rayon::prelude::*;
use std::io::Read;

struct Header {
    kind: Kind,
    arcs: u64,
    vertices: u64,
}

/// Where the offsets begin.
const HEADER_BYTES: u64 = 17;

/// Reads a GAP graph.
pub(super) fn read(source: &mut dyn Read, context: &Context<'_>) -> Result<Content, GraphError> {
    let mut input = LittleEndian::new(source, context);
    let header = read_header(&mut input)?;
    let mut offsets = Vec::new();
    input.numbers_u64(header.vertices + 1, "the offsets", &mut offsets)?;
    check_offsets(&offsets, HEADER_BYTES, &header, context)?;

    let body_start = input.offset();
    let mut body = read_body(&mut input, &header)?;
    let weighted = is_weighted(&mut input, &header, body.len() as u64)?;
    let words_per_arc = if weighted { 2 } else { 1 };
    let split = (header.arcs as usize).saturating_mul(words_per_arc).min(body.len());
    let rest = body.split_off(split);
    body.shrink_to_fit();
    let incoming = match header.kind {
        Kind::Directed => {
            let start = body_start + 4 * split as u64;
            Some(incoming_rows(rest, start, weighted, &header, context)?)
        }
        Kind::Undirected => None,
    };
    let stride = 4 * words_per_arc as u64;
    let (targets, weights) = split_pairs(body, weighted);
    check_targets(&targets, body_start, stride, &header, context)?;
    let outgoing = rows(offsets, targets, weights, context)?;
    // Where the neighbours stand that are compared: of a directed graph behind the second offsets.
    let compared_start = match header.kind {
        Kind::Directed => body_start + 4 * split as u64 + 8 * (header.vertices + 1),
        Kind::Undirected => body_start,
    };
    check_opposites(&outgoing, incoming, |arc| compared_start + stride * arc, context)?;
    finish(outgoing, header.kind, body_start, context)
}

fn read_header(input: &mut LittleEndian<'_>) -> Result<Header, GraphError> {
    let kind = match input.byte("the flag that says whether the graph is directed")? {
        0 => Kind::Undirected,
        1 => Kind::Directed,
        flag => return Err(input.error_at(0, format!("the flag `directed` is {flag}; 0 or 1 was expected"))),
    };
    let header = Header {
        kind,
        arcs: input.number("the number of edges")?,
        vertices: input.number("the number of vertices")?,
    };
    if header.vertices > VERTICES_MAX {
        let problem =
            format!("{} vertices; at most {VERTICES_MAX} fit 32-bit ids", header.vertices.cast_signed());
        return Err(input.error_at(9, problem));
    }
    if header.arcs.cast_signed() < 0 {
        return Err(input.error_at(1, format!("{} edges", header.arcs.cast_signed())));
    }
    let directions = if kind == Kind::Directed { 2 } else { 1 };
    let rows = header.arcs.saturating_mul(4).saturating_add(8 * (header.vertices + 1));
    let context = input.context();
    context
        .grant(8 * (header.vertices + 1) * directions, "the vertices that the header promises")
        .map_err(|error| error.at_offset(9))?;
    context
        .grant(rows.saturating_mul(directions), "the graph that the header promises")
        .map_err(|error| error.at_offset(1))?;
    context.progress.begin("reading", rows.saturating_mul(directions));
    Ok(header)
}

/// Words after the first offsets if the arcs take that many words each.
fn body_words(header: &Header, words_per_arc: u64) -> u64 {
    let arcs = header.arcs.saturating_mul(words_per_arc);
    match header.kind {
        Kind::Undirected => arcs,
        Kind::Directed => arcs.saturating_mul(2).saturating_add(2 * (header.vertices + 1)),
    }
}

/// Everything after the first offsets, as much as an unweighted graph has, or a weighted one.
fn read_body(input: &mut LittleEndian<'_>, header: &Header) -> Result<Vec<u32>, GraphError> {
    const WHAT: &str = "the neighbours and weights";
    let (unweighted, weighted) = (body_words(header, 1), body_words(header, 2));
    let mut body = Vec::new();
    input.numbers_u32_up_to(unweighted, "the neighbours", &mut body)?;
    if body.len() as u64 == unweighted && weighted > unweighted {
        // One word more says that there are weights; only then is their memory asked for.
        input.numbers_u32_up_to(1, WHAT, &mut body)?;
        if body.len() as u64 > unweighted {
            let directions = if header.kind == Kind::Directed { 2 } else { 1 };
            let rows = header.arcs.saturating_mul(8).saturating_add(8 * (header.vertices + 1));
            let granted = input.context().grant(rows.saturating_mul(directions), "the weighted graph");
            granted.map_err(|error| error.at_offset(1))?;
            input.numbers_u32_up_to(weighted - unweighted - 1, WHAT, &mut body)?;
        }
    }
    Ok(body)
}

/// Decides by the length whether weights stand between the neighbours.
fn is_weighted(input: &mut LittleEndian<'_>, header: &Header, words: u64) -> Result<bool, GraphError> {
    let (unweighted, weighted) = (body_words(header, 1), body_words(header, 2));
    input.finish()?;
    if words == unweighted {
        return Ok(false);
    }
    if words == weighted {
        return Ok(true);
    }
    let expected = if words < unweighted { unweighted } else { weighted };
    let what = match (words < unweighted, header.kind) {
        (true, Kind::Undirected) => "the neighbours",
        (true, Kind::Directed) => "the outgoing and incoming neighbours",
        (false, _) => "the neighbours and weights",
    };
    Err(input.truncated(what, (expected - words).saturating_mul(4)))
}

fn check_offsets(
    offsets: &[u64],
    start: u64,
    header: &Header,
    context: &Context<'_>,
) -> Result<(), GraphError> {
    let place = |index: usize| start + 8 * index as u64;
    let error = |index: usize, problem: String| Err(context.error(problem).at_offset(place(index)));
    let mut before = 0;
    for (index, &offset) in offsets.iter().enumerate() {
        if index == 0 && offset != 0 {
            return error(index, format!("the first offset is {}, not 0", offset.cast_signed()));
        }
        if offset < before || offset > header.arcs {
            let range = format!("from {before}, the one before it, to {}, the number of arcs", header.arcs);
            return error(index, format!("offset {index} is {}, not {range}", offset.cast_signed()));
        }
        before = offset;
    }
    if before != header.arcs {
        let problem = format!("the last offset is {before}, but the header promises {} arcs", header.arcs);
        return error(offsets.len().saturating_sub(1), problem);
    }
    Ok(())
}

fn check_targets(
    targets: &[Vertex],
    start: u64,
    stride: u64,
    header: &Header,
    context: &Context<'_>,
) -> Result<(), GraphError> {
    match targets.iter().enumerate().find(|&(_, &target)| u64::from(target) >= header.vertices) {
        Some((arc, &target)) => {
            let (target, vertices) = (target.cast_signed(), header.vertices);
            let problem = format!("an arc leads to vertex {target}; there are only {vertices} vertices");
            Err(context.error(problem).at_offset(start + stride * arc as u64))
        }
        None => Ok(()),
    }
}

/// The incoming arcs: offsets of two words each, then neighbours.
fn incoming_rows(
    mut words: Vec<u32>,
    start: u64,
    weighted: bool,
    header: &Header,
    context: &Context<'_>,
) -> Result<Csr, GraphError> {
    let index_words = (2 * (header.vertices as usize + 1)).min(words.len());
    let (index, _) = words[..index_words].as_chunks::<2>();
    let offsets: Vec<u64> = index.iter().map(|&[low, high]| u64::from(low) | u64::from(high) << 32).collect();
    check_offsets(&offsets, start, header, context)?;
    words.drain(..index_words);
    let (targets, weights) = split_pairs(words, weighted);
    let stride = if weighted { 8 } else { 4 };
    check_targets(&targets, start + 4 * index_words as u64, stride, header, context)?;
    rows(offsets, targets, weights, context)
}

/// Takes neighbour and weight apart where they alternate. The neighbours stay in the array they came in.
fn split_pairs(mut words: Vec<u32>, weighted: bool) -> (Vec<Vertex>, Option<Vec<u32>>) {
    if !weighted {
        return (words, None);
    }
    let weights = words.iter().skip(1).step_by(2).copied().collect();
    let mut place = 0;
    words.retain(|_| {
        place += 1;
        place % 2 == 1
    });
    words.shrink_to_fit();
    (words, Some(weights))
}

fn rows(
    offsets: Vec<u64>,
    targets: Vec<Vertex>,
    weights: Option<Vec<u32>>,
    context: &Context<'_>,
) -> Result<Csr, GraphError> {
    Csr::new(offsets, targets, weights).map_err(|problem| context.error(problem.to_string()))
}

/// Every arc must have its opposite: among the incoming ones of a directed graph, else among its own.
/// `place` gives the byte offset of an arc of those.
fn check_opposites(
    outgoing: &Csr,
    incoming: Option<Csr>,
    place: impl Fn(u64) -> u64,
    context: &Context<'_>,
) -> Result<(), GraphError> {
    let (stored, what) = match &incoming {
        Some(incoming) => (incoming, "the incoming arcs of vertex"),
        None => (outgoing, "the graph is said to be undirected, but the arcs of vertex"),
    };
    let there = fingerprint(outgoing, |vertex, neighbour| (vertex, neighbour));
    let back = fingerprint(stored, |vertex, neighbour| (neighbour, vertex));
    if there == back {
        return Ok(());
    }
    let vertex = first_without_opposites(outgoing, stored).unwrap_or_default();
    let problem = format!("{what} {vertex} are not the arcs that lead to it, turned round");
    let offset = place(stored.arc_range(vertex).start as u64);
    Err(context.error(problem).at_offset(offset).with_help("the file is damaged: convert it again"))
}

/// A sum over all arcs that does not depend on their order, and practically never agrees for two different
/// sets of arcs (once in 2^64).
fn fingerprint(csr: &Csr, ends: impl Fn(Vertex, Vertex) -> (Vertex, Vertex) + Sync) -> u64 {
    csr.vertices()
        .into_par_iter()
        .map(|vertex| {
            csr.weighted_neighbours(vertex).fold(0u64, |sum, (neighbour, weight)| {
                let (source, target) = ends(vertex, neighbour);
                let pair = u64::from(source) << 32 | u64::from(target);
                sum.wrapping_add(mixed(pair ^ mixed(u64::from(weight).wrapping_add(1))))
            })
        })
        .reduce(|| 0, u64::wrapping_add)
}

/// Spreads every bit over all others (Stafford's variant 13 of the 64-bit mixer).
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// The first vertex whose arcs in `stored` are not those that lead to it in `outgoing`.
fn first_without_opposites(outgoing: &Csr, stored: &Csr) -> Option<Vertex> {
    let opposites = build::transposed(outgoing);
    let sorted = |csr: &Csr, vertex: Vertex| {
        let mut arcs: Vec<_> = csr.weighted_neighbours(vertex).collect();
        arcs.sort_unstable();
        arcs
    };
    outgoing.vertices().find(|&vertex| sorted(&opposites, vertex) != sorted(stored, vertex))
}

/// Applies the weight policy: so far the weights are the stored bits.
fn finish(outgoing: Csr, kind: Kind, start: u64, context: &Context<'_>) -> Result<Content, GraphError> {
    let (offsets, targets, stored) = outgoing.into_parts();
    let weights = match stored {
        None => Weights::none(),
        Some(_) if context.weights == WeightPolicy::Drop => {
            Weights::dropped("The weights were dropped, as asked.")
        }
        Some(stored) => {
            let place = |arc: usize| start + 8 * arc as u64 + 4;
            integer_weights::convert(stored, Signedness::Signed, place, context)?
        }
    };
    let csr = rows(offsets, targets, weights.values, context)?;
    Ok(Content { graph: Graph::new(kind, csr), weights: weights.seen, notes: weights.notes })
}

#[cfg(test)]
mod tests;
