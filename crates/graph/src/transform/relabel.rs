//! New vertex ids. The graph stays the same up to names.
//!
//! The arcs of a vertex keep their order, so rows that were sorted by target no longer are.

use super::{Order, Transformed, note, rows};
use crate::csr::{Csr, Vertex};
use crate::generate::random::Random;
use crate::graph::Graph;
use crate::metrics::seen::Seen;
use rayon::prelude::*;
use std::cmp::Reverse;

pub(super) fn apply(graph: Graph, order: Order) -> Transformed {
    let csr = graph.out_edges();
    let old_ids = match order {
        Order::Degree => by_degree(csr),
        Order::HubSort => hub_sort(csr),
        Order::Bfs => breadth_first(csr),
        Order::Random(seed) => shuffled(csr, seed),
    };
    let vertices = note::vertices(u64::from(csr.num_vertices()));
    let how = match order {
        Order::Degree => "by falling degree".to_string(),
        Order::HubSort => "hubs first, by falling degree".to_string(),
        Order::Bfs => "in breadth-first order from the first vertex of largest degree".to_string(),
        Order::Random(seed) => format!("at random (seed {seed})"),
    };
    let moved = (0..).zip(&old_ids).filter(|&(new, &old): &(Vertex, &Vertex)| new != old).count();
    let note = format!("renumbered {vertices} {how}; {} changed", note::count(moved as u64, "id"));
    Transformed { graph: Graph::new(graph.kind(), renumbered(csr, &old_ids)), note }
}

/// The graph in which vertex `new` is what `old_ids[new]` was. Vertices that are not listed must have no
/// arc to or from those that are.
pub(super) fn renumbered(csr: &Csr, old_ids: &[Vertex]) -> Csr {
    let mut new_ids: Vec<Vertex> = vec![0; csr.num_vertices() as usize];
    (0..).zip(old_ids).for_each(|(new, &old)| new_ids[old as usize] = new);
    rows::build(
        old_ids.len() as u32,
        csr.weights().is_some(),
        |new| csr.degree(old_ids[new as usize]),
        |new, targets, weights| {
            let old = old_ids[new as usize];
            for (target, &old_target) in targets.iter_mut().zip(csr.neighbours(old)) {
                *target = new_ids[old_target as usize];
            }
            if let Some(old_weights) = csr.neighbour_weights(old) {
                weights.copy_from_slice(old_weights);
            }
        },
    )
}

fn by_degree(csr: &Csr) -> Vec<Vertex> {
    let mut old_ids: Vec<Vertex> = csr.vertices().collect();
    old_ids.par_sort_by_key(|&vertex| Reverse(csr.degree(vertex)));
    old_ids
}

/// A hub has more arcs than the average vertex.
fn hub_sort(csr: &Csr) -> Vec<Vertex> {
    let is_hub = |&vertex: &Vertex| {
        u128::from(csr.degree(vertex)) * u128::from(csr.num_vertices()) > u128::from(csr.num_arcs())
    };
    let (mut old_ids, others): (Vec<Vertex>, Vec<Vertex>) = csr.vertices().partition(is_hub);
    old_ids.par_sort_by_key(|&vertex| Reverse(csr.degree(vertex)));
    old_ids.extend(others);
    old_ids
}

/// Along outgoing arcs in stored order; what a search leaves unreached is searched from its smallest id.
fn breadth_first(csr: &Csr) -> Vec<Vertex> {
    let mut seen = Seen::new(csr.num_vertices());
    let mut queue: Vec<Vertex> = Vec::with_capacity(csr.num_vertices() as usize);
    let mut head = 0;
    for source in csr.first_of_largest_degree().into_iter().chain(csr.vertices()) {
        if seen.insert(source) {
            queue.push(source);
        }
        while head < queue.len() {
            queue.extend(csr.neighbours(queue[head]).iter().filter(|&&target| seen.insert(target)));
            head += 1;
        }
    }
    queue
}

fn shuffled(csr: &Csr, seed: u64) -> Vec<Vertex> {
    let mut old_ids: Vec<Vertex> = csr.vertices().collect();
    Random::new(seed, 0).shuffle(&mut old_ids);
    old_ids
}
