//! Bypass: which fills are not inserted.
//!
//! On each miss of a read that would evict a line the cache asks [`Bypass::passes`], and then records the
//! pair with the decision. Atomics and writes are never asked about.

use super::super::{Block, Bypass, CoreTables, Policy};

heddle_engine::counters! {
    /// What a policy found out about its decisions, where it does; counted only in caches with such a policy.
    pub struct DecisionCounters {
        effective: "times", "Pairs of an incoming block and its victim of which the victim was accessed first: bypassing is right.";
        ineffective: "times", "Pairs of which the incoming block was accessed first.";
        undetermined: "times", "Pairs of which neither was accessed before the one that was kept left the cache.";
    }
}

/// A bypass policy.
pub trait BypassPolicy: Policy {
    /// Whether it decides anything at all.
    const DECIDES: bool = true;

    /// Whether this block should bypass the cache rather than evict that one.
    fn passes(&mut self, incoming: &Block, victim: &Block, tables: &mut CoreTables) -> bool;

    /// A decision was made about this pair.
    fn record(&mut self, _incoming: &Block, _victim: &Block, _passed: bool) {}

    /// What it found out about its decisions; none if it does not look.
    fn decisions(&mut self) -> Option<&mut DecisionCounters> {
        None
    }

    /// What it costs in bits for so many sets, beside [`Policy::bits`].
    fn bits_of_sets(&self, _sets: u32, _ways: u32) -> u64 {
        0
    }
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

    pub(crate) fn decisions(&mut self) -> Option<&mut DecisionCounters> {
        each_bypass!(self, policy => policy.decisions())
    }

    pub(crate) fn bits_of_sets(&self, sets: u32, ways: u32) -> u64 {
        each_bypass!(self, policy => policy.bits_of_sets(sets, ways))
    }
}
