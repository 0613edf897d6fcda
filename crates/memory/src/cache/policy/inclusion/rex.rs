//! R-EX: exclusion for allocations that cores reuse by themselves, non-inclusion for all others (\[Lakshminarayana14\]
//! section 4.4.3, table 11).
//!
//! The lower cache notes in each tag which core fetched the line and whether that core (private reuse, `PR`) or another
//! one (shared reuse, `SR`) has come back to it. The two bits go up with every reply. Each core counts them by *region*
//! (the allocation that the line lies in) in a Region Tracking Table; a region with private and without shared reuse is
//! cached exclusively: its fills bypass the lower cache, its victims are copied back there with the copy-back bit
//! (`CB`) and the core's number, and a hit of that core on such a line invalidates it.
//!
//! Listing 3 (the lower cache; the text of the document breaks off in the second half, which follows from section
//! 4.4.3.5):
//!
//! ```text
//! OnCacheFill(entry, core):  entry.core = core; entry.SR = entry.PR = entry.CB = 0
//! OnCacheHit(entry, core):   if core != entry.core then entry.SR = 1 else entry.PR = 1
//!                            if entry.CB and core == entry.core then invalidate entry
//! ```
//!
//! Listing 4 (the table of a core; it leaves the count of accesses out, which section 4.4.3.5 describes):
//!
//! ```text
//! OnCacheFill(region, SR, PR):  entry.acc += 1; if SR then entry.shd_hits += 1; if PR then entry.pvt_hits += 1
//! Update(), once per period:    for each entry with acc != 0: halve acc, shd_hits and pvt_hits;
//!                               shd_reuse = shd_hits > acc / 64;  pvt_reuse = pvt_hits > acc / 64
//! ```
//!
//! What the text leaves open: flags are computed anew in each period, so that a region can change its mind; a period
//! is counted in fills, as policies know no time; a read that waits for another core's fetch is an access by two cores
//! and sets SR at the fill, and the line is kept for both if either of them wants it kept; a copy-back that finds its
//! line in place leaves the tag's bits alone; requests outside of every allocation are not tracked. Lines that a store
//! evicts from the upper cache are not copied back, as its data has just been overwritten below.

use super::super::{
    BypassKind, CoreTables, Fill, Limit, Parameters, Policy, ROWS_MAX, Storage, Visit, Wants,
};
use super::{AfterHit, Fetched, Hit, HitLine, InclusionPolicy, OnFetch};
use crate::cache::spec::CacheSpec;
use crate::ids::CoreId;
use crate::request::Access;
use serde::{Deserialize, Serialize};

/// Region-based exclusion (\[Lakshminarayana14\] table 11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RexSpec {
    /// Entries of a core's Region Tracking Table (table 11; table 13 has 31).
    pub entries: u32,
    /// Fills of a core's cache after which its table is updated. Chosen: fewer than the 384 lines of the document's
    /// L1, so that a region is known before its first lines have all been evicted.
    pub period: u32,
    /// A region has reuse if more than one in this many of its accesses found it (listing 4).
    pub threshold: u32,
    /// Bits of a counter. Chosen: counters are halved in each period and so stay below twice its length.
    pub counter_bits: u32,
}

impl Default for RexSpec {
    fn default() -> RexSpec {
        RexSpec { entries: 32, period: 256, threshold: 64, counter_bits: 10 }
    }
}

impl Parameters for RexSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![
            ("entries", self.entries, 1, 1 << 12),
            ("period", self.period, 1, 1 << 24),
            ("threshold", self.threshold, 1, ROWS_MAX),
            ("counter_bits", self.counter_bits, 1, 31),
        ]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries)]
    }
}

/// Of a request and its reply: the core caches the line's region exclusively.
const EXCLUSIVE: u16 = 1;
/// Of a reply and a tag of the lower cache: another core has come back to the line (SR).
const SHARED: u16 = 2;
/// Of a reply and a tag of the lower cache: the core that fetched the line has come back to it (PR).
const PRIVATE: u16 = 4;
/// Of a tag of either cache: the line is copied back, or was (CB).
const COPY_BACK: u16 = 8;

/// What a core knows about a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Region {
    /// The allocation; 0 if the entry is not valid.
    region: u16,
    /// The flags have been computed at least once.
    trained: bool,
    shared_reuse: bool,
    private_reuse: bool,
    accesses: u32,
    shared_hits: u32,
    private_hits: u32,
}

/// The Region Tracking Table of a core.
#[derive(Clone, Debug)]
pub(crate) struct RegionTable {
    entries: Vec<Region>,
    /// Fills to regions that have no entry, in this period, and the first such region.
    untracked: u32,
    first_untracked: u16,
    fills: u32,
    period: u32,
    threshold: u32,
    most: u32,
}

impl RegionTable {
    pub(crate) fn new(spec: &RexSpec) -> RegionTable {
        RegionTable {
            entries: vec![Region::default(); spec.entries as usize],
            untracked: 0,
            first_untracked: 0,
            fills: 0,
            period: spec.period,
            threshold: spec.threshold,
            most: (1 << spec.counter_bits) - 1,
        }
    }

    /// Whether lines of a region are cached exclusively.
    fn is_exclusive(&self, region: u16) -> bool {
        let mut known = self.entries.iter().filter(|entry| entry.region == region && region != 0);
        known.next().is_some_and(|entry| entry.trained && entry.private_reuse && !entry.shared_reuse)
    }

    /// Listing 4, OnCacheFill, and the end of a period.
    fn filled(&mut self, region: u16, shared: bool, private: bool) {
        if region == 0 {
            return;
        }
        let most = self.most;
        if let Some(entry) = self.entry_of(region) {
            for (counter, counts) in [
                (&mut entry.accesses, true),
                (&mut entry.shared_hits, shared),
                (&mut entry.private_hits, private),
            ] {
                *counter = (*counter + u32::from(counts)).min(most);
            }
        } else {
            if self.untracked == 0 {
                self.first_untracked = region;
            }
            self.untracked += 1;
        }
        self.fills += 1;
        if self.fills == self.period {
            self.update();
        }
    }

    /// The entry of a region, or one that it gets now.
    fn entry_of(&mut self, region: u16) -> Option<&mut Region> {
        let known = self.entries.iter().position(|entry| entry.region == region);
        let place = known.or_else(|| self.entries.iter().position(|entry| entry.region == 0))?;
        let entry = &mut self.entries[place];
        entry.region = region;
        Some(entry)
    }

    /// Listing 4, Update: the end of a period. A region that is not tracked and has more fills than the least used of
    /// those that are takes its entry (section 4.4.3.6).
    fn update(&mut self) {
        let least = (0..self.entries.len()).min_by_key(|&place| self.entries[place].accesses);
        if let Some(place) = least
            && self.untracked > self.entries[place].accesses
        {
            self.entries[place] = Region { region: self.first_untracked, ..Region::default() };
        }
        (self.untracked, self.fills) = (0, 0);
        for entry in self.entries.iter_mut().filter(|entry| entry.accesses != 0) {
            entry.accesses /= 2;
            entry.shared_hits /= 2;
            entry.private_hits /= 2;
            entry.shared_reuse = entry.shared_hits > entry.accesses / self.threshold;
            entry.private_reuse = entry.private_hits > entry.accesses / self.threshold;
            entry.trained = true;
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Rex {
    spec: RexSpec,
}

impl Policy for Rex {
    type Spec = RexSpec;

    const WANTS: Wants = Wants { fetches: true, ..Wants::NOTHING };

    fn new(spec: &RexSpec, _: u32) -> Rex {
        Rex { spec: spec.clone() }
    }

    fn check_cache(cache: &CacheSpec) -> Result<(), (&'static str, String)> {
        if cache.bypass != BypassKind::Never {
            let problem = "R-EX (inclusion = \"r-ex\") decides itself which fills are kept; use \"never\"";
            return Err(("bypass", problem.to_string()));
        }
        if cache.victim_lines > 0 {
            let problem = "R-EX keeps its notes in the tags of the lower cache, which a victim cache has not; use 0 here";
            return Err(("victim_lines", problem.to_string()));
        }
        Ok(())
    }

    /// In the upper cache: the request says whether its region is cached exclusively.
    fn asked(&mut self, visit: &Visit, tables: &mut CoreTables) -> u16 {
        let Some(table) = tables.regions.get(visit.core.index()) else { return 0 };
        let reads = matches!(visit.access, Access::Read | Access::Prefetch);
        if reads && table.is_exclusive(visit.region) { EXCLUSIVE } else { 0 }
    }

    /// In the upper cache: the reply trains the core's table.
    fn filled(&mut self, fill: &Fill, tables: &mut CoreTables) -> u16 {
        let bits = fill.policy_bits;
        if let Some(table) = tables.regions.get_mut(fill.core.index()) {
            table.filled(fill.region, bits & SHARED != 0, bits & PRIVATE != 0);
        }
        if bits & EXCLUSIVE != 0 { COPY_BACK } else { 0 }
    }

    /// The core's number and three bits in each tag (figure 21).
    fn bits(&self, storage: &Storage) -> u64 {
        let core = u64::from(storage.cores.next_power_of_two().ilog2());
        storage.lines * (core + 3)
    }
}

impl InclusionPolicy for Rex {
    const MOVES_LINES: bool = true;

    /// Listing 3, OnCacheHit.
    fn hit(&mut self, visit: &Visit, line: HitLine, _: &mut CoreTables) -> Hit {
        let own = visit.core == line.core;
        let line_bits = line.policy_bits | if own { PRIVATE } else { SHARED };
        let copied_back = line.policy_bits & COPY_BACK != 0;
        let after = if own && copied_back { AfterHit::MoveUp } else { AfterHit::Keep };
        let reply_bits = line_bits & (SHARED | PRIVATE) | visit.policy_bits & EXCLUSIVE;
        Hit { after, line_bits, reply_bits }
    }

    /// Listing 3, OnCacheFill: no bit is set in the tag.
    fn on_fetch(&mut self, visit: &Visit, _: &mut CoreTables) -> Fetched {
        let exclusive = visit.policy_bits & EXCLUSIVE;
        let then = if exclusive != 0 { OnFetch::PassUp } else { OnFetch::Keep };
        Fetched { then, policy_bits: exclusive }
    }

    fn merged(&mut self, visit: &Visit, core: CoreId, policy_bits: u16) -> Fetched {
        let shared = if visit.core == core { 0 } else { SHARED };
        let exclusive = policy_bits & visit.policy_bits & EXCLUSIVE;
        let then = if exclusive != 0 { OnFetch::PassUp } else { OnFetch::Keep };
        Fetched { then, policy_bits: policy_bits & !EXCLUSIVE | shared | exclusive }
    }

    fn gives(&self, line_bits: u16) -> bool {
        line_bits & COPY_BACK != 0
    }

    /// The copy-back bit of each tag, and the Region Tracking Table of the core: region, valid and trained, two flags
    /// and three counters in each entry (figure 22), and the `Untracked` counter.
    fn bits_above(&self, storage: &Storage) -> u64 {
        let (counter, region) = (u64::from(self.spec.counter_bits), 16);
        storage.lines + u64::from(self.spec.entries) * (region + 4 + 3 * counter) + counter
    }
}

#[cfg(test)]
#[path = "rex_tests.rs"]
mod tests;
