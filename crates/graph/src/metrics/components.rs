//! Weakly connected components, by union-find.
//!
//! Outgoing arcs alone suffice, because union does not care which end an arc starts from. Threads unite
//! without locks: a root is only ever hooked below a smaller one, so whatever the order of events the last
//! root of a component is its smallest vertex, and the labels are the same for any number of threads.

use super::ranges::vertex_ranges;
use crate::csr::{Csr, Vertex};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The weakly connected components of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// For every vertex the smallest vertex of its component.
    pub labels: Vec<Vertex>,
    /// Number of components.
    pub count: u64,
    /// Vertices of the largest component; 0 where there is no vertex.
    pub largest: u64,
    /// Label of the largest component, the smallest one of several; 0 where there is no vertex.
    pub largest_label: Vertex,
}

/// Finds the components of a graph, whatever the direction of its arcs.
pub fn weakly_connected(csr: &Csr) -> Components {
    let parents: Vec<AtomicU32> = csr.vertices().into_par_iter().map(AtomicU32::new).collect();
    vertex_ranges(csr.offsets()).into_par_iter().for_each(|range| {
        for vertex in range {
            csr.neighbours(vertex).iter().for_each(|&target| unite(&parents, vertex, target));
        }
    });
    // A root in the place of a parent is what halving could have put there as well.
    csr.vertices().into_par_iter().for_each(|v| parents[v as usize].store(root(&parents, v), Relaxed));
    // Numbers of the same size: the array is taken over, not copied.
    summarise(parents.into_iter().map(AtomicU32::into_inner).collect())
}

fn unite(parents: &[AtomicU32], left: Vertex, right: Vertex) {
    let (mut left, mut right) = (root(parents, left), root(parents, right));
    while left != right {
        let (low, high) = (left.min(right), left.max(right));
        // Fails where another thread has hooked `high` in the meantime.
        if parents[high as usize].compare_exchange(high, low, Relaxed, Relaxed).is_ok() {
            return;
        }
        (left, right) = (root(parents, low), root(parents, high));
    }
}

/// The root above `vertex`; halves the path on the way. A parent is never larger than its child, and
/// halving replaces it by one of its own ancestors, so a lost race costs a step and nothing else.
fn root(parents: &[AtomicU32], mut vertex: Vertex) -> Vertex {
    loop {
        let parent = parents[vertex as usize].load(Relaxed);
        if parent == vertex {
            return vertex;
        }
        let grandparent = parents[parent as usize].load(Relaxed);
        if grandparent != parent {
            parents[vertex as usize].store(grandparent, Relaxed);
        }
        vertex = grandparent;
    }
}

fn summarise(labels: Vec<Vertex>) -> Components {
    let mut sizes = vec![0u32; labels.len()];
    labels.iter().for_each(|&label| sizes[label as usize] += 1);
    let count = sizes.par_iter().filter(|&&size| size > 0).count() as u64;
    let largest = sizes.iter().zip(0..).max_by_key(|&(&size, label): &(&u32, Vertex)| (size, Reverse(label)));
    let (largest, largest_label) = largest.map_or((0, 0), |(&size, label)| (u64::from(size), label));
    Components { labels, count, largest, largest_label }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;

    #[test]
    fn labels_are_the_smallest_vertices() {
        let arcs = [(5, 1), (4, 2), (2, 6), (3, 3)].into_iter().collect();
        let components = weakly_connected(&build::from_arcs(&arcs, 8).unwrap());
        assert_eq!(components.labels, [0, 1, 2, 3, 2, 1, 2, 7]);
        assert_eq!((components.count, components.largest, components.largest_label), (5, 3, 2));
    }

    #[test]
    fn of_equally_large_components_the_first_is_the_largest() {
        let arcs = [(3, 2), (1, 0)].into_iter().collect();
        let components = weakly_connected(&build::from_arcs(&arcs, 4).unwrap());
        assert_eq!((components.largest, components.largest_label), (2, 0));
    }

    #[test]
    fn no_vertex_no_component() {
        let components = weakly_connected(&Csr::empty(0));
        assert_eq!((components.count, components.largest), (0, 0));
        assert_eq!(weakly_connected(&Csr::empty(3)).count, 3);
    }
}
