//! Betweenness centrality by Brandes' algorithm, from given sources.
//!
//! The centrality of `v` is the sum, over the sources `s` and all targets `t` other than `v`, of the share
//! of shortest paths from `s` to `t` that pass through `v`. Paths follow arcs as they are directed and
//! count arcs, not weights. Nothing is normalised: on an undirected graph, where textbooks count each pair
//! once, all vertices as sources give twice the textbook's value.
//!
//! Parallel arcs are different paths, as they are to any program that walks the rows of a graph. Self-loops
//! lie on no shortest path. A source that is given twice counts twice.
//!
//! Sources are worked on in parallel and their contributions added in the order in which they were given,
//! so the sum is the same to the bit for any number of threads.

use super::bfs::UNREACHED;
use super::path_count::PathCount;
use crate::NoSuchVertex;
use heddle_graph::{Csr, Graph, Vertex};
use rayon::prelude::*;

/// The centrality of every vertex with all vertices as sources.
pub fn exact(graph: &Graph) -> Vec<f64> {
    let sources: Vec<Vertex> = graph.out_edges().vertices().collect();
    sum_over(graph.out_edges(), &sources)
}

/// The centrality of every vertex with these sources.
pub fn centrality(graph: &Graph, sources: &[Vertex]) -> Result<Vec<f64>, NoSuchVertex> {
    sources.iter().try_for_each(|&source| NoSuchVertex::check(graph, source))?;
    Ok(sum_over(graph.out_edges(), sources))
}

fn sum_over(arcs: &Csr, sources: &[Vertex]) -> Vec<f64> {
    let mut centrality = vec![0.0; arcs.num_vertices() as usize];
    // One source per thread at a time bounds the memory. It has no part in the sum, which goes source by
    // source.
    let mut searches: Vec<Search> = Vec::new();
    searches.resize_with(rayon::current_num_threads().min(sources.len()), || Search::new(arcs));
    for batch in sources.chunks(searches.len().max(1)) {
        searches.par_iter_mut().zip(batch).for_each(|(search, &source)| search.run(arcs, source));
        for search in &searches[..batch.len()] {
            // The source itself comes first, and is not between itself and others.
            for &vertex in search.order.iter().skip(1) {
                centrality[vertex as usize] += search.dependencies[vertex as usize];
            }
        }
    }
    centrality
}

/// A search from one source, and room for the next.
struct Search {
    depths: Vec<u32>,
    path_counts: Vec<PathCount>,
    /// The share of the source's paths that pass through a vertex, summed over targets.
    dependencies: Vec<f64>,
    /// Vertices reached, nearest first.
    order: Vec<Vertex>,
}

impl Search {
    fn new(arcs: &Csr) -> Search {
        let vertices = arcs.num_vertices() as usize;
        Search {
            depths: vec![UNREACHED; vertices],
            path_counts: vec![PathCount::ONE; vertices],
            dependencies: vec![0.0; vertices],
            order: Vec::new(),
        }
    }

    fn run(&mut self, arcs: &Csr, source: Vertex) {
        self.order.drain(..).for_each(|vertex| self.depths[vertex as usize] = UNREACHED);
        self.count_paths(arcs, source);
        self.gather_dependencies(arcs);
    }

    fn count_paths(&mut self, arcs: &Csr, source: Vertex) {
        self.depths[source as usize] = 0;
        self.path_counts[source as usize] = PathCount::ONE;
        self.order.push(source);
        let mut next = 0;
        while let Some(&vertex) = self.order.get(next) {
            next += 1;
            let below = self.depths[vertex as usize] + 1;
            let paths = self.path_counts[vertex as usize];
            for &target in arcs.neighbours(vertex) {
                let target_index = target as usize;
                if self.depths[target_index] == UNREACHED {
                    self.depths[target_index] = below;
                    self.path_counts[target_index] = paths;
                    self.order.push(target);
                } else if self.depths[target_index] == below {
                    self.path_counts[target_index] = self.path_counts[target_index].plus(paths);
                }
            }
        }
    }

    fn gather_dependencies(&mut self, arcs: &Csr) {
        for &vertex in self.order.iter().rev() {
            let below = self.depths[vertex as usize] + 1;
            let paths = self.path_counts[vertex as usize];
            let mut dependency = 0.0;
            for &target in arcs.neighbours(vertex) {
                let target = target as usize;
                if self.depths[target] == below {
                    dependency +=
                        paths.share_of(self.path_counts[target]) * (1.0 + self.dependencies[target]);
                }
            }
            self.dependencies[vertex as usize] = dependency;
        }
    }
}
