//! Replacement: which line of a full set is the victim.
//!
//! The cache tells when the line in a place is touched and when a place gets a new line, and asks for one of the
//! places of a set, the victim's. Empty places come before all others.

mod fifo;
mod lru;

use crate::cache::spec::ReplacementKind;
use heddle_engine::fetch_ahead;

/// A replacement policy.
#[derive(Clone, Debug)]
pub(crate) enum Replacement {
    Lru(lru::Lru),
    Fifo(fifo::Fifo),
}

impl Replacement {
    pub(crate) fn new(kind: ReplacementKind, places: usize) -> Replacement {
        match kind {
            ReplacementKind::Lru => Replacement::Lru(lru::Lru::new(places)),
            ReplacementKind::Fifo => Replacement::Fifo(fifo::Fifo::new(places)),
        }
    }

    /// The line in this place was touched.
    #[inline(always)]
    pub(crate) fn touch(&mut self, place: u32) {
        match self {
            Replacement::Lru(lru) => lru.touch(place),
            Replacement::Fifo(_) => {}
        }
    }

    /// This place got a new line.
    #[inline(always)]
    pub(crate) fn insert(&mut self, place: u32) {
        match self {
            Replacement::Lru(lru) => lru.touch(place),
            Replacement::Fifo(fifo) => fifo.insert(place),
        }
    }

    /// The line of this place was invalidated: the place is the next to be used.
    pub(crate) fn clear(&mut self, place: u32) {
        match self {
            Replacement::Lru(lru) => lru.clear(place),
            Replacement::Fifo(fifo) => fifo.clear(place),
        }
    }

    /// The victim among the `ways` places from `first` on, of those that may be evicted; the first empty one if there
    /// is any.
    #[inline(always)]
    pub(crate) fn victim(&self, first: u32, ways: u32, may: impl Fn(u32) -> bool) -> Option<u32> {
        let stamps = self.stamps();
        let (mut best, mut least) = (first, u64::MAX);
        for (&stamp, place) in stamps[first as usize..(first + ways) as usize].iter().zip(first..) {
            if stamp < least && may(place) {
                (best, least) = (place, stamp);
            }
        }
        // No stamp gets as large as this.
        (least != u64::MAX).then_some(best)
    }

    /// A set whose first place is this one will be asked for soon.
    #[inline(always)]
    pub(crate) fn fetch_ahead(&self, first: u32) {
        fetch_ahead(self.stamps(), first as usize);
    }

    #[inline(always)]
    fn stamps(&self) -> &[u64] {
        match self {
            Replacement::Lru(lru) => lru.stamps(),
            Replacement::Fifo(fifo) => fifo.stamps(),
        }
    }

    /// Its cost in bits: an order of the ways of each set, or the way that came first.
    pub(crate) fn bits(&self, sets: u32, ways: u32) -> u64 {
        let way = u64::from(ways.next_power_of_two().ilog2());
        match self {
            Replacement::Lru(_) => u64::from(sets) * u64::from(ways) * way,
            Replacement::Fifo(_) => u64::from(sets) * way,
        }
    }
}
