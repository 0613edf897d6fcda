//! Both levels are filled, and each evicts on its own (\[Lakshminarayana14\] figure 19).

use super::{AfterHit, OnFetch};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NonInclusive;

impl NonInclusive {
    #[inline(always)]
    pub(super) fn after_read_hit(self) -> AfterHit {
        AfterHit::Keep
    }

    #[inline(always)]
    pub(super) fn on_read_fetch(self) -> OnFetch {
        OnFetch::Keep
    }
}
