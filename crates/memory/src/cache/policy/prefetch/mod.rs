//! Prefetching: what is fetched before it is asked for.
//!
//! The cache shows every demand read that it takes, and is told addresses that are likely to be read soon.

mod none;
mod stride;

use crate::cache::policy::PolicySpec;
use crate::cache::spec::PrefetchKind;

/// A read that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Observed {
    /// The first byte touched.
    pub(crate) address: u64,
    pub(crate) pc: u32,
    pub(crate) core: u16,
    pub(crate) warp: u16,
}

/// A prefetch policy.
#[derive(Clone, Debug)]
pub(crate) enum Prefetcher {
    None(none::NoPrefetch),
    Stride(stride::Stride),
}

impl Prefetcher {
    pub(crate) fn new(kind: PrefetchKind, policies: &PolicySpec) -> Prefetcher {
        match kind {
            PrefetchKind::None => Prefetcher::None(none::NoPrefetch),
            PrefetchKind::Stride => Prefetcher::Stride(stride::Stride::new(&policies.stride)),
        }
    }

    /// Its cost in bits, in a cache of so many lines.
    pub(crate) fn bits(&self, lines: u64) -> u64 {
        match self {
            Prefetcher::None(none) => none.bits(),
            Prefetcher::Stride(stride) => stride.bits(lines),
        }
    }

    /// Whether it wants to see reads at all.
    #[inline(always)]
    pub(crate) fn watches(&self) -> bool {
        !matches!(self, Prefetcher::None(_))
    }

    /// Shows a read; `wish` is called with each address that should be fetched.
    #[inline(always)]
    pub(crate) fn observe(&mut self, read: Observed, wish: impl FnMut(u64)) {
        match self {
            Prefetcher::None(_) => {}
            Prefetcher::Stride(stride) => stride.observe(read, wish),
        }
    }
}
