//! Loose round robin: the next warp that is ready (000_e5444c911889a1ac.txt, table 3: "round-robin").

use super::{Candidates, next_after};

#[inline(always)]
pub(super) fn pick(candidates: &Candidates<'_>, last: u32) -> usize {
    next_after(candidates.ready, last)
}
