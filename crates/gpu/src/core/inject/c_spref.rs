//! C-SPREF: prefetching into spare registers with the compiler's help and a dynamic distance (\[Lakshminarayana14\]
//! sections 3.3.2.3 and 3.3.2.6).
//!
//! As C-SPREF1, but the distance of each loop invocation follows from the average number of its iterations (listing 1),
//! which the comparison before the loop tells.

use super::cost;
use super::distance::{Distance, LONGEST};
use super::{FoundBy, Into, Scheme};
use crate::spec::CoreSpec;

pub(super) const SCHEME: Scheme =
    Scheme { found_by: FoundBy::Compiler, distance: Distance::Dynamic, into: Into::Registers };

/// Bits that the mechanism takes on every core: table 2 of the document without tags, and what was chosen in addition.
/// The compiler has made the instructions of each distance; the core holds those of one, whose steps it multiplies.
pub(super) fn bits(core: &CoreSpec) -> u64 {
    cost::table_2(core) - cost::tags(core) + cost::lane_bits(core, LONGEST) + cost::instructions(core)
}
