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
    /// The damping is so near 1 that the right ranks would take too long to find.
    #[error("damping is {damping}; the right ranks are not found in {ITERATIONS_MAX} iterations")]
    NoReference {
        /// The damping.
        damping: f64,
    },
    /// The rank that is furthest off.
    #[error(transparent)]
    Rank(#[from] NotClose),
}

/// The most iterations that a check may take.
const ITERATIONS_MAX: u32 = 100_000;

/// Judges ranks for a damping; each may differ from the right one by `tolerance` times that one.
pub fn ranks(graph: &Graph, damping: f64, ranks: &[f64], tolerance: f64) -> Result<(), WrongRanks> {
    WrongLength::check(graph, ranks.len())?;
    let iterations_max = iterations_to_fixed_point(damping).ok_or(WrongRanks::NoReference { damping })?;
    let expected = pagerank::ranks(graph, &Settings { damping, tolerance: 1e-15, iterations_max })?;
    Ok(close::close(ranks, &expected.ranks, tolerance, f64::MIN_POSITIVE)?)
}

/// How many iterations lead to the fixed point but for rounding, at the latest.
///
/// Each brings the ranks nearer by a factor of `damping`. Waiting until nothing changes any more would not
/// do: the sums over the many neighbours of a hub may go on flickering in their last bits.
fn iterations_to_fixed_point(damping: f64) -> Option<u32> {
    let mut distance = 2.0;
    (0..=ITERATIONS_MAX).find(|_| {
        distance *= damping;
        // Damping that makes no sense, NaN included, is left to the reference to refuse.
        distance <= 1e-16 || !(0.0..1.0).contains(&damping)
    })
}
