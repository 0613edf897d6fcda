//! SPREF1-C: what SPREF1 would be without spare registers for tails (\[Lakshminarayana14\] section 3.5.4).
//!
//! Prefetches of tails go to the caches alone, and the tail itself is executed as it stands; heads still go to spare
//! registers, since the addresses of tails are computed from them. Where a loop has no tail, the heads go to the caches
//! alone. So prefetched lines can be evicted before they are used, and loads contend with their own prefetches for L1.

use super::distance::Distance;
use super::{FoundBy, Into, Scheme};
use crate::spec::CoreSpec;

pub(super) const SCHEME: Scheme =
    Scheme { found_by: FoundBy::Hardware, distance: Distance::One, into: Into::Cache };

/// Bits that the mechanism takes on every core: those of SPREF1. It keeps lists of tails as well, whose lanes must not
/// be prefetched twice in an iteration.
pub(super) fn bits(core: &CoreSpec) -> u64 {
    super::spref1::bits(core)
}
