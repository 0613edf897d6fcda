//! Breadth-first depths, level by level.

use super::bfs::UNREACHED;
use crate::frontier::expand;
use heddle_graph::{Csr, Vertex};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Depths from `source`, which must exist.
pub(super) fn bfs_depths(arcs: &Csr, source: Vertex) -> Vec<u32> {
    let depths: Vec<AtomicU32> = arcs.vertices().map(|_| AtomicU32::new(UNREACHED)).collect();
    depths[source as usize].store(0, Relaxed);
    let (mut frontier, mut depth) = (vec![source], 0);
    while !frontier.is_empty() {
        depth += 1;
        frontier = expand(&frontier, |vertex, next| {
            for &target in arcs.neighbours(vertex) {
                let place = &depths[target as usize];
                // Whoever wins the exchange writes the same depth, so the answer does not depend on it.
                if place.load(Relaxed) == UNREACHED
                    && place.compare_exchange(UNREACHED, depth, Relaxed, Relaxed).is_ok()
                {
                    next.push(target);
                }
            }
        });
    }
    depths.into_iter().map(AtomicU32::into_inner).collect()
}
