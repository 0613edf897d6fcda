//! Text, rendered in parallel in blocks of vertices and written in order.

use super::WriteError;
use crate::csr::{Csr, Vertex, Weight};
use crate::format::Format;
use crate::graph::Graph;
use rayon::prelude::*;
use std::io::{self, Write};
use std::ops::Range;

/// Arcs and vertices of one block: about a megabyte of text.
const BLOCK_ITEMS: u64 = 1 << 16;
/// Blocks that are in memory at once, per thread.
const BLOCKS_PER_THREAD: usize = 4;

/// Lets `render` append the text of every vertex, and writes it all in vertex order.
pub(super) fn write_vertices(
    csr: &Csr,
    sink: &mut dyn Write,
    render: impl Fn(Vertex, &mut Vec<u8>) + Sync,
) -> io::Result<()> {
    let blocks = blocks(csr);
    for group in blocks.chunks(rayon::current_num_threads().max(1) * BLOCKS_PER_THREAD) {
        let texts: Vec<Vec<u8>> = group
            .par_iter()
            .map(|block| {
                let mut text = Vec::new();
                block.clone().for_each(|vertex| render(vertex, &mut text));
                text
            })
            .collect();
        texts.iter().try_for_each(|text| sink.write_all(text))?;
    }
    Ok(())
}

/// Cuts the vertices into ranges of about equal work. A vertex with very many arcs is a block of its own.
fn blocks(csr: &Csr) -> Vec<Range<Vertex>> {
    let (mut blocks, mut first, mut items) = (Vec::new(), 0, 0);
    for vertex in csr.vertices() {
        items += 1 + csr.degree(vertex);
        if items >= BLOCK_ITEMS {
            blocks.push(first..vertex + 1);
            (first, items) = (vertex + 1, 0);
        }
    }
    blocks.push(first..csr.num_vertices());
    blocks
}

/// The two digits of every number below 100: half the divisions.
const DIGIT_PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    pairs
};

/// Appends the digits of `number`.
#[inline]
pub(super) fn push_number(text: &mut Vec<u8>, mut number: u64) {
    const DIGITS_MAX: usize = 20;
    let mut digits = [b'0'; DIGITS_MAX];
    let mut start = DIGITS_MAX;
    while number >= 10 {
        start -= 2;
        digits[start..start + 2].copy_from_slice(&DIGIT_PAIRS[(number % 100) as usize]);
        number /= 100;
    }
    // A leading digit is left over unless the last pair took it, or the number is zero.
    if number > 0 || start == DIGITS_MAX {
        start -= 1;
        digits[start] = b'0' + number as u8;
    }
    text.extend_from_slice(&digits[start..]);
}

/// Appends a line of numbers with `separator` between them.
#[inline]
pub(super) fn push_line(text: &mut Vec<u8>, separator: u8, numbers: [u64; 2], weight: Option<Weight>) {
    push_number(text, numbers[0]);
    text.push(separator);
    push_number(text, numbers[1]);
    if let Some(weight) = weight {
        text.push(separator);
        push_number(text, weight.into());
    }
    text.push(b'\n');
}

/// Passes the arcs of `vertex` that are written, with their weights.
#[inline]
pub(super) fn for_each_arc(
    csr: &Csr,
    vertex: Vertex,
    written: impl Fn(Vertex) -> bool,
    mut visit: impl FnMut(Vertex, Option<Weight>),
) {
    let weights = csr.neighbour_weights(vertex);
    for (place, &target) in csr.neighbours(vertex).iter().enumerate() {
        if written(target) {
            visit(target, weights.map(|weights| weights[place]));
        }
    }
}

/// How many edges an undirected graph has: pairs, and self-loops.
pub(super) fn count_edges(graph: &Graph, format: Format) -> Result<u64, WriteError> {
    let csr = graph.out_edges();
    let (edges, loops) = csr
        .vertices()
        .into_par_iter()
        .map(|vertex| {
            let neighbours = csr.neighbours(vertex);
            let edges = neighbours.iter().filter(|&&target| target <= vertex).count() as u64;
            (edges, neighbours.iter().filter(|&&target| target == vertex).count() as u64)
        })
        .reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
    if 2 * edges - loops != csr.num_arcs() {
        let reason = "it is called undirected, but some arcs lack their opposites";
        return Err(WriteError::unsupported(format, reason, "apply --transform symmetrise first"));
    }
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_standard_library_writes_them() {
        let mut numbers = vec![0, u64::MAX, u64::from(u32::MAX)];
        numbers.extend((0..20).flat_map(|power| {
            let ten = 10u64.pow(power);
            [ten - 1, ten, ten + 1, 2 * (ten / 2) + 7]
        }));
        for number in numbers {
            let mut text = Vec::new();
            push_number(&mut text, number);
            assert_eq!(String::from_utf8(text).unwrap(), number.to_string());
        }
    }
}
