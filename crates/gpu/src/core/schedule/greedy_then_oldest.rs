//! Greedy, then oldest: the warp that issued last as long as it can, then the one that has been on the core
//! longest (\[Rogers12\]).

use super::Candidates;

#[inline(always)]
pub(super) fn pick(candidates: &Candidates<'_>, last: u32) -> usize {
    if candidates.ready >> last & 1 == 1 {
        return last as usize;
    }
    let mut rest = candidates.ready;
    let mut oldest = rest.trailing_zeros() as usize;
    rest &= rest - 1;
    while rest != 0 {
        let warp = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if candidates.ages[warp] < candidates.ages[oldest] {
            oldest = warp;
        }
    }
    oldest
}
