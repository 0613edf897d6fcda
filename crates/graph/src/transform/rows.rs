//! Rows made from rows, range by range in parallel, without a list of arcs in between.
//!
//! [`build`] makes every row anew and needs the result beside its input; [`compact`] drops arcs in place
//! and needs no second copy.

use crate::csr::{Csr, Vertex, Weight};
use crate::metrics::ranges::vertex_ranges;
use rayon::prelude::*;
use std::ops::Range;

/// A graph whose vertex `v` has `degree(v)` arcs, written by `fill(v, targets, weights)`. The slice of
/// weights is empty unless the graph is `weighted`.
pub(super) fn build(
    vertices: u32,
    weighted: bool,
    degree: impl Fn(Vertex) -> u64 + Sync,
    fill: impl Fn(Vertex, &mut [Vertex], &mut [Weight]) + Sync,
) -> Csr {
    let mut offsets = vec![0u64; vertices as usize + 1];
    offsets[1..].par_iter_mut().enumerate().for_each(|(v, offset)| *offset = degree(v as Vertex));
    let mut arcs = 0;
    for offset in &mut offsets {
        arcs += *offset;
        *offset = arcs;
    }
    let mut targets: Vec<Vertex> = vec![0; arcs as usize];
    let mut weights: Vec<Weight> = vec![0; if weighted { arcs as usize } else { 0 }];
    split(&offsets, &mut targets, &mut weights).into_par_iter().for_each(|part| {
        part.for_each_row(&offsets, |vertex, targets, weights| fill(vertex, targets, weights));
    });
    Csr::from_parts(offsets, targets, weighted.then_some(weights))
}

/// The same graph without some arcs. `keep(scratch, v, targets, weights)` moves what stays of a row to its
/// front and says how much that is. The slice of weights is empty unless the graph has weights.
pub(super) fn compact<S>(
    csr: Csr,
    scratch: impl Fn() -> S + Sync,
    keep: impl Fn(&mut S, Vertex, &mut [Vertex], &mut [Weight]) -> usize + Sync,
) -> Csr {
    let (mut offsets, mut targets, weights) = csr.into_parts();
    let weighted = weights.is_some();
    let mut weights = weights.unwrap_or_default();
    let kept_by_range: Vec<Vec<u64>> = split(&offsets, &mut targets, &mut weights)
        .into_par_iter()
        .map_init(&scratch, |scratch, part| {
            let mut kept = Vec::with_capacity(part.vertices.len());
            part.for_each_row(&offsets, |vertex, targets, weights| {
                kept.push(keep(scratch, vertex, targets, weights) as u64);
            });
            kept
        })
        .collect();
    let (mut read, mut write) = (0, 0);
    for (vertex, kept) in kept_by_range.into_iter().flatten().enumerate() {
        let row = read as usize..(read + kept) as usize;
        if read != write && kept > 0 {
            targets.copy_within(row.clone(), write as usize);
            if weighted {
                weights.copy_within(row, write as usize);
            }
        }
        read = offsets[vertex + 1];
        write += kept;
        offsets[vertex + 1] = write;
    }
    targets.truncate(write as usize);
    targets.shrink_to_fit();
    weights.truncate(write as usize);
    weights.shrink_to_fit();
    Csr::from_parts(offsets, targets, weighted.then_some(weights))
}

/// A range of vertices and the slices that hold their arcs.
struct Part<'a> {
    vertices: Range<Vertex>,
    targets: &'a mut [Vertex],
    weights: &'a mut [Weight],
}

fn split<'a>(offsets: &[u64], mut targets: &'a mut [Vertex], mut weights: &'a mut [Weight]) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    for vertices in vertex_ranges(offsets) {
        let arcs = (offsets[vertices.end as usize] - offsets[vertices.start as usize]) as usize;
        let (own_targets, rest_targets) = targets.split_at_mut(arcs);
        let (own_weights, rest_weights) = weights.split_at_mut(arcs.min(weights.len()));
        parts.push(Part { vertices, targets: own_targets, weights: own_weights });
        (targets, weights) = (rest_targets, rest_weights);
    }
    parts
}

impl Part<'_> {
    fn for_each_row(self, offsets: &[u64], mut visit: impl FnMut(Vertex, &mut [Vertex], &mut [Weight])) {
        let (mut targets, mut weights) = (self.targets, self.weights);
        for vertex in self.vertices {
            let degree = (offsets[vertex as usize + 1] - offsets[vertex as usize]) as usize;
            let (own_targets, rest_targets) = targets.split_at_mut(degree);
            let (own_weights, rest_weights) = weights.split_at_mut(degree.min(weights.len()));
            visit(vertex, own_targets, own_weights);
            (targets, weights) = (rest_targets, rest_weights);
        }
    }
}

/// Moves the arcs that `stays` accepts to the front of a row, in order.
pub(super) fn retain(
    targets: &mut [Vertex],
    weights: &mut [Weight],
    mut stays: impl FnMut(Vertex) -> bool,
) -> usize {
    let mut kept = 0;
    for index in 0..targets.len() {
        if stays(targets[index]) {
            targets[kept] = targets[index];
            if !weights.is_empty() {
                weights[kept] = weights[index];
            }
            kept += 1;
        }
    }
    kept
}
