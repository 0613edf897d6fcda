//! Triangle count: one number is right.

use crate::reference::triangles;
use heddle_graph::Graph;
use thiserror::Error;

/// The number of triangles is another one.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("{found} triangles, expected {expected}")]
pub struct WrongCount {
    /// The number in the answer.
    pub found: u64,
    /// The right one.
    pub expected: u64,
}

/// Judges a number of triangles.
pub fn count(graph: &Graph, found: u64) -> Result<(), WrongCount> {
    let expected = triangles::count(graph);
    if found == expected { Ok(()) } else { Err(WrongCount { found, expected }) }
}
