//! Bipartite check: any two sides that fit are right, and any odd cycle that exists.

use super::WrongLength;
use super::stcon::first_repeated;
use crate::NoSuchVertex;
use crate::edges::edge;
use crate::reference::bipartite::Bipartite;
use heddle_graph::{Graph, Vertex};
use rayon::prelude::*;
use thiserror::Error;

/// Why a verdict, or its proof, is wrong.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WrongVerdict {
    /// One side per vertex.
    #[error(transparent)]
    Length(#[from] WrongLength),
    /// An edge within a side.
    #[error("an arc leads from {source_vertex} to {target}, which are on the same side")]
    SameSide {
        /// Where the arc begins.
        source_vertex: Vertex,
        /// Where it ends.
        target: Vertex,
    },
    /// The cycle names a vertex that does not exist.
    #[error(transparent)]
    Vertex(#[from] NoSuchVertex),
    /// The cycle's length must be odd.
    #[error("the cycle has {length} vertices, which is not odd")]
    NotOdd {
        /// Its length.
        length: usize,
    },
    /// A cycle visits no vertex twice.
    #[error("vertex {vertex} is on the cycle twice")]
    Repeated {
        /// The vertex.
        vertex: Vertex,
    },
    /// Consecutive vertices of the cycle must be neighbours.
    #[error("{a} and {b} follow each other on the cycle, but no edge joins them")]
    NoEdge {
        /// A vertex of the cycle.
        a: Vertex,
        /// The next one.
        b: Vertex,
    },
}

/// Judges a verdict by its proof.
pub fn verdict(graph: &Graph, verdict: &Bipartite) -> Result<(), WrongVerdict> {
    match verdict {
        Bipartite::Sides(sides) => check_sides(graph, sides),
        Bipartite::OddCycle(cycle) => check_cycle(graph, cycle),
    }
}

fn check_sides(graph: &Graph, sides: &[bool]) -> Result<(), WrongVerdict> {
    WrongLength::check(graph, sides.len())?;
    let arcs = graph.out_edges();
    let within = |vertex: Vertex| {
        let own = sides[vertex as usize];
        let target = arcs.neighbours(vertex).iter().find(|&&target| sides[target as usize] == own)?;
        Some(WrongVerdict::SameSide { source_vertex: vertex, target: *target })
    };
    arcs.vertices().into_par_iter().find_map_first(within).map_or(Ok(()), Err)
}

fn check_cycle(graph: &Graph, cycle: &[Vertex]) -> Result<(), WrongVerdict> {
    if cycle.len().is_multiple_of(2) {
        return Err(WrongVerdict::NotOdd { length: cycle.len() });
    }
    if let Some(vertex) = first_repeated(graph, cycle)? {
        return Err(WrongVerdict::Repeated { vertex });
    }
    let next = cycle.iter().cycle().skip(1);
    match cycle.iter().zip(next).find(|&(&a, &b)| edge(graph, a, b).is_none()) {
        Some((&a, &b)) => Err(WrongVerdict::NoEdge { a, b }),
        None => Ok(()),
    }
}
