//! Betweenness centrality: values near the right ones, vertex by vertex.

use super::{NotClose, WrongLength, close};
use crate::NoSuchVertex;
use crate::reference::betweenness;
use heddle_graph::{Graph, Vertex};
use thiserror::Error;

/// Why centralities are wrong.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum WrongCentrality {
    /// One value per vertex.
    #[error(transparent)]
    Length(#[from] WrongLength),
    /// A source does not exist.
    #[error(transparent)]
    Source(#[from] NoSuchVertex),
    /// The value that is furthest off.
    #[error(transparent)]
    Value(#[from] NotClose),
}

/// Judges centralities from `sources`, counted as the [reference](crate::reference::betweenness) does. Each
/// may differ from the right one by `tolerance` times that one, or by `tolerance` if that one is below 1.
pub fn centrality(
    graph: &Graph,
    sources: &[Vertex],
    centrality: &[f64],
    tolerance: f64,
) -> Result<(), WrongCentrality> {
    WrongLength::check(graph, centrality.len())?;
    let expected = betweenness::centrality(graph, sources)?;
    Ok(close::close(centrality, &expected, tolerance, 1.0)?)
}
