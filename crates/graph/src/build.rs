//! Arcs to compressed sparse rows: a stable counting sort by source.
//!
//! Two visits of the arcs: one counts degrees, one puts every arc in its place. The vertices are cut into
//! ranges and each range is built on its own (each reads all arcs and keeps its share): no atomics, no
//! unsafe code, no second copy of the arcs, and the order within a vertex is the input's whatever the
//! number of threads. The offset array serves as the cursors of the second visit, so the peak is the arcs
//! plus the result: at most three times the result.

use crate::arcs::ArcList;
use crate::csr::{Csr, VERTICES_MAX, Vertex, Weight};
use rayon::prelude::*;
use thiserror::Error;

/// Anything that can list its arcs again and again, always in the same order.
pub trait ArcSource: Sync {
    /// Whether the weights passed by [`for_each`](ArcSource::for_each) mean anything.
    fn is_weighted(&self) -> bool;
    /// Number of arcs that [`for_each`](ArcSource::for_each) will pass.
    fn num_arcs(&self) -> u64;
    /// Passes every arc as source, target, weight.
    fn for_each<F: FnMut(Vertex, Vertex, Weight)>(&self, visit: F);
}

impl ArcSource for ArcList {
    fn is_weighted(&self) -> bool {
        ArcList::is_weighted(self)
    }

    fn num_arcs(&self) -> u64 {
        self.len()
    }

    fn for_each<F: FnMut(Vertex, Vertex, Weight)>(&self, mut visit: F) {
        for segment in self.segments() {
            if self.is_weighted() {
                for (&(source, target), &weight) in segment.pairs.iter().zip(&segment.weights) {
                    visit(source, target, weight);
                }
            } else {
                for &(source, target) in &segment.pairs {
                    visit(source, target, 1);
                }
            }
        }
    }
}

/// Every arc in both directions; a self-loop once, as symmetric Matrix Market holds its diagonal.
pub struct Mirrored<'a, S>(pub &'a S);

impl<S: ArcSource> ArcSource for Mirrored<'_, S> {
    fn is_weighted(&self) -> bool {
        self.0.is_weighted()
    }

    fn num_arcs(&self) -> u64 {
        let mut arcs = 0;
        self.0.for_each(|source, target, _| arcs += if source == target { 1 } else { 2 });
        arcs
    }

    fn for_each<F: FnMut(Vertex, Vertex, Weight)>(&self, mut visit: F) {
        self.0.for_each(|source, target, weight| {
            visit(source, target, weight);
            if source != target {
                visit(target, source, weight);
            }
        });
    }
}

/// Every arc of a graph turned round.
pub struct Transposed<'a>(pub &'a Csr);

impl ArcSource for Transposed<'_> {
    fn is_weighted(&self) -> bool {
        self.0.weights().is_some()
    }

    fn num_arcs(&self) -> u64 {
        self.0.num_arcs()
    }

    fn for_each<F: FnMut(Vertex, Vertex, Weight)>(&self, mut visit: F) {
        for vertex in self.0.vertices() {
            match self.0.neighbour_weights(vertex) {
                Some(weights) => {
                    for (&target, &weight) in self.0.neighbours(vertex).iter().zip(weights) {
                        visit(target, vertex, weight);
                    }
                }
                None => self.0.neighbours(vertex).iter().for_each(|&target| visit(target, vertex, 1)),
            }
        }
    }
}

/// Why arcs do not make a graph.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BuildError {
    /// Vertex ids have 32 bits, and one is kept free.
    #[error("{0} vertices; at most {VERTICES_MAX} fit 32-bit ids")]
    TooManyVertices(u64),
    /// An arc names a vertex that does not exist.
    #[error("an arc names vertex {vertex}; there are only {vertices} vertices")]
    VertexOutOfRange {
        /// The vertex named.
        vertex: Vertex,
        /// How many there are.
        vertices: u32,
    },
}

/// A graph as its arcs were given: the common case of [`csr`].
pub fn from_arcs(arcs: &ArcList, vertices: u64) -> Result<Csr, BuildError> {
    csr(arcs, vertices)
}

/// Both directions of every arc given.
pub fn from_undirected_arcs(arcs: &ArcList, vertices: u64) -> Result<Csr, BuildError> {
    csr(&Mirrored(arcs), vertices)
}

/// The incoming arcs of a graph; those of a vertex stand by source.
pub fn transposed(csr: &Csr) -> Csr {
    build(&Transposed(csr), csr.num_vertices())
}

/// Builds the rows of `source` over `vertices` vertices.
pub fn csr<S: ArcSource>(source: &S, vertices: u64) -> Result<Csr, BuildError> {
    if vertices > VERTICES_MAX {
        return Err(BuildError::TooManyVertices(vertices));
    }
    let vertices = vertices as u32;
    let mut vertex_max = None;
    source.for_each(|source, target, _| vertex_max = vertex_max.max(Some(source.max(target))));
    match vertex_max {
        Some(vertex) if vertex >= vertices => Err(BuildError::VertexOutOfRange { vertex, vertices }),
        _ => Ok(build(source, vertices)),
    }
}

/// Below this many arcs one range is fastest.
const ARCS_PER_RANGE_MIN: u64 = 1 << 18;

fn build<S: ArcSource>(source: &S, vertices: u32) -> Csr {
    let arcs = source.num_arcs();
    let ranges = (rayon::current_num_threads() as u64).min(arcs / ARCS_PER_RANGE_MIN).max(1) as usize;
    // `starts[v]` is first the degree of v, then where its arcs begin, and last where they end.
    let mut offsets = vec![0u64; vertices as usize + 1];
    let starts = &mut offsets[1..];
    count_degrees(source, starts, ranges);
    let mut sum = 0;
    for start in starts.iter_mut() {
        sum += std::mem::replace(start, sum);
    }
    debug_assert_eq!(sum, arcs);
    let mut targets: Vec<Vertex> = vec![0; arcs as usize];
    let mut weights: Vec<Weight> = if source.is_weighted() { vec![0; arcs as usize] } else { Vec::new() };
    let parts = split_by_arcs(starts, &mut targets, &mut weights, arcs, ranges);
    parts.into_par_iter().for_each(|part| part.fill(source));
    Csr::from_parts(offsets, targets, source.is_weighted().then_some(weights))
}

fn count_degrees<S: ArcSource>(source: &S, degrees: &mut [u64], ranges: usize) {
    let width = degrees.len().div_ceil(ranges).max(1);
    degrees.par_chunks_mut(width).enumerate().for_each(|(range, degrees)| {
        let first = (range * width) as u32;
        source.for_each(|vertex, _, _| {
            if let Some(degree) = degrees.get_mut(vertex.wrapping_sub(first) as usize) {
                *degree += 1;
            }
        });
    });
}

/// A range of vertices and the slices of the result that hold their arcs.
struct Part<'a> {
    first_vertex: Vertex,
    first_arc: u64,
    starts: &'a mut [u64],
    targets: &'a mut [Vertex],
    weights: &'a mut [Weight],
}

/// Cuts the vertices into ranges of about equally many arcs.
fn split_by_arcs<'a>(
    mut starts: &'a mut [u64],
    mut targets: &'a mut [Vertex],
    mut weights: &'a mut [Weight],
    arcs: u64,
    ranges: usize,
) -> Vec<Part<'a>> {
    let mut parts = Vec::with_capacity(ranges);
    let (mut first_vertex, mut first_arc) = (0, 0);
    for range in 1..=ranges {
        let share = arcs * range as u64 / ranges as u64;
        let width =
            if range == ranges { starts.len() } else { starts.partition_point(|&start| start < share) };
        let (own_starts, rest_starts) = starts.split_at_mut(width);
        let end_arc = rest_starts.first().map_or(arcs, |&start| start);
        let count = (end_arc - first_arc) as usize;
        let (own_targets, rest_targets) = targets.split_at_mut(count);
        let (own_weights, rest_weights) = weights.split_at_mut(count.min(weights.len()));
        parts.push(Part {
            first_vertex,
            first_arc,
            starts: own_starts,
            targets: own_targets,
            weights: own_weights,
        });
        (starts, targets, weights) = (rest_starts, rest_targets, rest_weights);
        (first_vertex, first_arc) = (first_vertex + width as u32, end_arc);
    }
    parts
}

impl Part<'_> {
    fn fill<S: ArcSource>(self, source: &S) {
        let weighted = source.is_weighted();
        source.for_each(|vertex, target, weight| {
            if let Some(start) = self.starts.get_mut(vertex.wrapping_sub(self.first_vertex) as usize) {
                let place = (*start - self.first_arc) as usize;
                self.targets[place] = target;
                if weighted {
                    self.weights[place] = weight;
                }
                *start += 1;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arcs(pairs: &[(Vertex, Vertex)]) -> ArcList {
        pairs.iter().copied().collect()
    }

    #[test]
    fn arcs_keep_their_order_within_a_vertex() {
        let csr = from_arcs(&arcs(&[(1, 2), (0, 1), (1, 0), (1, 2)]), 4).unwrap();
        assert_eq!(csr.offsets(), &[0, 1, 4, 4, 4]);
        assert_eq!(csr.neighbours(1), &[2, 0, 2]);
    }

    #[test]
    fn mirrored_holds_a_self_loop_once() {
        let csr = from_undirected_arcs(&arcs(&[(0, 1), (1, 1)]), 2).unwrap();
        assert_eq!(csr.neighbours(0), &[1]);
        assert_eq!(csr.neighbours(1), &[0, 1]);
    }

    #[test]
    fn weights_follow_their_arcs() {
        let list: ArcList = [(1u32, 0u32, 7u32), (0, 1, 5), (1, 1, 9)].into_iter().collect();
        let csr = from_arcs(&list, 2).unwrap();
        assert_eq!(csr.neighbour_weights(1), Some(&[7, 9][..]));
        assert_eq!(transposed(&csr).neighbour_weights(1), Some(&[5, 9][..]));
    }

    #[test]
    fn a_vertex_out_of_range_is_named() {
        let error = from_arcs(&arcs(&[(0, 5)]), 3).unwrap_err();
        assert_eq!(error, BuildError::VertexOutOfRange { vertex: 5, vertices: 3 });
    }

    #[test]
    fn no_vertex_no_arc() {
        assert_eq!(from_arcs(&ArcList::unweighted(), 0).unwrap(), Csr::empty(0));
    }

    #[test]
    fn threads_do_not_change_the_result() {
        // Enough arcs for several ranges, with a hub that no cut can divide.
        let pairs: Vec<_> = (0..1u32 << 20)
            .map(|i| (if i % 3 == 0 { 77 } else { i.wrapping_mul(2_654_435_761) >> 17 }, i % 32768))
            .collect();
        let list = arcs(&pairs);
        let build = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| from_arcs(&list, 32768).unwrap())
        };
        let one = build(1);
        assert_eq!(one.num_arcs(), 1 << 20);
        assert_eq!(build(2), one);
        assert_eq!(build(5), one);
    }
}
