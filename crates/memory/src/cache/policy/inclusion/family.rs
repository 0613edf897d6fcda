//! Which of two levels holds a line.
//!
//! The lower cache has the policy of its `inclusion` key, and the caches above it have one of the same kind. The lower
//! one is asked what to do with the data of a read: with its hit, and with its fill. The upper one is asked which of
//! its victims the lower one gets.

use super::super::{BypassKind, CoreTables, Inclusion, Policy, Storage, Visit};
use crate::ids::CoreId;

/// What happens to the sectors that a read from above has hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterHit {
    /// They stay.
    Keep,
    /// They are invalidated: the level above has them now.
    MoveUp,
}

/// What happens to data that a read from above has made this cache fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFetch {
    /// It is kept here too.
    Keep,
    /// It is forwarded and not inserted.
    PassUp,
    /// Likewise, and it is counted as a line that has bypassed the cache.
    Bypass,
}

/// What the lower cache knows of the line that a request has hit.
#[derive(Clone, Copy, Debug)]
pub struct HitLine {
    /// The core that it was fetched for.
    pub core: CoreId,
    /// Those of the line.
    pub policy_bits: u16,
}

/// A decision about a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Whether it is kept.
    pub then: OnFetch,
    /// The bits that the line gets if it is kept, and that go up with the replies.
    pub policy_bits: u16,
}

/// A decision about a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Where the sectors are from now on.
    pub after: AfterHit,
    /// The bits that the line has from now on.
    pub line_bits: u16,
    /// The bits that go up with the reply.
    pub reply_bits: u16,
}

/// An inclusion policy.
pub trait InclusionPolicy: Policy {
    /// Whether lines move between the levels at all: whether the upper cache gives victims.
    const MOVES_LINES: bool = false;

    /// In the lower cache: a read has hit a line, or sectors of it.
    fn hit(&mut self, _visit: &Visit, _line: HitLine, _tables: &mut CoreTables) -> Hit {
        Hit { after: AfterHit::Keep, line_bits: 0, reply_bits: 0 }
    }

    /// In the lower cache: whether what a read fetches is kept.
    fn on_fetch(&mut self, _visit: &Visit, _tables: &mut CoreTables) -> Fetched {
        Fetched { then: OnFetch::Keep, policy_bits: 0 }
    }

    /// In the lower cache: a read waits for what another has fetched for `core`. What was to be forwarded only can
    /// be kept now.
    fn merged(&mut self, _visit: &Visit, _core: CoreId, policy_bits: u16) -> Fetched {
        Fetched { then: OnFetch::PassUp, policy_bits }
    }

    /// In the lower cache: what happens to sectors that were fetched and kept, and that reads have waited for.
    fn after_fill(&self) -> AfterHit {
        AfterHit::Keep
    }

    /// In the upper cache: whether the lower cache gets a victim with these bits.
    fn gives(&self, _line_bits: u16) -> bool {
        Self::MOVES_LINES
    }

    /// Whether it decides together with this bypass policy of an upper cache, where lines move: any other would bypass what
    /// the lower cache lives on.
    fn decides_for(&self, _above: BypassKind) -> bool {
        false
    }

    /// Its cost in bits in an upper cache.
    fn bits_above(&self, _storage: &Storage) -> u64 {
        0
    }
}

impl Inclusion {
    /// Whether lines move between the levels at all.
    pub(crate) fn moves_lines(&self) -> bool {
        fn of<P: InclusionPolicy>(_: &P) -> bool {
            P::MOVES_LINES
        }
        each_inclusion!(self, policy => of(policy))
    }

    #[inline(always)]
    pub(crate) fn hit(&mut self, visit: &Visit, line: HitLine, tables: &mut CoreTables) -> Hit {
        each_inclusion!(self, policy => policy.hit(visit, line, tables))
    }

    #[inline(always)]
    pub(crate) fn on_fetch(&mut self, visit: &Visit, tables: &mut CoreTables) -> Fetched {
        each_inclusion!(self, policy => policy.on_fetch(visit, tables))
    }

    #[inline(always)]
    pub(crate) fn merged(&mut self, visit: &Visit, core: CoreId, policy_bits: u16) -> Fetched {
        each_inclusion!(self, policy => policy.merged(visit, core, policy_bits))
    }

    #[inline(always)]
    pub(crate) fn after_fill(&self) -> AfterHit {
        each_inclusion!(self, policy => policy.after_fill())
    }

    #[inline(always)]
    pub(crate) fn gives(&self, line_bits: u16) -> bool {
        each_inclusion!(self, policy => policy.gives(line_bits))
    }

    pub(crate) fn decides_for(&self, above: BypassKind) -> bool {
        each_inclusion!(self, policy => policy.decides_for(above))
    }

    pub(crate) fn bits_above(&self, storage: &Storage) -> u64 {
        each_inclusion!(self, policy => policy.bits_above(storage))
    }
}
