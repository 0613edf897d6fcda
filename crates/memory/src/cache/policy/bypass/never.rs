//! Every fill is kept.

#[derive(Clone, Copy, Debug)]
pub(crate) struct Never;

impl Never {
    #[inline(always)]
    pub(super) fn passes(self) -> bool {
        false
    }
}
