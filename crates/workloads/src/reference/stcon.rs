//! S–T connectivity: does a path lead from one vertex to another, and which?
//!
//! Two breadth-first searches, one along the arcs from the source and one against them from the target,
//! take turns: the one with fewer arcs ahead of it goes one level further. The first vertex that both have
//! seen lies on a shortest path. (If the two have seen everything within `a` and `b` levels and have not
//! met, no path is shorter than `a + b + 1`, and a vertex that the next level shares gives one of just that
//! length.)

use crate::{NO_PARENT, NoSuchVertex};
use heddle_graph::{Csr, Graph, Vertex};

/// A shortest path from `source` to `target`, both included, or none. A vertex reaches itself.
pub fn path(graph: &Graph, source: Vertex, target: Vertex) -> Result<Option<Vec<Vertex>>, NoSuchVertex> {
    NoSuchVertex::check(graph, source)?;
    NoSuchVertex::check(graph, target)?;
    if source == target {
        return Ok(Some(vec![source]));
    }
    let mut forwards = Side::new(graph.out_edges(), source);
    let mut backwards = Side::new(graph.in_edges(), target);
    while !forwards.frontier.is_empty() && !backwards.frontier.is_empty() {
        let meeting = if forwards.arcs_ahead() <= backwards.arcs_ahead() {
            forwards.advance(&backwards)
        } else {
            backwards.advance(&forwards)
        };
        if let Some(meeting) = meeting {
            let mut path = forwards.way_back(meeting);
            path.reverse();
            path.extend(backwards.way_back(meeting).into_iter().skip(1));
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// One of the two searches.
struct Side<'a> {
    arcs: &'a Csr,
    /// Where a vertex was reached from; the start from itself.
    parents: Vec<Vertex>,
    frontier: Vec<Vertex>,
}

impl Side<'_> {
    fn new(arcs: &Csr, start: Vertex) -> Side<'_> {
        let mut parents = vec![NO_PARENT; arcs.num_vertices() as usize];
        parents[start as usize] = start;
        Side { arcs, parents, frontier: vec![start] }
    }

    fn arcs_ahead(&self) -> u64 {
        self.frontier.iter().map(|&vertex| self.arcs.degree(vertex)).sum()
    }

    /// Goes one level further, and stops at the first vertex that `other` has seen.
    fn advance(&mut self, other: &Side<'_>) -> Option<Vertex> {
        let mut next = Vec::new();
        for &vertex in &self.frontier {
            for &neighbour in self.arcs.neighbours(vertex) {
                if self.parents[neighbour as usize] != NO_PARENT {
                    continue;
                }
                self.parents[neighbour as usize] = vertex;
                if other.parents[neighbour as usize] != NO_PARENT {
                    return Some(neighbour);
                }
                next.push(neighbour);
            }
        }
        self.frontier = next;
        None
    }

    /// The vertices from `vertex` back to the start.
    fn way_back(&self, mut vertex: Vertex) -> Vec<Vertex> {
        let mut way = vec![vertex];
        while self.parents[vertex as usize] != vertex {
            vertex = self.parents[vertex as usize];
            way.push(vertex);
        }
        way
    }
}
