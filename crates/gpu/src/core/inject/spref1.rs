//! SPREF1: prefetching into spare registers by hardware alone, one iteration ahead (\[Lakshminarayana14\] sections 3.3.2.1
//! to 3.3.2.5).
//!
//! A core finds the loops and their loads while warps run (`training`, `value_tags`, `load_id_tags`, `loop_body`):
//! three iterations of a loop pass before the first prefetch. The iterations that a warp has to go are known from the
//! first test that it evaluates in the loop, so that its first iteration goes by without a prefetch, and its second
//! without a load that has become a `mov`.

use super::cost;
use super::distance::Distance;
use super::{FoundBy, Into, Scheme};
use crate::spec::CoreSpec;

pub(super) const SCHEME: Scheme =
    Scheme { found_by: FoundBy::Hardware, distance: Distance::One, into: Into::Registers };

/// Bits that the mechanism takes on every core: table 2 of the document for lists of one entry, which need neither
/// pointers nor a distance, and what was chosen in addition.
pub(super) fn bits(core: &CoreSpec) -> u64 {
    cost::tags(core)
        + cost::limits(core)
        + cost::shadow_counts(core)
        + cost::lists_of_one(core)
        + cost::lane_bits(core, 1)
        + cost::detection(core)
}
