//! The diameter, from below and above, by sweeps.
//!
//! A sweep is a breadth-first search; the next one starts at the farthest vertex that it found, as long as
//! the distance grows (the double sweep, repeated). A second round starts from the middle of the longest
//! path found, which often finds longer ones and gives a tight bound from above: no two vertices are
//! farther apart than twice the depth of any search that reaches both. On a tree the result is exact.
//!
//! The direction of arcs is ignored, because in most directed graphs some vertex cannot be reached from
//! some other and the directed diameter is infinite. A directed graph therefore needs its incoming arcs.

use super::components::weakly_connected;
use super::traversal::{Search, UNREACHED};
use crate::csr::{Csr, Vertex};
use crate::graph::Graph;
use std::cmp::Reverse;

/// Bounds on the diameter of the largest weakly connected component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiameterEstimate {
    /// Two vertices are this far apart.
    pub lower_bound: u32,
    /// No two vertices are farther apart.
    pub upper_bound: u32,
    /// Breadth-first searches made.
    pub sweeps: u32,
    /// Vertices of the component that was searched.
    pub component_vertices: u64,
    /// Two vertices that are `lower_bound` apart; `None` where there is no vertex.
    pub ends: Option<(Vertex, Vertex)>,
    /// How it was estimated, in words.
    pub method: &'static str,
}

const METHOD: &str = "repeated double sweep of the largest weakly connected component, \
                      arcs followed both ways, from the first vertex of largest degree and from the middle \
                      of the longest path found";

/// More sweeps than any graph seen so far needs; a bound keeps the cost known.
const SWEEPS_MAX: u32 = 16;

/// Estimates the diameter of a graph.
pub fn estimate(graph: &Graph) -> DiameterEstimate {
    let mut estimate = DiameterEstimate {
        lower_bound: 0,
        upper_bound: 0,
        sweeps: 0,
        component_vertices: 0,
        ends: None,
        method: METHOD,
    };
    let components = weakly_connected(graph.out_edges());
    estimate.component_vertices = components.largest;
    let rows: &[&Csr] =
        if graph.is_directed() { &[graph.out_edges(), graph.in_edges()] } else { &[graph.out_edges()] };
    let degree = |vertex: Vertex| rows.iter().map(|csr| csr.degree(vertex)).sum::<u64>();
    let members = (0..).zip(&components.labels).filter(|&(_, &label)| label == components.largest_label);
    let Some(start) =
        members.map(|(vertex, _)| vertex).max_by_key(|&vertex| (degree(vertex), Reverse(vertex)))
    else {
        return estimate;
    };
    drop(components);
    let mut sweeper = Sweeper {
        rows,
        search: Search::both_ways(rows),
        depths: vec![UNREACHED; graph.num_vertices() as usize],
        middle: start,
    };
    estimate.upper_bound = u32::MAX;
    sweeper.sweep_while_it_grows(start, &mut estimate);
    let middle = sweeper.middle;
    sweeper.sweep_while_it_grows(middle, &mut estimate);
    estimate
}

struct Sweeper<'a> {
    rows: &'a [&'a Csr],
    search: Search<'a>,
    /// Depths of the last sweep.
    depths: Vec<u32>,
    /// Half-way on the longest path found.
    middle: Vertex,
}

impl Sweeper<'_> {
    fn sweep_while_it_grows(&mut self, start: Vertex, estimate: &mut DiameterEstimate) {
        let mut from = start;
        // A round of its own: the first sweep from a middle is short and must not end it.
        let mut longest_of_round = None;
        while estimate.sweeps < SWEEPS_MAX {
            let mut depth = 0;
            let depths = &mut self.depths;
            let levels = self.search.run(from, |frontier| {
                frontier.iter().for_each(|&vertex| depths[vertex as usize] = depth);
                depth += 1;
            });
            estimate.sweeps += 1;
            estimate.upper_bound = estimate.upper_bound.min(levels.depth.saturating_mul(2));
            if estimate.ends.is_none() || levels.depth > estimate.lower_bound {
                estimate.lower_bound = levels.depth;
                estimate.ends = Some((from, levels.farthest));
                self.middle = self.half_way_back(levels.farthest, levels.depth);
            }
            if longest_of_round >= Some(levels.depth) {
                return;
            }
            longest_of_round = Some(levels.depth);
            from = levels.farthest;
        }
    }

    /// The vertex half-way on a shortest path from the source of the last sweep to `end`.
    fn half_way_back(&self, end: Vertex, depth: u32) -> Vertex {
        (depth / 2..depth).rev().fold(end, |vertex, nearer| {
            let before = self.rows.iter().flat_map(|csr| csr.neighbours(vertex));
            let before = before.copied().filter(|&neighbour| self.depths[neighbour as usize] == nearer);
            // The smallest of several, so that the order of arcs does not matter.
            before.min().unwrap_or(vertex)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;

    #[test]
    fn a_directed_path_is_as_long_as_it_is() {
        // Arcs alternate in direction; only the undirected view sees one path of 9 arcs.
        let arcs = (0..9u32).map(|i| if i % 2 == 0 { (i, i + 1) } else { (i + 1, i) }).collect();
        let estimate = estimate(&Graph::directed(build::from_arcs(&arcs, 12).unwrap()));
        assert_eq!(estimate.lower_bound, 9);
        assert_eq!(estimate.component_vertices, 10);
        assert!((9..=10).contains(&estimate.upper_bound), "{estimate:?}");
        let (first, last) = estimate.ends.unwrap();
        assert_eq!((first.min(last), first.max(last)), (0, 9));
    }

    #[test]
    fn no_vertex_no_diameter() {
        let estimate = estimate(&Graph::directed(Csr::empty(0)));
        assert_eq!((estimate.lower_bound, estimate.upper_bound, estimate.ends), (0, 0, None));
    }

    #[test]
    fn a_lone_vertex_has_diameter_zero() {
        let estimate = estimate(&Graph::undirected(Csr::empty(4)));
        assert_eq!((estimate.lower_bound, estimate.upper_bound, estimate.ends), (0, 0, Some((0, 0))));
    }
}
