//! A bucket: which vertices share one, how their arcs stand in it, and how these are put in order.

use crate::csr::{Vertex, Weight};

/// 2^8 places are written in turn without leaving the nearest cache.
const BUCKET_BITS: u32 = 8;
/// Up to 2^10 are still better than a second array.
const BUCKET_BITS_MAX: u32 = 10;
/// The width of the array that holds what a source is above its bucket's first vertex.
const LOW_BITS_MAX: u32 = 16;
/// How vertices are put into buckets, and what stands in a bucket.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) vertices: u32,
    /// Bits of a source that tell vertices of a bucket apart.
    pub(super) low_bits: u32,
    /// Bits of the largest id.
    id_bits: u32,
}

impl Layout {
    pub(super) fn new(vertices: u32) -> Layout {
        let id_bits = u32::BITS - vertices.saturating_sub(1).leading_zeros();
        let wanted = id_bits.saturating_sub(BUCKET_BITS);
        let packable = wanted.min(u32::BITS - id_bits);
        let low_bits =
            if id_bits - packable <= BUCKET_BITS_MAX { packable } else { wanted.min(LOW_BITS_MAX) };
        Layout { vertices, low_bits, id_bits }
    }

    pub(super) fn buckets(self) -> usize {
        (u64::from(self.vertices).div_ceil(1 << self.low_bits)) as usize
    }

    pub(super) fn bucket(self, vertex: Vertex) -> usize {
        (vertex >> self.low_bits) as usize
    }

    pub(super) fn low(self, vertex: Vertex) -> u32 {
        vertex & ((1 << self.low_bits) - 1)
    }

    /// Whether target and low bits of the source fit one word.
    pub(super) fn is_packed(self) -> bool {
        self.id_bits + self.low_bits <= u32::BITS
    }

    pub(super) fn pack(self, source: Vertex, target: Vertex) -> u32 {
        // With one bucket per vertex nothing is left to shift, and 32-bit ids would shift out of the word.
        if self.low_bits == 0 { target } else { self.low(source) << self.id_bits | target }
    }

    fn packed_low(self, word: u32) -> u32 {
        if self.low_bits == 0 { 0 } else { word >> self.id_bits }
    }

    fn packed_target(self, word: u32) -> Vertex {
        if self.low_bits == 0 { word } else { word & ((1 << self.id_bits) - 1) }
    }
}

/// Puts the arcs of one bucket after the other in order; keeps its arrays between them.
#[derive(Default)]
pub(super) struct BucketSorter {
    /// First the degree of each vertex, then where its row begins, and last where it ends.
    cursors: Vec<u32>,
    copy: Vec<u32>,
    weights_copy: Vec<Weight>,
}

impl BucketSorter {
    pub(super) fn sort(
        &mut self,
        layout: Layout,
        lows: &[u16],
        ends: &mut [u64],
        targets: &mut [Vertex],
        weights: &mut [Weight],
    ) {
        refill(&mut self.copy, targets);
        refill(&mut self.weights_copy, weights);
        self.cursors.clear();
        self.cursors.resize(ends.len(), 0);
        if layout.is_packed() {
            let words = self.copy.iter();
            let lows = words.clone().map(|&word| layout.packed_low(word) as usize);
            let values = words.map(|&word| layout.packed_target(word));
            order(&mut self.cursors, lows, values, targets, &self.weights_copy, weights);
        } else {
            let lows = lows.iter().map(|&low| usize::from(low));
            let values = self.copy.iter().copied();
            order(&mut self.cursors, lows, values, targets, &self.weights_copy, weights);
        }
        for (end, &cursor) in ends.iter_mut().zip(&self.cursors) {
            *end = u64::from(cursor);
        }
    }
}

fn refill(copy: &mut Vec<u32>, values: &[u32]) {
    copy.clear();
    copy.extend_from_slice(values);
}

/// A counting sort by `lows`; `cursors` come as zeros and go as the ends of rows.
fn order(
    cursors: &mut [u32],
    lows: impl Iterator<Item = usize> + Clone,
    values: impl Iterator<Item = Vertex>,
    targets: &mut [Vertex],
    weight_values: &[Weight],
    weights: &mut [Weight],
) {
    lows.clone().for_each(|low| cursors[low] += 1);
    let mut sum = 0;
    for cursor in cursors.iter_mut() {
        sum += std::mem::replace(cursor, sum);
    }
    if !weights.is_empty() {
        let mut cursors = cursors.to_vec();
        place(&mut cursors, lows.clone(), weight_values.iter().copied(), weights);
    }
    place(cursors, lows, values, targets);
}

fn place(
    cursors: &mut [u32],
    lows: impl Iterator<Item = usize>,
    values: impl Iterator<Item = u32>,
    places: &mut [u32],
) {
    for (low, value) in lows.zip(values) {
        let cursor = &mut cursors[low];
        places[*cursor as usize] = value;
        *cursor += 1;
    }
}
