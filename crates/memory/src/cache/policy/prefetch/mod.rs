//! What is fetched ahead.
//!
//! The cache shows every demand read that it takes, and is told addresses that are likely to be read soon.

mod none;

use crate::cache::policy::PolicySpec;
use crate::cache::spec::PrefetchKind;

/// A read that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Observed {
    /// The first byte touched.
    pub(crate) address: u64,
    pub(crate) pc: u32,
    pub(crate) warp: u16,
}

/// A prefetch policy.
#[derive(Clone, Debug)]
pub(crate) enum Prefetcher {
    None(none::NoPrefetch),
}

impl Prefetcher {
    pub(crate) fn new(_kind: PrefetchKind, _policies: &PolicySpec) -> Prefetcher {
        Prefetcher::None(none::NoPrefetch)
    }

    /// Its cost in bits, in a cache of so many lines.
    pub(crate) fn bits(&self, _lines: u64) -> u64 {
        0
    }

    /// Whether it wants to see reads at all.
    #[inline(always)]
    pub(crate) fn watches(&self) -> bool {
        false
    }

    /// Shows a read; `wish` is called with each address that should be fetched.
    #[inline(always)]
    pub(crate) fn observe(&mut self, _read: Observed, _wish: impl FnMut(u64)) {}
}
