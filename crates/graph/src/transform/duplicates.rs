//! Without all but the first of parallel arcs.
//!
//! The two directions of an undirected graph must go on weighing the same, and each has a first arc of its
//! own. There the arc that stays takes the smallest weight of those that it stands for.

use super::{Transformed, note, rows};
use crate::csr::{Vertex, Weight};
use crate::graph::{Graph, Kind};
use crate::metrics::seen::Seen;

pub(super) fn apply(graph: Graph) -> Transformed {
    let (kind, arcs, vertices) = (graph.kind(), graph.num_arcs(), graph.num_vertices());
    let take_smallest = kind == Kind::Undirected && graph.is_weighted();
    let csr = rows::compact(
        graph.into_out_edges(),
        || Seen::new(vertices),
        |seen, _, targets, weights| {
            if seen.repeats(targets) == 0 {
                return targets.len();
            }
            let smallest = if take_smallest { smallest_weights(targets, weights) } else { Vec::new() };
            let kept = rows::retain(targets, weights, |target| seen.insert(target));
            seen.remove_all(&targets[..kept]);
            if take_smallest {
                give_weights(&smallest, &targets[..kept], weights);
            }
            kept
        },
    );
    let rule = if take_smallest { ", the smallest weight kept" } else { ", the first kept" };
    let dropped = note::count(arcs - csr.num_arcs(), "parallel arc");
    let note = format!("dropped {dropped}{rule}; {}", note::remaining_arcs(csr.num_arcs()));
    Transformed { graph: Graph::new(kind, csr), note }
}

/// Every target of a row once, in order, with its smallest weight.
fn smallest_weights(targets: &[Vertex], weights: &[Weight]) -> Vec<(Vertex, Weight)> {
    let mut pairs: Vec<_> = targets.iter().copied().zip(weights.iter().copied()).collect();
    pairs.sort_unstable();
    pairs.dedup_by_key(|&mut (target, _)| target);
    pairs
}

fn give_weights(smallest: &[(Vertex, Weight)], targets: &[Vertex], weights: &mut [Weight]) {
    for (target, weight) in targets.iter().zip(weights) {
        if let Ok(place) = smallest.binary_search_by_key(target, |&(target, _)| target) {
            *weight = smallest[place].1;
        }
    }
}
