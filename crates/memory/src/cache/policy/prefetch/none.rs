//! No prefetching.

#[derive(Clone, Copy, Debug)]
pub(crate) struct NoPrefetch;

impl NoPrefetch {
    pub(super) fn bits(self) -> u64 {
        0
    }
}
