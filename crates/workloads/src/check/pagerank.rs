//! PageRank: ranks near the fixed point, vertex by vertex.
//!
//! Every single rank is compared, relative to what it should be. The sum of all differences, at which an
//! iteration stops, would let one wrong vertex among a million pass.

use super::{NotClose, WrongLength, close};
use crate::reference::pagerank::{self, BadSettings, Settings};
use heddle_graph::Graph;
use thiserror::Error;

/// Why ranks are wrong, or cannot be judged.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum WrongRanks {
    /// One rank per vertex.
    #[error(transparent)]
    Length(#[from] WrongLength),
    /// The damping makes no sense.
    #[error(transparent)]
    Damping(#[from] BadSettings),
    /// The damping is so near 1 that the reference does not converge.
    #[error("the reference has not converged: its last iteration still changed the ranks by {residual}")]
    NoReference {
        /// What the last iteration changed (L1 norm).
        residual: f64,
    },
    /// The rank that is furthest off.
    #[error(transparent)]
    Rank(#[from] NotClose),
}

/// Judges ranks for a damping; each may differ from the right one by `tolerance` times that one.
pub fn ranks(graph: &Graph, damping: f64, ranks: &[f64], tolerance: f64) -> Result<(), WrongRanks> {
    WrongLength::check(graph, ranks.len())?;
    let settings = Settings { damping, tolerance: 1e-13, iterations_max: 100_000 };
    let expected = pagerank::ranks(graph, &settings)?;
    if expected.residual > settings.tolerance {
        return Err(WrongRanks::NoReference { residual: expected.residual });
    }
    Ok(close::close(ranks, &expected.ranks, tolerance, f64::MIN_POSITIVE)?)
}
