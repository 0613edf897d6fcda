//! C-SPREF1: prefetching into spare registers, one iteration ahead, with the compiler's help (\[Lakshminarayana14\]
//! section 3.3.2.6).
//!
//! The compiler has found the loads and the comparison that tells how many iterations are left, also the one before
//! the loop, so that prefetches begin with the first iteration.

use super::cost;
use super::distance::Distance;
use super::{FoundBy, Into, Scheme};
use crate::spec::CoreSpec;

pub(super) const SCHEME: Scheme =
    Scheme { found_by: FoundBy::Compiler, distance: Distance::One, into: Into::Registers };

/// Bits that the mechanism takes on every core: table 2 of the document without tags, for lists of one entry, which
/// need no pointers, and with what was chosen in addition.
///
/// Strides are immediate operands of the instructions that the compiler has made, and temporaries take spare registers
/// that no warp uses otherwise. A bit for each lane takes the place of the counter of prefetched iterations.
pub(super) fn bits(core: &CoreSpec) -> u64 {
    cost::limits(core)
        + cost::shadow_counts(core)
        + cost::lists_of_one(core)
        + cost::lane_bits(core, 1)
        + cost::instructions(core)
}
