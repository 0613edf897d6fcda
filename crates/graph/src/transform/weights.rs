//! Seeded weights in a range that the user names.
//!
//! The weight of an arc is a function of the seed, of its two ends in rising order and of how many arcs of
//! its vertex before it lead to the same target. It does not depend on the order of other arcs, and an arc
//! and its opposite weigh the same, parallel ones included: an undirected graph stays undirected, and so
//! does a symmetric one that is held as directed.

use super::{Transformed, note};
use crate::csr::{Csr, Vertex, Weight};
use crate::generate::random::Random;
use crate::graph::Graph;
use crate::metrics::ranges::vertex_ranges;
use crate::metrics::seen::Seen;
use rayon::prelude::*;

/// Gives every arc a weight from `min` to `max`, both included. (The parser refuses an empty range.)
pub(super) fn apply(graph: Graph, min: Weight, max: Weight, seed: u64) -> Transformed {
    assert!(min <= max, "there is no weight from {min} to {max}");
    let replaced = if graph.is_weighted() { ", in place of those there were" } else { "" };
    let arcs = note::count(graph.num_arcs(), "arc");
    let note = format!("gave {arcs} random weights from {min} to {max} (seed {seed}){replaced}");
    let kind = graph.kind();
    let (offsets, targets, _) = graph.into_out_edges().into_parts();
    let csr = Csr::from_parts(offsets, targets, None);
    let weights = Draw { min, choices: u64::from(max - min) + 1, seed }.all(&csr);
    let (offsets, targets, _) = csr.into_parts();
    Transformed { graph: Graph::new(kind, Csr::from_parts(offsets, targets, Some(weights))), note }
}

struct Draw {
    min: Weight,
    choices: u64,
    seed: u64,
}

impl Draw {
    fn all(&self, csr: &Csr) -> Vec<Weight> {
        let mut weights: Vec<Weight> = vec![0; csr.num_arcs() as usize];
        let mut rest = &mut weights[..];
        let mut parts = Vec::new();
        for range in vertex_ranges(csr.offsets()) {
            let arcs = csr.offsets()[range.end as usize] - csr.offsets()[range.start as usize];
            let (own, others) = rest.split_at_mut(arcs as usize);
            parts.push((range, own));
            rest = others;
        }
        parts.into_par_iter().for_each_init(
            || Seen::new(csr.num_vertices()),
            |seen, (range, mut weights)| {
                for vertex in range {
                    let targets = csr.neighbours(vertex);
                    let (own, others) = weights.split_at_mut(targets.len());
                    self.row(seen, vertex, targets, own);
                    weights = others;
                }
            },
        );
        weights
    }

    fn row(&self, seen: &mut Seen, vertex: Vertex, targets: &[Vertex], weights: &mut [Weight]) {
        if seen.repeats(targets) == 0 {
            for (&target, weight) in targets.iter().zip(weights) {
                *weight = self.weight(vertex, target, 0);
            }
            return;
        }
        let mut sorted = targets.to_vec();
        sorted.sort_unstable();
        let mut occurrences = vec![0u64; targets.len()];
        for (&target, weight) in targets.iter().zip(weights) {
            let occurrence = &mut occurrences[sorted.partition_point(|&other| other < target)];
            *weight = self.weight(vertex, target, *occurrence);
            *occurrence += 1;
        }
    }

    fn weight(&self, source: Vertex, target: Vertex, occurrence: u64) -> Weight {
        let pair = u64::from(source.min(target)) << 32 | u64::from(source.max(target));
        let mut random = Random::new(self.seed, pair);
        if occurrence > 0 {
            random = Random::new(random.bits(), occurrence);
        }
        self.min + random.below(self.choices) as Weight
    }
}
