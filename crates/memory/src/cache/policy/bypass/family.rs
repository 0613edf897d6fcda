//! Bypass: which fills are not inserted.
//!
//! On each miss of a read that would evict a line the cache asks [`Bypass::passes`], and then records the
//! pair with the decision. Atomics and writes are never asked about.

use super::super::{Block, Bypass, CoreTables, Policy};

/// A bypass policy.
pub trait BypassPolicy: Policy {
    /// Whether it decides anything at all.
    const DECIDES: bool = true;

    /// Whether this block should bypass the cache rather than evict that one.
    fn passes(&mut self, incoming: &Block, victim: &Block, tables: &mut CoreTables) -> bool;

    /// A decision was made about this pair.
    fn record(&mut self, _incoming: &Block, _victim: &Block, _passed: bool) {}
}

impl Bypass {
    /// Whether it decides anything at all.
    #[inline(always)]
    pub(crate) fn decides(&self) -> bool {
        #[inline(always)]
        fn of<P: BypassPolicy>(_: &P) -> bool {
            P::DECIDES
        }
        each_bypass!(self, policy => of(policy))
    }

    #[inline(always)]
    pub(crate) fn passes(&mut self, incoming: &Block, victim: &Block, tables: &mut CoreTables) -> bool {
        each_bypass!(self, policy => policy.passes(incoming, victim, tables))
    }

    #[inline(always)]
    pub(crate) fn record(&mut self, incoming: &Block, victim: &Block, passed: bool) {
        each_bypass!(self, policy => policy.record(incoming, victim, passed))
    }
}
