//! A proper colouring: neighbours never share a colour.
//!
//! Greedy, largest degree first, ties in an order drawn from the seed; each vertex takes the smallest
//! colour that none of its earlier neighbours has, so there are at most "largest degree + 1" colours.
//! Vertices whose earlier neighbours are all coloured are coloured at the same time (Jones and Plassmann),
//! which gives exactly what the walk through the order would give.
//!
//! Directions do not matter, and self-loops are ignored: no colouring would suit them.

use crate::edges::{around, degree};
use crate::frontier::expand;
use heddle_graph::generate::random::Random;
use heddle_graph::{Graph, Vertex};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// A colour for every vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colouring {
    /// The colour of every vertex, counted from 0.
    pub colours: Vec<u32>,
    /// How many colours are used.
    pub count: u32,
}

/// Colours the graph.
pub fn greedy(graph: &Graph, seed: u64) -> Colouring {
    let walk = Walk::new(graph, seed);
    let mut frontier: Vec<Vertex> =
        graph.out_edges().vertices().filter(|&v| walk.waiting_for[v as usize].load(Relaxed) == 0).collect();
    while !frontier.is_empty() {
        // No two vertices of a frontier are neighbours: one would be waiting for the other.
        frontier = expand(&frontier, |vertex, ready| walk.colour(vertex, ready));
    }
    let colours: Vec<u32> = walk.colours.into_iter().map(AtomicU32::into_inner).collect();
    let count = colours.par_iter().max().map_or(0, |&largest| largest + 1);
    Colouring { colours, count }
}

struct Walk<'a> {
    graph: &'a Graph,
    /// Earlier vertices have larger ranks; equal ones go by id.
    ranks: Vec<(u64, u64)>,
    /// Arcs to earlier neighbours that have no colour yet.
    waiting_for: Vec<AtomicU64>,
    colours: Vec<AtomicU32>,
}

impl Walk<'_> {
    fn new(graph: &Graph, seed: u64) -> Walk<'_> {
        let vertices = graph.out_edges().vertices();
        let rank = |vertex: Vertex| (degree(graph, vertex), Random::new(seed, u64::from(vertex)).bits());
        let ranks = vertices.clone().into_par_iter().map(rank).collect();
        let colours = vertices.clone().map(|_| AtomicU32::new(0)).collect();
        let mut walk = Walk { graph, ranks, waiting_for: Vec::new(), colours };
        let count_earlier = |vertex| AtomicU64::new(walk.earlier(vertex).count() as u64);
        walk.waiting_for = vertices.into_par_iter().map(count_earlier).collect();
        walk
    }

    fn place(&self, vertex: Vertex) -> ((u64, u64), Vertex) {
        (self.ranks[vertex as usize], vertex)
    }

    fn earlier(&self, vertex: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        around(self.graph, vertex).filter(move |&neighbour| self.place(neighbour) > self.place(vertex))
    }

    /// Gives `vertex` its colour; neighbours that waited for nobody else are added to `ready`.
    fn colour(&self, vertex: Vertex, ready: &mut Vec<Vertex>) {
        let mut taken = vec![false; self.earlier(vertex).count()];
        for neighbour in self.earlier(vertex) {
            let colour = self.colours[neighbour as usize].load(Relaxed) as usize;
            if let Some(taken) = taken.get_mut(colour) {
                *taken = true;
            }
        }
        let free = taken.iter().position(|&taken| !taken).unwrap_or(taken.len());
        self.colours[vertex as usize].store(free as u32, Relaxed);
        for neighbour in around(self.graph, vertex) {
            if self.place(neighbour) < self.place(vertex)
                && self.waiting_for[neighbour as usize].fetch_sub(1, Relaxed) == 1
            {
                ready.push(neighbour);
            }
        }
    }
}
