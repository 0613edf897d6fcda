//! What every policy sees and can do, whatever its family.
//!
//! The cache calls, for each request that it takes: [`Policy::asked`] if it has to fetch, then the family's own
//! decisions, then [`Policy::answered`] and [`Policy::visited`]; for data from below [`Policy::filled`]; for each line that leaves
//! [`Policy::departed`]. A policy is called only for what it [wants](Wants).
//!
//! Policies of one cache, and of caches above and below each other, speak through 16 *policy bits*: those of a request go
//! down with it, through all levels below, those of a reply come up with it, and each line has some. They mean what the
//! policy says that sets them, which declares them as its [`Policy::BITS`]: no machine has two different policies with one
//! bit on one way to memory.

use super::tables::CoreTables;
use crate::SpecError;
use crate::cache::foresight::Future;
use crate::cache::spec::CacheSpec;
use crate::ids::{CoreId, Pc, RegionId, WarpId};
use crate::request::{Access, ByteAddress, LineAddress, Sectors};
use std::sync::Arc;

/// What a request met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// All that it touches was here, or was absorbed here.
    Hit,
    /// It waits for a miss that was already outstanding.
    Merged,
    /// Something is fetched for it.
    Miss,
}

/// A request that the cache takes.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// The line, by the address that everybody knows it by.
    pub line: LineAddress,
    /// The first byte that it touches.
    pub address: ByteAddress,
    /// Bytes of a line of this cache.
    pub line_bytes: u32,
    /// The sectors that it touches.
    pub touched: Sectors,
    /// Its set.
    pub set: u32,
    /// The way that its line is in.
    pub way: Option<u32>,
    /// The instruction.
    pub pc: Pc,
    /// The allocation that it falls into; 0 if unknown.
    pub region: RegionId,
    /// The core.
    pub core: CoreId,
    /// The warp on its core.
    pub warp: WarpId,
    /// What it does.
    pub access: Access,
    /// What it met.
    pub met: Met,
    /// It is the first to touch a line that a prefetch brought.
    pub first_use: bool,
    /// Those of the request.
    pub policy_bits: u16,
    /// Those of the line, if it is here.
    pub line_bits: u16,
}

/// Why a line leaves the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is evicted for another.
    Replaced,
    /// A write or an atomic that goes below evicts it.
    Written,
    /// Its sectors have moved to the level above.
    MovedUp,
    /// It is invalidated by its owner.
    Invalidated,
    /// A launch clears the cache.
    Cleared,
}

/// A line that leaves the cache.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// The line.
    pub line: LineAddress,
    /// Its set.
    pub set: u32,
    /// Why it leaves.
    pub why: Why,
    /// The instruction that fetched it.
    pub pc: Pc,
    /// The core that it was fetched for.
    pub core: CoreId,
    /// The allocation that it lies in; 0 if unknown.
    pub region: RegionId,
    /// The first sector that was missed; none if no miss brought the line.
    pub first_missed: Sectors,
    /// All sectors that a line of this cache has.
    pub line_sectors: Sectors,
    /// Its valid sectors.
    pub valid: Sectors,
    /// Sectors touched while it was here.
    pub used: Sectors,
    /// Sectors that differ from the level below.
    pub dirty: Sectors,
    /// A prefetch brought it, and nothing has touched it.
    pub prefetched: bool,
    /// Those of the line.
    pub policy_bits: u16,
}

/// Data that arrives from below.
#[derive(Clone, Copy, Debug)]
pub struct Fill {
    /// The line.
    pub line: LineAddress,
    /// The core of the request that missed first.
    pub core: CoreId,
    /// Its allocation; 0 if unknown.
    pub region: RegionId,
    /// Those of the reply.
    pub policy_bits: u16,
}

/// A line of a decision: one that comes, or the victim that it would evict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The line.
    pub line: LineAddress,
    /// Its set.
    pub set: u32,
    /// The instruction that fetches it or has fetched it.
    pub pc: Pc,
    /// The core that it is fetched for.
    pub core: CoreId,
    /// The allocation that it lies in; 0 if unknown.
    pub region: RegionId,
    /// Of one that comes, those of its request; of one that is here, those of the line.
    pub policy_bits: u16,
}

/// What a policy wants to be called for. A cache none of whose policies wants anything pays nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// [`Policy::visited`].
    pub visits: bool,
    /// [`Policy::departed`].
    pub departures: bool,
    /// [`Policy::asked`] and [`Policy::filled`].
    pub fetches: bool,
    /// [`Policy::answered`].
    pub replies: bool,
}

impl Wants {
    /// Nothing.
    pub const NOTHING: Wants = Wants { visits: false, departures: false, fetches: false, replies: false };

    /// What one of the two wants.
    pub fn or(self, other: Wants) -> Wants {
        Wants {
            visits: self.visits || other.visits,
            departures: self.departures || other.departures,
            fetches: self.fetches || other.fetches,
            replies: self.replies || other.replies,
        }
    }
}

/// Bits of an address that caches and tables of hardware hold; 40 address 1 TB.
pub const ADDRESS_BITS: u64 = 40;

/// What the cost of a policy depends on besides its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Storage {
    /// Lines of the cache.
    pub lines: u64,
    /// Bytes of a line.
    pub line_bytes: u64,
    /// Sectors of a line.
    pub sectors_per_line: u32,
    /// Cores of the machine.
    pub cores: u32,
}

impl Storage {
    /// Bits of the number of a line: those of an address that do not tell bytes of a line apart.
    pub fn line_number_bits(&self) -> u64 {
        ADDRESS_BITS.saturating_sub(u64::from(self.line_bytes.max(1).ilog2()))
    }
}

/// The sets of a cache among those of all slices of its level, which are counted slice after slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetNumbers {
    /// The number of its first set.
    pub first: u32,
    /// How many it has.
    pub here: u32,
    /// How many all slices have.
    pub of_all: u32,
}

/// A level beside the one that is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour<'a> {
    /// Its name: that of the table that its keys are in.
    pub name: &'a str,
    /// One slice of it.
    pub cache: CacheSpec,
}

/// Where a cache is in a memory system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surroundings<'a> {
    /// The name of its level: that of the table that its keys are in.
    pub name: &'a str,
    /// One slice of it, whose figures are sound.
    pub cache: CacheSpec,
    /// How many slices an instance of the level has.
    pub slices: u32,
    /// It belongs to a core.
    pub is_private: bool,
    /// The levels that ask it.
    pub above: Vec<Neighbour<'a>>,
    /// The level that it asks, unless that is memory.
    pub below: Option<Neighbour<'a>>,
}

/// What all policies have in common; a family's trait adds the decisions that it makes.
pub trait Policy: Sized {
    /// Its parameters; `()` for none.
    type Spec;

    /// What it is called for.
    const WANTS: Wants = Wants::NOTHING;

    /// A policy that has learned nothing yet; `seed` is for those that choose at random.
    fn new(spec: &Self::Spec, seed: u32) -> Self;

    /// Whether a cache can have this policy: the key that is wrong otherwise, and why.
    fn check_cache(_cache: &CacheSpec) -> Result<(), (&'static str, String)> {
        Ok(())
    }

    /// Whether a cache with this policy can be where it is: beside what other levels, and in what part of the machine. The
    /// keys of the error are those of the machine file, such as `l2.bypass` and `policies.NAME.KEY`.
    fn check_place(_spec: &Self::Spec, _place: &Surroundings<'_>) -> Result<(), SpecError> {
        Ok(())
    }

    /// The policy bits that it sets or looks at, of requests, replies and lines: 1 << n for bit n. Those of the policies that
    /// a machine may have at one time are different.
    const BITS: u16 = 0;

    /// What caches with this policy share with others of the machine, if they do, in words; one level of a machine may
    /// share it, as two would train each other's.
    const SHARES: Option<&'static str> = None;

    /// Adds what [`Policy::SHARES`] says, for so many cores.
    fn share(_spec: &Self::Spec, _cores: u32, _tables: &mut CoreTables) {}

    /// Which sets the cache has. Not told to the upper part of an inclusion policy, whose sets are another cache's.
    fn numbered(&mut self, _sets: SetNumbers) {}

    /// Something will be fetched for this request: the bits that go down with it.
    fn asked(&mut self, _visit: &Visit, _tables: &mut CoreTables) -> u16 {
        0
    }

    /// A read has hit, or a request is the first to miss a line: the bits that go up with the reply, and with those to
    /// requests that join the miss. Those of a miss are the line's bits, too.
    fn answered(&mut self, _visit: &Visit, _tables: &mut CoreTables) -> u16 {
        0
    }

    /// A request was taken, and did not go below as it was.
    fn visited(&mut self, _visit: &Visit, _tables: &mut CoreTables) {}

    /// Data has come from below: the bits that its line gets.
    fn filled(&mut self, _fill: &Fill, _tables: &mut CoreTables) -> u16 {
        0
    }

    /// A line leaves.
    fn departed(&mut self, _departure: &Departure, _tables: &mut CoreTables) {}

    /// What the cache will be asked from now on, as a recorded run tells; for policies that no hardware can have.
    fn foresee(&mut self, _future: &Arc<Future>) {}

    /// Its cost in bits, in one cache.
    fn bits(&self, _storage: &Storage) -> u64 {
        0
    }

    /// Its cost in bits in each core, whatever caches are above and below each other: that of the tables of which each
    /// core has one ([`CoreTables::share_by_core`]), and which no cache counts among its own.
    fn bits_of_core(&self) -> u64 {
        0
    }
}

/// The bits that a policy gives, which are among those that it declares.
#[inline(always)]
pub(crate) fn declared<P: Policy>(_: &P, bits: u16) -> u16 {
    debug_assert_eq!(bits & !P::BITS, 0, "a policy uses policy bits that it does not declare");
    bits
}

/// A read of a byte by an instruction, for tests of policies.
#[cfg(test)]
pub(crate) fn read_at(address: u64) -> Visit {
    Visit {
        line: LineAddress(address & !127),
        address: ByteAddress(address),
        line_bytes: 128,
        touched: Sectors((1 << (address % 128 / 32)) as u8),
        set: 0,
        way: None,
        pc: Pc(7),
        region: RegionId(1),
        core: CoreId(0),
        warp: WarpId(0),
        access: Access::Read,
        met: Met::Miss,
        first_use: false,
        policy_bits: 0,
        line_bits: 0,
    }
}

/// A line of four sectors whose first was missed, and which another evicts, for tests of policies.
#[cfg(test)]
pub(crate) fn departure_of(number: u64) -> Departure {
    Departure {
        line: LineAddress(number * 128),
        set: 0,
        why: Why::Replaced,
        pc: Pc(7),
        core: CoreId(0),
        region: RegionId(1),
        first_missed: Sectors(1),
        line_sectors: Sectors(0b1111),
        valid: Sectors(1),
        used: Sectors(1),
        dirty: Sectors::NONE,
        prefetched: false,
        policy_bits: 0,
    }
}

/// A line of a decision of a bypass policy, for its tests.
#[cfg(test)]
pub(crate) fn block(number: u64, pc: u32) -> Block {
    let pc = Pc(pc);
    Block {
        line: LineAddress(number * 128),
        set: 0,
        pc,
        core: CoreId(0),
        region: RegionId(0),
        policy_bits: 0,
    }
}
