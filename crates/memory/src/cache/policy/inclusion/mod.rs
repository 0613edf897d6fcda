//! Which of two levels holds a line, seen from the lower one.
//!
//! The cache asks what to do with the data of a read: with its hit, and with its fill.

mod exclusive;
mod non_inclusive;

use crate::cache::spec::InclusionKind;

/// What happens to the sectors that a read from above has hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterHit {
    /// They stay.
    Keep,
    /// They are invalidated: the level above has them now.
    MoveUp,
}

/// What happens to data that a read from above has made this cache fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnFetch {
    /// It is kept here too.
    Keep,
    /// It is forwarded and not inserted.
    PassUp,
}

/// An inclusion policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inclusion {
    NonInclusive(non_inclusive::NonInclusive),
    Exclusive(exclusive::Exclusive),
}

impl Inclusion {
    pub(crate) fn new(kind: InclusionKind) -> Inclusion {
        match kind {
            InclusionKind::NonInclusive => Inclusion::NonInclusive(non_inclusive::NonInclusive),
            InclusionKind::Exclusive => Inclusion::Exclusive(exclusive::Exclusive),
        }
    }

    #[inline(always)]
    pub(crate) fn after_read_hit(self) -> AfterHit {
        match self {
            Inclusion::NonInclusive(policy) => policy.after_read_hit(),
            Inclusion::Exclusive(policy) => policy.after_read_hit(),
        }
    }

    #[inline(always)]
    pub(crate) fn on_read_fetch(self) -> OnFetch {
        match self {
            Inclusion::NonInclusive(policy) => policy.on_read_fetch(),
            Inclusion::Exclusive(policy) => policy.on_read_fetch(),
        }
    }
}
