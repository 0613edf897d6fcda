//! What a cache answers, and what its owner has to carry out.

use super::policy::CoreTables;
use crate::ids::{CoreId, Pc, RegionId};
use crate::request::{LineAddress, Sectors, Token};

/// The answer to one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Read: the data is here. Write: absorbed.
    Hit,
    /// Waits for a miss that is already outstanding; released by a fill.
    Merged,
    /// The owner sends this below; the request itself waits and is released by a fill.
    Miss(Fetch),
    /// The request goes below as it is, without an MSHR: a write that is not absorbed, or an atomic
    /// above its point of ownership.
    Below,
    /// Nothing was changed; try again when something has been filled.
    Blocked(Blocked),
}

/// Why a request cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// Every MSHR is in use.
    Mshrs,
    /// No further request may wait for the line's outstanding miss.
    Merges,
    /// Every way of the set is reserved for an outstanding miss.
    Ways,
}

/// What is asked of the level below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetch {
    /// The line.
    pub line: LineAddress,
    /// The sectors to bring; each must be filled exactly once, together or one by one.
    pub sectors: Sectors,
    /// The instruction on whose behalf.
    pub pc: Pc,
    /// Bits that policies pass down.
    pub policy_bits: u16,
}

/// An evicted line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evicted {
    /// The line.
    pub line: LineAddress,
    /// Its valid sectors.
    pub sectors: Sectors,
    /// Sectors that differ from the level below. One that is not valid was written in part, and is written below
    /// as it is.
    pub dirty: Sectors,
    /// The instruction that brought it in.
    pub pc: Pc,
    /// The allocation that it lies in.
    pub region: RegionId,
    /// What policies note about it.
    pub policy_bits: u16,
}

/// A line that a prefetcher would like to have; offer it to [`Cache::prefetch`](super::Cache::prefetch).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefetch {
    /// The line.
    pub line: LineAddress,
    /// The sectors of interest.
    pub sectors: Sectors,
    /// The instruction whose next addresses these are.
    pub pc: Pc,
    /// Its core.
    pub core: CoreId,
    /// The allocation of the access that led to it.
    pub region: RegionId,
    /// Bits that go down with the request for it.
    pub policy_bits: u16,
}

/// What follows from accesses and fills, and what policies of several caches know together. The caller owns, empties
/// and reuses it.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Requests that need wait no longer, in the order in which they came.
    pub released: Vec<Token>,
    /// Dirty sectors to be written below.
    pub writebacks: Vec<Evicted>,
    /// Lines, clean or dirty, that are to be inserted in the level below (exclusion).
    pub victims: Vec<Evicted>,
    /// What should be prefetched if there is room.
    pub prefetches: Vec<Prefetch>,
    /// Tables that caches above and below each other share; those that no policy needs are empty.
    pub tables: CoreTables,
}

impl Effects {
    /// Nothing to do, and these tables.
    pub fn with_tables(tables: CoreTables) -> Effects {
        Effects { tables, ..Effects::default() }
    }

    /// Forgets what was to do, and keeps the room and the tables.
    pub fn clear(&mut self) {
        self.released.clear();
        self.writebacks.clear();
        self.victims.clear();
        self.prefetches.clear();
    }

    /// Whether nothing has to be done, nor a change of mode to be noted.
    pub fn is_empty(&self) -> bool {
        self.released.is_empty()
            && self.writebacks.is_empty()
            && self.victims.is_empty()
            && self.prefetches.is_empty()
            && !self.tables.has_switched()
    }
}
