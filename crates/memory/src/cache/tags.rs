//! The tag array: flat arrays by the number of a line's place.

use super::counters::CacheCounters;
use super::geometry::Geometry;
use super::policy::{Block, Departure, Why};
use crate::ids::{CoreId, Pc, RegionId};
use crate::request::{LineAddress, Request, Sectors};
use heddle_engine::fetch_ahead;

/// No line has this address, as lines are aligned.
const EMPTY: u64 = u64::MAX;

/// What is known about the line in a place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    pub(super) valid: u8,
    /// Sectors that differ from the level below. Those that are not valid were written in part.
    pub(super) dirty: u8,
    /// Sectors touched since the line came.
    pub(super) used: u8,
    /// The place is kept for an outstanding miss.
    pub(super) reserved: bool,
    /// It came by a prefetch and nothing has touched it yet.
    pub(super) prefetched: bool,
    /// The instruction and the core that brought it, and the allocation that it lies in.
    pub(super) pc: Pc,
    pub(super) core: CoreId,
    pub(super) region: RegionId,
    /// What policies note about it.
    pub(super) policy_bits: u16,
    /// The first sector that was missed; none if no miss brought it.
    pub(super) first_missed: u8,
    /// Words written into dirty sectors, where writes allocate lazily; otherwise none.
    pub(super) written: u32,
}

/// Who brings a line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin {
    pub(super) pc: Pc,
    pub(super) core: CoreId,
    pub(super) region: RegionId,
    /// Those of the request.
    pub(super) asked_bits: u16,
    /// Those that the line gets, and that go up with the replies.
    pub(super) policy_bits: u16,
    pub(super) first_missed: Sectors,
}

impl Origin {
    /// A request, which lacks these sectors.
    #[inline(always)]
    pub(super) fn of(request: &Request, missing: Sectors) -> Origin {
        let first_missed = Sectors(missing.0 & missing.0.wrapping_neg());
        let Request { pc, core, region, policy_bits: asked_bits, .. } = *request;
        Origin { pc, core, region, asked_bits, policy_bits: 0, first_missed }
    }
}

impl Line {
    /// A line without any sector.
    #[inline(always)]
    fn from(origin: Origin) -> Line {
        Line {
            pc: origin.pc,
            core: origin.core,
            region: origin.region,
            policy_bits: origin.policy_bits,
            first_missed: origin.first_missed.0,
            ..Line::default()
        }
    }

    /// What is left of it while its place is reserved for it.
    pub(super) fn reserved(self) -> Line {
        let Line { pc, core, region, policy_bits, first_missed, .. } = self;
        Line { reserved: true, pc, core, region, policy_bits, first_missed, ..Line::default() }
    }

    /// What policies see of it as it leaves.
    pub(super) fn departs(self, line: LineAddress, set: u32, line_sectors: Sectors, why: Why) -> Departure {
        Departure {
            line,
            set,
            why,
            pc: self.pc,
            core: self.core,
            region: self.region,
            first_missed: Sectors(self.first_missed),
            line_sectors,
            valid: Sectors(self.valid),
            used: Sectors(self.used),
            dirty: Sectors(self.dirty),
            prefetched: self.prefetched,
            policy_bits: self.policy_bits,
        }
    }

    /// What policies see of it as a victim.
    pub(super) fn block(self, line: LineAddress, set: u32) -> Block {
        let Line { pc, core, region, policy_bits, .. } = self;
        Block { line, set, pc, core, region, policy_bits }
    }

    /// The sectors of which there is anything.
    #[inline(always)]
    pub(super) fn held(self) -> Sectors {
        Sectors(self.valid | self.dirty)
    }

    /// A request touches sectors.
    #[inline(always)]
    pub(super) fn touch(&mut self, sectors: Sectors, counters: &mut CacheCounters) {
        self.used |= sectors.0;
        if self.prefetched {
            counters.prefetches_useful += 1;
            self.prefetched = false;
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Tags {
    addresses: Vec<u64>,
    lines: Vec<Line>,
    ways: u32,
}

impl Tags {
    pub(super) fn new(geometry: &Geometry) -> Tags {
        Tags {
            addresses: vec![EMPTY; geometry.lines()],
            lines: vec![Line::default(); geometry.lines()],
            ways: geometry.ways,
        }
    }

    /// The place of a line in the set that begins at `first`.
    #[inline(always)]
    pub(super) fn find(&self, first: u32, line: LineAddress) -> Option<u32> {
        let set = &self.addresses[first as usize..(first + self.ways) as usize];
        set.iter().position(|&address| address == line.0).map(|way| first + way as u32)
    }

    /// The set that begins at `first` will be looked through soon.
    #[inline(always)]
    pub(super) fn fetch_ahead(&self, first: u32) {
        let (first, ways) = (first as usize, self.ways as usize);
        fetch_ahead(&self.addresses, first);
        fetch_ahead(&self.lines, first);
        fetch_ahead(&self.lines, first + ways / 2);
    }

    #[inline(always)]
    pub(super) fn address(&self, place: u32) -> LineAddress {
        LineAddress(self.addresses[place as usize])
    }

    #[inline(always)]
    pub(super) fn is_empty(&self, place: u32) -> bool {
        self.addresses[place as usize] == EMPTY
    }

    /// Puts a line without any sector into a place.
    #[inline(always)]
    pub(super) fn place(&mut self, place: u32, line: LineAddress, origin: Origin) {
        self.addresses[place as usize] = line.0;
        self.lines[place as usize] = Line::from(origin);
    }

    #[inline(always)]
    pub(super) fn clear(&mut self, place: u32) {
        self.addresses[place as usize] = EMPTY;
        self.lines[place as usize] = Line::default();
    }

    pub(super) fn places(&self) -> u32 {
        self.addresses.len() as u32
    }
}

impl std::ops::Index<u32> for Tags {
    type Output = Line;

    #[inline(always)]
    fn index(&self, place: u32) -> &Line {
        &self.lines[place as usize]
    }
}

impl std::ops::IndexMut<u32> for Tags {
    #[inline(always)]
    fn index_mut(&mut self, place: u32) -> &mut Line {
        &mut self.lines[place as usize]
    }
}
