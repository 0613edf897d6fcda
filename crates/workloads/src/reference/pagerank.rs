//! PageRank by power iteration, every vertex pulling from its in-neighbours.
//!
//! The rank of a vertex is `(1 - d) / V` plus `d` times what its in-neighbours send: each spreads its rank
//! evenly over its outgoing arcs, so parallel arcs carry a share each and a self-loop keeps one. Vertices
//! without an outgoing arc spread their rank over all vertices. Ranks sum to 1.
//!
//! Sums over all vertices are taken in blocks of a fixed size, and the blocks added in order, so that the
//! number of threads does not show in the last bit.

use heddle_graph::{Graph, Vertex};
use rayon::prelude::*;
use thiserror::Error;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The share of rank that follows arcs, from 0 to below 1; the rest goes anywhere.
    pub damping: f64,
    /// Stop when one iteration changes the ranks by no more than this in all (L1 norm).
    pub tolerance: f64,
    /// Stop after this many iterations in any case.
    pub iterations_max: u32,
}

impl Default for Settings {
    /// Damping 0.85, as usual; 1e-9, which takes about 130 iterations.
    fn default() -> Settings {
        Settings { damping: 0.85, tolerance: 1e-9, iterations_max: 10_000 }
    }
}

/// Why PageRank cannot be computed.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum BadSettings {
    /// Damping must be at least 0 and below 1.
    #[error("damping is {0}; expected at least 0 and below 1")]
    Damping(f64),
    /// The tolerance must not be negative.
    #[error("tolerance is {0}; expected a number that is not negative")]
    Tolerance(f64),
}

/// Ranks, and how near they are.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRank {
    /// The rank of every vertex.
    pub ranks: Vec<f64>,
    /// Iterations made.
    pub iterations: u32,
    /// What the last iteration changed (L1 norm). The ranks have converged if it is within the tolerance.
    pub residual: f64,
}

/// Ranks of all vertices, starting from the uniform distribution.
pub fn ranks(graph: &Graph, settings: &Settings) -> Result<PageRank, BadSettings> {
    if !(0.0..1.0).contains(&settings.damping) {
        return Err(BadSettings::Damping(settings.damping));
    }
    if settings.tolerance.is_nan() || settings.tolerance < 0.0 {
        return Err(BadSettings::Tolerance(settings.tolerance));
    }
    let vertices = graph.num_vertices() as usize;
    let mut result = PageRank { ranks: vec![1.0 / vertices as f64; vertices], iterations: 0, residual: 0.0 };
    if vertices == 0 {
        return Ok(result);
    }
    while result.iterations < settings.iterations_max {
        let next = iterate(graph, settings.damping, &result.ranks);
        result.residual = sum_in_blocks(vertices, |v| (next[v] - result.ranks[v]).abs());
        result.ranks = next;
        result.iterations += 1;
        if result.residual <= settings.tolerance {
            break;
        }
    }
    Ok(result)
}

/// One iteration.
fn iterate(graph: &Graph, damping: f64, ranks: &[f64]) -> Vec<f64> {
    let (outgoing, incoming) = (graph.out_edges(), graph.in_edges());
    let vertices = ranks.len() as f64;
    let out_degree = |vertex: usize| outgoing.degree(vertex as Vertex);
    let dangling = sum_in_blocks(ranks.len(), |v| if out_degree(v) == 0 { ranks[v] } else { 0.0 });
    // A vertex without arcs gets no share to send, and nobody asks it for one.
    let shares: Vec<f64> =
        ranks.par_iter().enumerate().map(|(v, rank)| rank / out_degree(v).max(1) as f64).collect();
    let everywhere = (1.0 - damping) / vertices + damping * dangling / vertices;
    let pull = |vertex: Vertex| {
        let received: f64 = incoming.neighbours(vertex).iter().map(|&from| shares[from as usize]).sum();
        everywhere + damping * received
    };
    incoming.vertices().into_par_iter().with_min_len(256).map(pull).collect()
}

/// Terms of one partial sum.
const BLOCK_TERMS: usize = 4096;

/// The sum of `term(0..terms)`, the same for any number of threads.
fn sum_in_blocks(terms: usize, term: impl Fn(usize) -> f64 + Sync) -> f64 {
    let blocks = terms.div_ceil(BLOCK_TERMS);
    let sum_block = |block: usize| -> f64 {
        (block * BLOCK_TERMS..((block + 1) * BLOCK_TERMS).min(terms)).map(&term).sum()
    };
    let sums: Vec<f64> = (0..blocks).into_par_iter().map(sum_block).collect();
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_graph::Csr;

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        let graph = Graph::directed(Csr::empty(2));
        for damping in [-0.1, 1.0, f64::NAN] {
            let answer = ranks(&graph, &Settings { damping, ..Settings::default() });
            assert!(matches!(answer, Err(BadSettings::Damping(_))), "{damping}");
        }
        for tolerance in [-1e-9, f64::NAN] {
            let answer = ranks(&graph, &Settings { tolerance, ..Settings::default() });
            assert!(matches!(answer, Err(BadSettings::Tolerance(_))), "{tolerance}");
        }
    }

    #[test]
    fn the_iteration_limit_ends_it() {
        let arcs = [(0, 1), (1, 0), (1, 2)].into_iter().collect();
        let graph = Graph::directed(heddle_graph::build::from_arcs(&arcs, 3).unwrap());
        let settings = Settings { tolerance: 0.0, iterations_max: 7, ..Settings::default() };
        let answer = ranks(&graph, &settings).unwrap();
        assert_eq!(answer.iterations, 7);
        assert!(answer.residual > 0.0);
    }
}
