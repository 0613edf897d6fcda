//! A sector is in the upper cache or in the lower one, never in both (\[Lakshminarayana14\] section 4.4.2 and
//! figure 20): what DRAM returns passes to the upper cache only, the upper cache's victims are inserted in the
//! lower one, and a hit there moves the sectors up.
//!
//! What the text leaves open: sectors that are dirty in the lower cache when they move up are written below
//! first, as the upper cache holds no dirty global data; atomics are performed in the lower cache, so what they
//! fetch is kept there; a line that a store or an atomic evicts from the upper cache is not given to the lower
//! one, as its data has just been overwritten below.

use super::{AfterHit, OnFetch};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exclusive;

impl Exclusive {
    #[inline(always)]
    pub(super) fn after_read_hit(self) -> AfterHit {
        AfterHit::MoveUp
    }

    #[inline(always)]
    pub(super) fn on_read_fetch(self) -> OnFetch {
        OnFetch::PassUp
    }
}
