//! No bypass: every fill is inserted.

#[derive(Clone, Copy, Debug)]
pub(crate) struct Never;

impl Never {
    pub(super) fn bits(self) -> u64 {
        0
    }

    #[inline(always)]
    pub(super) fn passes(self) -> bool {
        false
    }
}
