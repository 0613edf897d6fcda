//! Breadth-first search, level by level.
//!
//! A level costs what its frontier and the arcs of its frontier cost, never `V`, so road graphs with
//! thousands of levels stay fast. Large frontiers are shared by threads: who claims a vertex first is
//! chance, but the set of vertices of a level is not, and only sets leave this file.
//!
//! Where arcs are followed both ways, a frontier that holds much of the graph is not expanded; instead the
//! vertices not yet visited look for a neighbour in it and stop at the first.

use super::seen::Seen;
use crate::csr::{Csr, Vertex};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The depth of a vertex that the search does not reach.
pub const UNREACHED: u32 = u32::MAX;

/// What a breadth-first search meets, level by level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    /// The largest depth reached; the source has depth 0.
    pub depth: u32,
    /// Vertices reached, the source included.
    pub reached: u64,
    /// The farthest vertex, the one of smallest id among equals.
    pub farthest: Vertex,
    /// Vertices of every depth from 0 to [`depth`](Levels::depth).
    pub frontier_sizes: Vec<u64>,
}

impl Levels {
    /// Iterations of a level-synchronous search: one for every frontier that is not empty, so one more
    /// than the depth. (The last of them finds nothing new.)
    pub fn iterations(&self) -> u64 {
        self.frontier_sizes.len() as u64
    }
}

/// The number of arcs on a shortest path from `source` to every vertex, or [`UNREACHED`].
///
/// # Panics
/// If `source` is not a vertex of the graph.
pub fn bfs_depths(csr: &Csr, source: Vertex) -> Vec<u32> {
    let mut depths = vec![UNREACHED; csr.num_vertices() as usize];
    let mut depth = 0;
    Search::new(&[csr]).run(source, |frontier| {
        frontier.iter().for_each(|&vertex| depths[vertex as usize] = depth);
        depth += 1;
    });
    depths
}

/// The levels of a search along the arcs from `source`.
///
/// # Panics
/// If `source` is not a vertex of the graph.
pub fn bfs_levels(csr: &Csr, source: Vertex) -> Levels {
    Search::new(&[csr]).run(source, |_| ())
}

/// A search that can be run again and again.
pub(super) struct Search<'a> {
    /// Arcs are followed in all of these: outgoing alone, or outgoing and incoming.
    rows: &'a [&'a Csr],
    /// Whether every arc followed can be followed back as well.
    both_ways: bool,
    visited: Vec<AtomicU64>,
    frontier: Vec<Vertex>,
    next: Vec<Vertex>,
}

/// Frontiers below this are not worth handing out.
const SHARED_FRONTIER_MIN: usize = 1 << 13;
const FRONTIER_PER_TASK: usize = 1 << 10;
/// A frontier of more than one vertex in so many is looked for rather than expanded. There can be no more
/// levels than this of that size, so what they cost stays linear.
const LARGE_FRONTIER_SHARE: usize = 16;
/// Words of 64 vertices that one task looks through.
const WORDS_PER_TASK: usize = 1 << 8;

impl<'a> Search<'a> {
    /// A search along these arcs, which together must hold the opposite of every one of them.
    pub(super) fn both_ways(rows: &'a [&'a Csr]) -> Search<'a> {
        Search { both_ways: true, ..Search::new(rows) }
    }

    /// A search along these arcs, which must be those of one set of vertices.
    fn new(rows: &'a [&'a Csr]) -> Search<'a> {
        let vertices = rows.first().map_or(0, |csr| csr.num_vertices() as usize);
        let visited = std::iter::repeat_with(AtomicU64::default).take(vertices.div_ceil(64)).collect();
        Search { rows, both_ways: false, visited, frontier: Vec::new(), next: Vec::new() }
    }

    /// Searches from `source` and shows every frontier, in no particular order within it.
    pub(super) fn run(&mut self, source: Vertex, mut show: impl FnMut(&[Vertex])) -> Levels {
        assert!(self.rows.iter().all(|csr| source < csr.num_vertices()), "{source} is not a vertex");
        self.visited.iter_mut().for_each(|word| *word.get_mut() = 0);
        self.frontier.clear();
        self.frontier.push(source);
        claim(&self.visited, source);
        let mut levels = Levels { depth: 0, reached: 0, farthest: source, frontier_sizes: Vec::new() };
        while !self.frontier.is_empty() {
            show(&self.frontier);
            levels.frontier_sizes.push(self.frontier.len() as u64);
            levels.reached += self.frontier.len() as u64;
            self.expand();
            if self.next.is_empty() {
                levels.farthest = self.frontier.iter().copied().min().unwrap_or(source);
            }
            std::mem::swap(&mut self.frontier, &mut self.next);
        }
        levels.depth = (levels.frontier_sizes.len() - 1) as u32;
        levels
    }

    /// Makes `next` out of `frontier`.
    fn expand(&mut self) {
        self.next.clear();
        let words = self.visited.len();
        if self.both_ways && self.frontier.len() > words.saturating_mul(64) / LARGE_FRONTIER_SHARE {
            self.look_for_frontier();
            return;
        }
        if self.frontier.len() < SHARED_FRONTIER_MIN || rayon::current_num_threads() == 1 {
            expand_into(&mut self.next, self.rows, &self.visited, &self.frontier);
            return;
        }
        let (rows, visited) = (self.rows, &self.visited);
        let parts: Vec<Vec<Vertex>> = self
            .frontier
            .par_chunks(FRONTIER_PER_TASK)
            .map(|share| {
                let mut found = Vec::new();
                expand_into(&mut found, rows, visited, share);
                found
            })
            .collect();
        parts.into_iter().for_each(|part| self.next.extend(part));
    }

    /// Makes `next` out of the vertices that are not visited and have a neighbour in `frontier`.
    fn look_for_frontier(&mut self) {
        let rows = self.rows;
        let vertices = rows.first().map_or(0, |csr| csr.num_vertices());
        let mut sought = Seen::new(vertices);
        self.frontier.iter().for_each(|&vertex| _ = sought.insert(vertex));
        let found = |vertex: Vertex| {
            rows.iter().any(|csr| csr.neighbours(vertex).iter().any(|&neighbour| sought.contains(neighbour)))
        };
        let parts: Vec<Vec<Vertex>> = self
            .visited
            .par_chunks_mut(WORDS_PER_TASK)
            .enumerate()
            .map(|(chunk, words)| {
                let first = (chunk * WORDS_PER_TASK * 64) as Vertex;
                let end = (u64::from(first) + words.len() as u64 * 64).min(u64::from(vertices)) as Vertex;
                let unvisited = (first..end).filter(|&vertex| !is_marked(words, vertex - first));
                let next: Vec<Vertex> = unvisited.filter(|&vertex| found(vertex)).collect();
                next.iter().for_each(|&vertex| _ = claim(words, vertex - first));
                next
            })
            .collect();
        parts.into_iter().for_each(|part| self.next.extend(part));
    }
}

fn expand_into(found: &mut Vec<Vertex>, rows: &[&Csr], visited: &[AtomicU64], frontier: &[Vertex]) {
    for csr in rows {
        for &vertex in frontier {
            found.extend(csr.neighbours(vertex).iter().filter(|&&target| claim(visited, target)));
        }
    }
}

/// Marks a vertex as visited and says whether this call was the first to do so.
fn claim(visited: &[AtomicU64], vertex: Vertex) -> bool {
    let word = &visited[vertex as usize / 64];
    let bit = 1 << (vertex % 64);
    // Most arcs lead to visited vertices, and a load is far cheaper than an exchange.
    !is_marked(visited, vertex) && word.fetch_or(bit, Relaxed) & bit == 0
}

fn is_marked(visited: &[AtomicU64], vertex: Vertex) -> bool {
    visited[vertex as usize / 64].load(Relaxed) & 1 << (vertex % 64) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;

    #[test]
    fn levels_of_a_small_tree() {
        let arcs = [(2, 0), (2, 4), (4, 3), (4, 1), (3, 2)].into_iter().collect();
        let csr = build::from_arcs(&arcs, 6).unwrap();
        let levels = bfs_levels(&csr, 2);
        assert_eq!(levels.frontier_sizes, [1, 2, 2]);
        assert_eq!((levels.depth, levels.reached, levels.farthest), (2, 5, 1));
        assert_eq!(levels.iterations(), 3);
        assert_eq!(bfs_depths(&csr, 2), [1, 2, 0, 2, 1, UNREACHED]);
    }

    #[test]
    fn a_lone_source_is_its_own_farthest_vertex() {
        let levels = bfs_levels(&Csr::empty(3), 1);
        assert_eq!(levels, Levels { depth: 0, reached: 1, farthest: 1, frontier_sizes: vec![1] });
    }

    #[test]
    fn looking_for_the_frontier_changes_no_level() {
        // 2,000 vertices in a ring with chords: the frontier grows beyond a sixteenth and shrinks again.
        let edges = (0..2000u32).flat_map(|i| [(i, (i + 1) % 2000), (i, (i * 37 + 11) % 2000)]).collect();
        let csr = build::from_undirected_arcs(&edges, 2000).unwrap();
        for source in [0, 63, 64, 1999] {
            let (mut plain, mut looking) = (Vec::new(), Vec::new());
            let sorted = |frontier: &[Vertex]| {
                let mut frontier = frontier.to_vec();
                frontier.sort_unstable();
                frontier
            };
            let levels = Search::new(&[&csr]).run(source, |frontier| plain.push(sorted(frontier)));
            assert!(levels.frontier_sizes.iter().any(|&size| size > 200), "{levels:?}");
            let other = Search::both_ways(&[&csr]).run(source, |frontier| looking.push(sorted(frontier)));
            assert_eq!((other, looking), (levels, plain));
        }
    }

    #[test]
    #[should_panic(expected = "3 is not a vertex")]
    fn a_source_out_of_range_is_refused() {
        bfs_levels(&Csr::empty(3), 3);
    }
}
