//! Prefetching: what is fetched before it is asked for.
//!
//! The cache shows every demand read that it takes, and is told addresses that are likely to be read soon.

use super::super::{CoreTables, Policy, Prefetcher, Visit};
use crate::request::ByteAddress;

/// Something that a prefetcher would like to have: the line of a byte, of whatever slice, and the sector that it lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The byte.
    pub address: ByteAddress,
    /// Bits that go down with the request for it.
    pub policy_bits: u16,
}

impl Wish {
    /// A wish without policy bits.
    pub fn at(address: u64) -> Wish {
        Wish { address: ByteAddress(address), policy_bits: 0 }
    }
}

/// A prefetch policy.
pub trait PrefetchPolicy: Policy {
    /// Whether it wants to see reads at all.
    const WATCHES: bool = true;

    /// Shows a read; `wish` is called with everything that should be fetched.
    fn observe(&mut self, read: &Visit, tables: &mut CoreTables, wish: impl FnMut(Wish));
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
    pub(crate) fn observe(&mut self, read: &Visit, tables: &mut CoreTables, wish: impl FnMut(Wish)) {
        each_prefetcher!(self, policy => policy.observe(read, tables, wish))
    }
}
