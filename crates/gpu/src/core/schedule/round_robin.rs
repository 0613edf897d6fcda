//! Strict round robin: warps have their turn one after the other, ready or not.

use super::{Candidates, next_after};

pub(super) fn pick(candidates: &Candidates<'_>, last: &mut u32) -> Option<usize> {
    let turn = next_after(candidates.resident, *last);
    *last = turn as u32;
    (candidates.ready >> turn & 1 == 1).then_some(turn)
}
