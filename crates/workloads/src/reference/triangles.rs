//! The number of triangles: sets of three vertices that are all neighbours.
//!
//! Directions, self-loops and parallel arcs do not matter. Every edge is pointed from its end of smaller
//! degree to the other one; a triangle is then found exactly once, as a common successor of the two ends of
//! an edge, and no vertex has more than `sqrt(2E)` successors, hubs included.

use crate::edges::degree;
use heddle_graph::build::{self, ArcSource};
use heddle_graph::{Graph, Vertex, Weight};
use rayon::prelude::*;
use std::cmp::Ordering;

/// How many triangles there are.
pub fn count(graph: &Graph) -> u64 {
    let successors = Successors::new(graph);
    let through = |vertex: Vertex| -> u64 {
        let own = successors.of(vertex);
        own.iter().map(|&other| common(own, successors.of(other))).sum()
    };
    graph.out_edges().vertices().into_par_iter().map(through).sum()
}

/// The edges of a graph, each pointed to its end of larger degree.
struct Upwards<'a> {
    graph: &'a Graph,
    degrees: Vec<u64>,
}

impl ArcSource for Upwards<'_> {
    fn is_weighted(&self) -> bool {
        false
    }

    fn num_arcs(&self) -> u64 {
        let mut arcs = 0;
        self.for_each(|_, _, _| arcs += 1);
        arcs
    }

    fn for_each<F: FnMut(Vertex, Vertex, Weight)>(&self, mut visit: F) {
        let rank = |vertex: Vertex| (self.degrees[vertex as usize], vertex);
        for (source, target) in self.graph.out_edges().arcs() {
            match rank(source).cmp(&rank(target)) {
                Ordering::Less => visit(source, target, 1),
                // An undirected graph holds the opposite arc as well.
                Ordering::Greater if self.graph.is_directed() => visit(target, source, 1),
                _ => {}
            }
        }
    }
}

/// Sorted successors of every vertex, without duplicates.
struct Successors {
    starts: Vec<usize>,
    targets: Vec<Vertex>,
}

impl Successors {
    fn new(graph: &Graph) -> Successors {
        let vertices = graph.out_edges().vertices();
        let degrees = vertices.clone().into_par_iter().map(|vertex| degree(graph, vertex)).collect();
        let upwards = build::csr(&Upwards { graph, degrees }, u64::from(graph.num_vertices()))
            .expect("arcs between the vertices of a graph make a graph");
        let (offsets, mut targets, _) = upwards.into_parts();
        sort_rows(&offsets, &mut targets);
        // Rows move towards the front as duplicates before them disappear.
        let (mut starts, mut length) = (vec![0], 0);
        for row in offsets.windows(2) {
            let start = length;
            for place in row[0] as usize..row[1] as usize {
                if length == start || targets[length - 1] != targets[place] {
                    targets[length] = targets[place];
                    length += 1;
                }
            }
            starts.push(length);
        }
        targets.truncate(length);
        Successors { starts, targets }
    }

    fn of(&self, vertex: Vertex) -> &[Vertex] {
        &self.targets[self.starts[vertex as usize]..self.starts[vertex as usize + 1]]
    }
}

fn sort_rows(offsets: &[u64], mut targets: &mut [Vertex]) {
    let mut rows = Vec::new();
    for row in offsets.windows(2).filter(|row| row[1] - row[0] > 1) {
        let skipped = targets.len() as u64 + row[0] - offsets[offsets.len() - 1];
        let (own, rest) = targets.split_at_mut(skipped as usize + (row[1] - row[0]) as usize);
        rows.push(&mut own[skipped as usize..]);
        targets = rest;
    }
    rows.into_par_iter().with_min_len(64).for_each(|row| row.sort_unstable());
}

/// How many vertices two sorted lists share.
fn common(a: &[Vertex], b: &[Vertex]) -> u64 {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        shared += u64::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    shared
}
