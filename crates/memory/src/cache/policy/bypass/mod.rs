//! Bypass: which fills are not inserted.
//!
//! On each miss of a read that would evict a line the cache asks [`Bypass::passes`], and then records the
//! pair with the decision. It tells of every request that it serves, and of every eviction. Atomics and
//! writes are never asked about.

mod never;
mod obm;

use crate::cache::policy::PolicySpec;
use crate::cache::spec::BypassKind;
use crate::request::LineAddress;

/// A block of a decision: its line and the instruction that brought it or brings it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) line: LineAddress,
    pub(crate) pc: u32,
}

/// A bypass policy.
#[derive(Clone, Debug)]
pub(crate) enum Bypass {
    Never(never::Never),
    Obm(obm::Obm),
}

impl Bypass {
    pub(crate) fn new(kind: BypassKind, policies: &PolicySpec, seed: u32) -> Bypass {
        match kind {
            BypassKind::Never => Bypass::Never(never::Never),
            BypassKind::Obm => Bypass::Obm(obm::Obm::new(&policies.obm, seed)),
        }
    }

    /// Its cost in bits, in a cache of so many lines.
    pub(crate) fn bits(&self, lines: u64) -> u64 {
        match self {
            Bypass::Never(never) => never.bits(),
            Bypass::Obm(obm) => obm.bits(lines),
        }
    }

    /// Whether it learns or decides anything at all.
    #[inline(always)]
    pub(crate) fn watches(&self) -> bool {
        !matches!(self, Bypass::Never(_))
    }

    /// A request for this line was served here.
    #[inline(always)]
    pub(crate) fn accessed(&mut self, line: LineAddress) {
        match self {
            Bypass::Never(_) => {}
            Bypass::Obm(obm) => obm.accessed(line),
        }
    }

    /// A line was evicted.
    #[inline(always)]
    pub(crate) fn evicted(&mut self, line: LineAddress) {
        match self {
            Bypass::Never(_) => {}
            Bypass::Obm(obm) => obm.evicted(line),
        }
    }

    /// Whether what this instruction fetches should bypass the cache rather than evict a line.
    #[inline(always)]
    pub(crate) fn passes(&self, pc: u32) -> bool {
        match self {
            Bypass::Never(never) => never.passes(),
            Bypass::Obm(obm) => obm.passes(pc),
        }
    }

    /// A decision was made about this pair.
    #[inline(always)]
    pub(crate) fn record(&mut self, incoming: Block, victim: Block, passed: bool) {
        match self {
            Bypass::Never(_) => {}
            Bypass::Obm(obm) => obm.record(incoming, victim, passed),
        }
    }
}
