//! Single-source shortest paths by delta-stepping (Meyer and Sanders), in parallel.
//!
//! Vertices wait in buckets `delta` wide by tentative distance. The nearest bucket is relaxed again and
//! again until it stays empty; then the next one. Distances only ever fall, and to the same values in any
//! order, so the answer equals [Dijkstra's](super::dijkstra) whatever `delta` and the number of threads.
//!
//! Light and heavy arcs are not told apart: every improvement goes into the bucket where it belongs, and
//! a vertex that is found again at a distance from which it was relaxed already is skipped.

use super::dijkstra::FAR;
use crate::NoSuchVertex;
use crate::frontier::expand;
use heddle_graph::{Csr, Graph, Vertex};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The width of a bucket that suits most graphs: the largest weight divided by the average degree, as Meyer
/// and Sanders derive for random weights.
pub fn default_delta(graph: &Graph) -> NonZeroU64 {
    let arcs = graph.out_edges();
    let weight_max = arcs.weights().and_then(|weights| weights.par_iter().max()).map_or(1, |&max| max);
    let degree = (arcs.num_arcs() / u64::from(arcs.num_vertices()).max(1)).max(1);
    NonZeroU64::new(u64::from(weight_max) / degree).unwrap_or(NonZeroU64::MIN)
}

/// The distance of every vertex from `source` along the arcs, [`FAR`] where no path leads. Without a
/// `delta`, [`default_delta`] chooses.
pub fn distances(graph: &Graph, source: Vertex, delta: Option<NonZeroU64>) -> Result<Vec<u64>, NoSuchVertex> {
    NoSuchVertex::check(graph, source)?;
    let delta = delta.unwrap_or_else(|| default_delta(graph));
    let mut search = Search::new(graph.out_edges(), delta);
    search.distances[source as usize].store(0, Relaxed);
    // Distances may be far apart, so the buckets that exist are kept by number and not in an array.
    let mut buckets = BTreeMap::from([(0, vec![source])]);
    while let Some((bucket, mut frontier)) = buckets.pop_first() {
        while !frontier.is_empty() {
            frontier = search.step(bucket, &frontier, &mut buckets);
        }
    }
    Ok(search.distances.into_iter().map(AtomicU64::into_inner).collect())
}

struct Search<'a> {
    arcs: &'a Csr,
    delta: NonZeroU64,
    distances: Vec<AtomicU64>,
    /// The distance from which a vertex was last relaxed.
    relaxed_from: Vec<AtomicU64>,
}

impl Search<'_> {
    fn new(arcs: &Csr, delta: NonZeroU64) -> Search<'_> {
        let all_far = || arcs.vertices().map(|_| AtomicU64::new(FAR)).collect();
        Search { arcs, delta, distances: all_far(), relaxed_from: all_far() }
    }

    /// Relaxes the arcs of `frontier`; returns what fell into the same bucket again, and puts the rest
    /// into the buckets of its distance.
    fn step(
        &mut self,
        bucket: u64,
        frontier: &[Vertex],
        buckets: &mut BTreeMap<u64, Vec<Vertex>>,
    ) -> Vec<Vertex> {
        let improved = expand(frontier, |vertex, improved| self.relax(vertex, improved));
        let mut again = Vec::new();
        for (home, vertex) in improved {
            if home == bucket {
                again.push(vertex);
            } else {
                buckets.entry(home).or_default().push(vertex);
            }
        }
        again
    }

    /// Offers `vertex` to its neighbours; those that it improved are added with their bucket.
    fn relax(&self, vertex: Vertex, improved: &mut Vec<(u64, Vertex)>) {
        let distance = self.distances[vertex as usize].load(Relaxed);
        if self.relaxed_from[vertex as usize].swap(distance, Relaxed) == distance {
            return;
        }
        for (target, weight) in self.arcs.weighted_neighbours(vertex) {
            let through = distance + u64::from(weight);
            let place = &self.distances[target as usize];
            if through < place.load(Relaxed) && through < place.fetch_min(through, Relaxed) {
                improved.push((through / self.delta, target));
            }
        }
    }
}
