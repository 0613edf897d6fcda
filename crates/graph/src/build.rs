//! Arcs to compressed sparse rows: a stable counting sort by source.
//!
//! Sources of arcs are visited a few times and never copied: with what the sort needs beside them the peak
//! is at most three times the result. The order within a vertex is the input's.

mod bucket;
mod rows;

use crate::arcs::ArcList;
use crate::csr::{Csr, VERTICES_MAX, Vertex, Weight};
use crate::limits::host_has;
use thiserror::Error;

/// Anything that can list its arcs again and again, always in the same order.
pub trait ArcSource: Sync {
    /// Whether the weights passed by [`for_each`](ArcSource::for_each) mean anything.
    fn is_weighted(&self) -> bool;
    /// Number of arcs that [`for_each`](ArcSource::for_each) will pass.
    fn num_arcs(&self) -> u64;
    /// Passes every arc as source, target, weight.
    fn for_each<F: FnMut(Vertex, Vertex, Weight)>(&self, visit: F);
    /// Bytes of memory that the arcs take, to keep the peak within bounds.
    fn bytes(&self) -> u64 {
        self.num_arcs() * if self.is_weighted() { 12 } else { 8 }
    }
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

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

/// The arcs of a graph, by source.
impl ArcSource for Csr {
    fn is_weighted(&self) -> bool {
        self.weights().is_some()
    }

    fn num_arcs(&self) -> u64 {
        Csr::num_arcs(self)
    }

    fn for_each<F: FnMut(Vertex, Vertex, Weight)>(&self, mut visit: F) {
        for vertex in self.vertices() {
            match self.neighbour_weights(vertex) {
                Some(weights) => {
                    for (&target, &weight) in self.neighbours(vertex).iter().zip(weights) {
                        visit(vertex, target, weight);
                    }
                }
                None => self.neighbours(vertex).iter().for_each(|&target| visit(vertex, target, 1)),
            }
        }
    }

    fn bytes(&self) -> u64 {
        Csr::bytes(self)
    }
}

/// Every arc of a graph turned round.
pub struct Transposed<'a>(pub &'a Csr);

impl ArcSource for Transposed<'_> {
    fn is_weighted(&self) -> bool {
        self.0.is_weighted()
    }

    fn num_arcs(&self) -> u64 {
        self.0.num_arcs()
    }

    fn for_each<F: FnMut(Vertex, Vertex, Weight)>(&self, mut visit: F) {
        self.0.for_each(|source, target, weight| visit(target, source, weight));
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

/// Why arcs do not make a graph.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BuildError {
    /// Vertex ids have 32 bits, and one is kept free.
    #[error("{0} vertices; at most {VERTICES_MAX} fit 32-bit ids")]
    TooManyVertices(u64),
    /// The host has no room for the rows.
    #[error("the graph needs {0} bytes, and the host has no room for them")]
    NoRoom(u64),
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
    match rows::build(&Transposed(csr), csr.num_vertices().into(), |_| true) {
        Ok(transposed) => transposed,
        Err(error) => unreachable!("a graph's own arcs make a graph: {error}"),
    }
}

/// Builds the rows of `source` over `vertices` vertices.
pub fn csr<S: ArcSource>(source: &S, vertices: u64) -> Result<Csr, BuildError> {
    rows::build(source, vertices, host_has)
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
    fn rows_that_the_host_has_no_room_for_are_an_error() {
        let none = rows::build(&arcs(&[(0, 1)]), 2, |bytes| bytes < 28);
        assert_eq!(none.unwrap_err(), BuildError::NoRoom(28), "three offsets and a target");
        assert!(!host_has(1 << 62));
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
