//! Arcs that occur more than once, lead nowhere new, or lack their opposite.

use super::ranges::vertex_ranges;
use super::seen::Seen;
use crate::build;
use crate::csr::{Csr, Vertex};
use crate::graph::Graph;
use rayon::prelude::*;

/// Arcs from a vertex to itself.
pub fn self_loops(csr: &Csr) -> u64 {
    let of_vertex = |v: Vertex| csr.neighbours(v).iter().filter(|&&target| target == v).count() as u64;
    vertex_ranges(csr.offsets()).into_par_iter().map(|range| range.map(of_vertex).sum::<u64>()).sum()
}

/// Arcs beyond the first with the same source and target. Weights do not tell arcs apart.
///
/// Linear in the arcs; each thread needs one bit per vertex.
pub fn duplicates(csr: &Csr) -> u64 {
    vertex_ranges(csr.offsets())
        .into_par_iter()
        .map_init(
            || Seen::new(csr.num_vertices()),
            |seen, range| range.map(|v| seen.repeats(csr.neighbours(v))).sum::<u64>(),
        )
        .sum()
}

/// Whether every arc has its opposite, as often as it occurs itself. Weights are not compared.
pub fn is_symmetric(csr: &Csr) -> bool {
    is_balanced(csr) && has_rows(csr, &build::transposed(csr))
}

/// The same of a graph, whose incoming arcs need not be made another time.
pub fn graph_is_symmetric(graph: &Graph) -> bool {
    let csr = graph.out_edges();
    !graph.is_directed() || is_balanced(csr) && has_rows(csr, graph.in_edges())
}

/// Whether the arcs may be symmetric, as most graphs that pass this are.
fn is_balanced(csr: &Csr) -> bool {
    // A sum over the arcs that vanishes for symmetric graphs, and hardly ever for others, saves most of
    // the latter the transpose.
    let ranges = vertex_ranges(csr.offsets());
    let balance = |v: Vertex| {
        let skew = |sum: u64, &target: &Vertex| {
            sum.wrapping_add(fingerprint(v, target)).wrapping_sub(fingerprint(target, v))
        };
        csr.neighbours(v).iter().fold(0u64, skew)
    };
    let total = ranges
        .par_iter()
        .map(|range| range.clone().map(balance).fold(0, u64::wrapping_add))
        .reduce(|| 0, u64::wrapping_add);
    total == 0
}

/// Whether the rows are those of a transpose, in any order.
fn has_rows(csr: &Csr, incoming: &Csr) -> bool {
    vertex_ranges(csr.offsets()).into_par_iter().all(|range| {
        let mut sorted = Vec::new();
        range.into_iter().all(|v| {
            sorted.clear();
            sorted.extend_from_slice(csr.neighbours(v));
            sorted.sort_unstable();
            // The rows of a transpose are sorted by construction.
            sorted == incoming.neighbours(v)
        })
    })
}

fn fingerprint(source: Vertex, target: Vertex) -> u64 {
    let bits = (u64::from(source) << 32 | u64::from(target)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (bits ^ (bits >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(arcs: &[(Vertex, Vertex)]) -> Csr {
        build::from_arcs(&arcs.iter().copied().collect(), 6).unwrap()
    }

    #[test]
    fn loops_and_duplicates_are_told_apart() {
        let csr = graph(&[(0, 1), (1, 1), (1, 1), (0, 1), (0, 2), (0, 1), (5, 0)]);
        assert_eq!(self_loops(&csr), 2);
        assert_eq!(duplicates(&csr), 3);
    }

    #[test]
    fn symmetry_counts_multiplicity() {
        assert!(is_symmetric(&graph(&[])));
        assert!(is_symmetric(&graph(&[(3, 3), (0, 1), (1, 0)])));
        assert!(!is_symmetric(&graph(&[(0, 1), (1, 2), (2, 0)])));
        assert!(!is_symmetric(&graph(&[(0, 1), (0, 1), (1, 0)])));
        assert!(is_symmetric(&graph(&[(0, 1), (0, 1), (1, 0), (1, 0)])));
    }
}
