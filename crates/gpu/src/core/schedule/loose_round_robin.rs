//! Loose round robin: the next warp that is ready (\[Lakshminarayana14\] table 3: "round-robin").

use super::{Candidates, next_after};

#[inline(always)]
pub(super) fn pick(candidates: &Candidates<'_>, last: u32) -> usize {
    next_after(candidates.ready, last)
}
