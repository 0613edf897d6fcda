//! SPREF: prefetching into spare registers by hardware alone, with a dynamic distance (\[Lakshminarayana14\] sections
//! 3.3.2.1 to 3.3.2.5): the mechanism whose structures table 2 lists.
//!
//! As SPREF1, but the distance of each loop invocation follows from the average number of iterations that its threads
//! have to go (listing 1) once the first test has told them: one less than the compiler's help would have told.

use super::cost;
use super::distance::{Distance, LONGEST};
use super::{FoundBy, Into, Scheme};
use crate::spec::CoreSpec;

pub(super) const SCHEME: Scheme =
    Scheme { found_by: FoundBy::Hardware, distance: Distance::Dynamic, into: Into::Registers };

/// Bits that the mechanism takes on every core: table 2 of the document, and what was chosen in addition.
pub(super) fn bits(core: &CoreSpec) -> u64 {
    cost::table_2(core) + cost::lane_bits(core, LONGEST) + cost::detection(core)
}
