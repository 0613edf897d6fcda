//! Prefetching: what is fetched before it is asked for.
//!
//! The cache shows every demand read that it takes, and is told addresses that are likely to be read soon.

use super::super::{Policy, Prefetcher, Visit};

/// A prefetch policy.
pub trait PrefetchPolicy: Policy {
    /// Whether it wants to see reads at all.
    const WATCHES: bool = true;

    /// Shows a read; `wish` is called with each address that should be fetched, of whatever slice.
    fn observe(&mut self, read: &Visit, wish: impl FnMut(u64));
}

impl Prefetcher {
    /// Whether it wants to see reads at all.
    #[inline(always)]
    pub(crate) fn watches(&self) -> bool {
        #[inline(always)]
        fn of<P: PrefetchPolicy>(_: &P) -> bool {
            P::WATCHES
        }
        each_prefetcher!(self, policy => of(policy))
    }

    #[inline(always)]
    pub(crate) fn observe(&mut self, read: &Visit, wish: impl FnMut(u64)) {
        each_prefetcher!(self, policy => policy.observe(read, wish))
    }
}
