//! Every arc and its opposite: each once, or as often as they come.
//!
//! - The **union** has every unordered pair of neighbours once in each direction and a self-loop once, with
//!   the smallest weight of the arcs that it stands for. Rows come out sorted by target.
//! - **Doubling** adds the opposite of every arc, and an arc that already had one is then there twice. This
//!   is how table II of \[Salvador20\] counts edges. A self-loop is its own opposite and is not
//!   doubled (that document drops self-edges first).
//!
//! Doubling needs the arcs and the result at once; the union is then thinned in place.

use super::{Transformed, note, rows};
use crate::build::{self, Mirrored};
use crate::csr::{Csr, Vertex, Weight};
use crate::graph::Graph;
use crate::metrics;

fn doubled(csr: Csr) -> Csr {
    let vertices = u64::from(csr.num_vertices());
    build::csr(&Mirrored(&csr), vertices).expect("the arcs of a graph name its own vertices")
}

/// Doubles; an undirected graph has both directions of every edge already.
pub(super) fn double(graph: Graph) -> Transformed {
    if !graph.is_directed() {
        let note =
            format!("doubled nothing: the graph is undirected; {}", note::remaining_arcs(graph.num_arcs()));
        return Transformed { graph, note };
    }
    let before = graph.num_arcs();
    let loops = metrics::self_loops(graph.out_edges());
    let graph = Graph::undirected(doubled(graph.into_out_edges()));
    let kept_once = match loops {
        0 => String::new(),
        loops => format!(" ({} kept single)", note::count(loops, "self-loop")),
    };
    let (before, after) = (note::count(before, "arc"), note::count(graph.num_arcs(), "arc"));
    let note = format!("doubled {before} to {after}, reciprocal duplicates kept{kept_once}");
    Transformed { graph, note }
}

/// Makes the union.
pub(super) fn union(graph: Graph) -> Transformed {
    let before = graph.num_arcs();
    let weighted = graph.is_weighted();
    let csr = if graph.is_directed() { doubled(graph.into_out_edges()) } else { graph.into_out_edges() };
    let csr = rows::compact(csr, Vec::new, |scratch, _, targets, weights| {
        if weights.is_empty() { unite(targets) } else { unite_weighted(scratch, targets, weights) }
    });
    let rule = if weighted { ", the smallest weight of each pair kept" } else { "" };
    let (before, after) = (note::count(before, "arc"), note::count(csr.num_arcs(), "arc"));
    let note = format!("symmetrised {before} to {after}, every pair once per direction{rule}");
    Transformed { graph: Graph::undirected(csr), note }
}

/// Sorts a row and keeps every target once.
fn unite(targets: &mut [Vertex]) -> usize {
    targets.sort_unstable();
    let mut last = None;
    rows::retain(targets, &mut [], |target| last.replace(target) != Some(target))
}

/// Sorts a row and keeps every target once, with its smallest weight.
fn unite_weighted(
    scratch: &mut Vec<(Vertex, Weight)>,
    targets: &mut [Vertex],
    weights: &mut [Weight],
) -> usize {
    scratch.clear();
    scratch.extend(targets.iter().copied().zip(weights.iter().copied()));
    scratch.sort_unstable();
    scratch.dedup_by_key(|&mut (target, _)| target);
    for (index, &(target, weight)) in scratch.iter().enumerate() {
        (targets[index], weights[index]) = (target, weight);
    }
    scratch.len()
}
