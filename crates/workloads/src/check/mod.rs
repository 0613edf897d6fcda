//! Judges of answers. One problem per file.
//!
//! A checker takes the graph, the question and an answer, and returns `Ok(())` for every right answer:
//! also where there are many, and the [reference](crate::reference) would have found another. For a wrong
//! one it returns a typed error whose text names the vertex or the arc at which the answer fails (the first
//! one, or the worst where answers are real numbers). Answers of the wrong length, or that name vertices
//! which do not exist, are wrong answers like others; nothing an answer contains makes a checker panic.
//!
//! | problem | checker | accepts |
//! |---|---|---|
//! | breadth-first search | [`bfs::depths`], [`bfs::parents`] | the depths; any tree of shortest paths |
//! | shortest paths | [`sssp::distances`], [`sssp::parents`] | the distances; any tree of shortest paths |
//! | components | [`wcc::labels`] | any labels that are equal just within components |
//! | PageRank | [`pagerank::ranks`] | ranks within a tolerance |
//! | independent set | [`mis::set`] | any maximal one |
//! | colouring | [`colouring::colours`] | any proper one |
//! | betweenness | [`betweenness::centrality`] | values within a tolerance |
//! | spanning forest | [`mst::edges`] | any forest of minimum weight |
//! | S–T connectivity | [`stcon::path`] | any path, or none where there is none |
//! | triangles | [`triangles::count`] | the number |
//! | bipartite check | [`bipartite::verdict`] | any two sides, any odd cycle |

pub mod betweenness;
pub mod bfs;
pub mod bipartite;
mod close;
pub mod colouring;
pub mod mis;
pub mod mst;
pub mod pagerank;
pub mod sssp;
pub mod stcon;
mod tree;
pub mod triangles;
pub mod wcc;

pub use close::NotClose;
pub use tree::WrongTree;

use heddle_graph::Graph;
use thiserror::Error;

/// An answer must have one entry per vertex.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the answer has {entries} entries for {vertices} vertices")]
pub struct WrongLength {
    /// Entries of the answer.
    pub entries: usize,
    /// Vertices of the graph.
    pub vertices: u32,
}

impl WrongLength {
    fn check(graph: &Graph, entries: usize) -> Result<(), WrongLength> {
        let vertices = graph.num_vertices();
        if entries == vertices as usize { Ok(()) } else { Err(WrongLength { entries, vertices }) }
    }
}

/// A distance in words.
fn shown<T: Copy + Into<u64>>(distance: &T, unreached: T) -> String {
    let (distance, unreached) = ((*distance).into(), unreached.into());
    if distance == unreached { "unreached".to_owned() } else { distance.to_string() }
}

/// The first entry that two answers of one length do not share: vertex, found, expected.
fn first_difference<T: Copy + PartialEq>(found: &[T], expected: &[T]) -> Option<(u32, T, T)> {
    let pairs = found.iter().zip(expected).enumerate();
    pairs
        .map(|(vertex, (&found, &expected))| (vertex as u32, found, expected))
        .find(|&(_, found, expected)| found != expected)
}
