//! Which fills are not kept.
//!
//! The cache tells of every access and of every line that loses its place to another, and asks on each miss of
//! a read that would drive out a line. Atomics and writes are never asked about.

mod never;

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
}

impl Bypass {
    pub(crate) fn new(_kind: BypassKind, _policies: &PolicySpec, _seed: u32) -> Bypass {
        Bypass::Never(never::Never)
    }

    /// Its cost in bits, in a cache of so many lines.
    pub(crate) fn bits(&self, _lines: u64) -> u64 {
        0
    }

    /// A read, write or atomic was taken.
    #[inline(always)]
    pub(crate) fn accessed(&mut self, _line: LineAddress) {}

    /// A line lost its place to another.
    #[inline(always)]
    pub(crate) fn evicted(&mut self, _line: LineAddress) {}

    /// Whether `incoming` should pass rather than drive out `victim`.
    #[inline(always)]
    pub(crate) fn passes(&mut self, _incoming: Block, _victim: Block) -> bool {
        match self {
            Bypass::Never(never) => never.passes(),
        }
    }
}
