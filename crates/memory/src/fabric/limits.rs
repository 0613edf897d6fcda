//! How much there may be of what a machine file lists.

use crate::spec_error::SpecError;

/// Most cores, and most nodes.
pub(super) const MOST_NODES: u32 = 8192;
/// Longest queue and longest time.
pub(super) const MOST: u32 = 1 << 16;
/// Most networks: events of one network are told apart from another's by a few bits.
pub(super) const MOST_NETWORKS: usize = 4;
/// Most levels.
pub(super) const MOST_LEVELS: usize = 64;

pub(super) fn wrong(key: impl Into<String>, problem: impl Into<String>) -> Result<(), SpecError> {
    Err(SpecError { key: key.into(), problem: problem.into() })
}
