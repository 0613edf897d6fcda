//! A maximal independent set: no two members are neighbours, and no vertex can be added.
//!
//! Every vertex draws a priority from the seed. A vertex joins when all neighbours of higher priority are
//! known to stay out, and stays out as soon as one of them joins (Luby's rounds). The set is the one that a
//! greedy walk in order of priority finds, so it depends on the seed and on nothing else.
//!
//! Directions do not matter. A self-loop is treated as if it were not there: otherwise its vertex could
//! neither join nor be covered by a neighbour.

use crate::edges::around;
use crate::frontier::expand;
use heddle_graph::generate::random::Random;
use heddle_graph::{Graph, Vertex};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

const UNDECIDED: u8 = 0;
const MEMBER: u8 = 1;
const OUTSIDE: u8 = 2;

/// For every vertex whether it is in the set.
pub fn greedy(graph: &Graph, seed: u64) -> Vec<bool> {
    let vertices = graph.out_edges().vertices();
    let priorities: Vec<u64> =
        vertices.clone().into_par_iter().map(|vertex| Random::new(seed, u64::from(vertex)).bits()).collect();
    let states: Vec<AtomicU8> = vertices.clone().map(|_| AtomicU8::new(UNDECIDED)).collect();
    let mut undecided: Vec<Vertex> = vertices.collect();
    while !undecided.is_empty() {
        // A decision taken in this round may or may not be seen by others in it. They decide the same
        // either way, only perhaps a round later.
        undecided =
            expand(&undecided, |vertex, still_undecided| match decide(graph, &priorities, &states, vertex) {
                UNDECIDED => still_undecided.push(vertex),
                state => states[vertex as usize].store(state, Relaxed),
            });
    }
    states.into_iter().map(|state| state.into_inner() == MEMBER).collect()
}

fn decide(graph: &Graph, priorities: &[u64], states: &[AtomicU8], vertex: Vertex) -> u8 {
    let priority = |vertex: Vertex| (priorities[vertex as usize], vertex);
    let own = priority(vertex);
    let mut state = MEMBER;
    for neighbour in around(graph, vertex).filter(|&neighbour| priority(neighbour) > own) {
        match states[neighbour as usize].load(Relaxed) {
            MEMBER => return OUTSIDE,
            UNDECIDED => state = UNDECIDED,
            _ => {}
        }
    }
    state
}
