//! The transactions between cores and slices, and the queues that they wait in.

use crate::request::{Level, LineAddress, Request, Sectors};
use heddle_engine::Slab;

/// Ends a queue.
pub(super) const NONE: u32 = u32::MAX;

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A cache of a core fetches sectors on behalf of a request.
    Fetch,
    /// A prefetch: the same, and no core is told.
    Prefetch,
    /// A request goes below as it is and is answered: a write or an atomic.
    Forward,
    /// Dirty sectors that a cache of a core gives up.
    WriteBack,
    /// A line that a cache of a core gives up to L2, which takes it in (exclusion).
    Victim,
}

impl Kind {
    /// Whether something goes back to the core.
    #[inline(always)]
    pub(super) fn is_answered(self) -> bool {
        matches!(self, Kind::Fetch | Kind::Prefetch | Kind::Forward)
    }

    /// Whether a core's request is told about.
    #[inline(always)]
    pub(super) fn is_noticed(self) -> bool {
        matches!(self, Kind::Fetch | Kind::Forward)
    }
}

/// Where a transaction is, for the watchdog's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    MissQueue,
    RequestNetwork,
    Ejected,
    SliceInput,
    SliceMiss,
    AtomicUnit,
    ReplyQueue,
    ReplyNetwork,
    Over,
}

/// A request on the way from a core to a slice, and its reply on the way back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transaction {
    /// The request: with the core's line and words up to the crossbar and back.
    pub(super) request: Request,
    /// Words of L2's line that are asked for, or carried.
    pub(super) words: u32,
    /// The next in the queue that it waits in.
    pub(super) next: u32,
    /// When it came to where it is.
    pub(super) since: u64,
    /// When the core sent it.
    pub(super) born: u64,
    pub(super) slice: u16,
    pub(super) kind: Kind,
    pub(super) stage: Stage,
    pub(super) level: Level,
    /// Which cache of the core.
    pub(super) cache: u8,
    /// The sectors of that cache's line.
    pub(super) sectors: Sectors,
    /// Those that are dirty, of a victim.
    pub(super) dirty: Sectors,
}

impl Transaction {
    /// The line of L2 that it is about; L2's lines may be longer than the core's.
    #[inline(always)]
    pub(super) fn l2_line(&self, l2_line_mask: u64) -> LineAddress {
        LineAddress(self.request.line.0 & !l2_line_mask)
    }
}

/// A thing that can wait in a [`Queue`].
pub(super) trait Linked {
    /// The number of the next.
    fn next(&mut self) -> &mut u32;
}

impl Linked for Transaction {
    #[inline(always)]
    fn next(&mut self) -> &mut u32 {
        &mut self.next
    }
}

/// A first-in, first-out queue of things in a slab, linked through them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    first: u32,
    last: u32,
    length: u32,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue { first: NONE, last: NONE, length: 0 }
    }
}

impl Queue {
    #[inline(always)]
    pub(super) fn len(&self) -> u32 {
        self.length
    }

    #[inline(always)]
    pub(super) fn front(&self) -> Option<u32> {
        (self.length > 0).then_some(self.first)
    }

    #[inline(always)]
    pub(super) fn push<T: Linked>(&mut self, number: u32, slab: &mut Slab<T>) {
        if self.length == 0 {
            self.first = number;
        } else {
            *slab[self.last].next() = number;
        }
        self.last = number;
        self.length += 1;
    }

    #[inline(always)]
    pub(super) fn pop<T: Linked>(&mut self, slab: &mut Slab<T>) -> Option<u32> {
        let number = self.front()?;
        self.first = *slab[number].next();
        self.length -= 1;
        Some(number)
    }
}
