//! Single-source shortest paths by Dijkstra's algorithm, with a binary heap.
//!
//! An arc of an unweighted graph is one long. Distances have 64 bits and cannot overflow: a shortest path
//! has fewer than 2^32 arcs of less than 2^32 each.

use crate::NoSuchVertex;
use heddle_graph::{Graph, Vertex};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The distance of a vertex that cannot be reached.
pub const FAR: u64 = u64::MAX;

/// The distance of every vertex from `source` along the arcs, [`FAR`] where no path leads.
pub fn distances(graph: &Graph, source: Vertex) -> Result<Vec<u64>, NoSuchVertex> {
    NoSuchVertex::check(graph, source)?;
    let arcs = graph.out_edges();
    let mut distances = vec![FAR; arcs.num_vertices() as usize];
    distances[source as usize] = 0;
    let mut heap = BinaryHeap::from([Reverse((0, source))]);
    while let Some(Reverse((distance, vertex))) = heap.pop() {
        if distance > distances[vertex as usize] {
            // A shorter way was found after this entry was made.
            continue;
        }
        for (target, weight) in arcs.weighted_neighbours(vertex) {
            let through = distance + u64::from(weight);
            if through < distances[target as usize] {
                distances[target as usize] = through;
                heap.push(Reverse((through, target)));
            }
        }
    }
    Ok(distances)
}
