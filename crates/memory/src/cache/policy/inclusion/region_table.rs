//! The Region Tracking Table of R-EX, which each core has one of: which allocations it reuses by itself.
//!
//! Listing 4 (the table of a core; it leaves the count of accesses out, which section 4.4.3.5 describes):
//!
//! ```text
//! OnCacheFill(region, SR, PR):  entry.acc += 1; if SR then entry.shd_hits += 1; if PR then entry.pvt_hits += 1
//! Update(), once per period:    for each entry with acc != 0: halve acc, shd_hits and pvt_hits;
//!                               shd_reuse = shd_hits > acc / 64;  pvt_reuse = pvt_hits > acc / 64
//! ```

use super::super::{Limit, Parameters, ROWS_MAX};
use crate::ids::RegionId;
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

/// What a core knows about a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Region {
    /// The allocation; 0 if the entry is not valid.
    pub(super) region: RegionId,
    /// The flags have been computed at least once.
    pub(super) trained: bool,
    pub(super) shared_reuse: bool,
    pub(super) private_reuse: bool,
    pub(super) accesses: u32,
    pub(super) shared_hits: u32,
    pub(super) private_hits: u32,
}

/// The Region Tracking Table of a core.
#[derive(Clone, Debug)]
pub(crate) struct RegionTable {
    pub(super) entries: Vec<Region>,
    /// Fills to regions that have no entry, in this period, and the first such region.
    pub(super) untracked: u32,
    first_untracked: RegionId,
    pub(super) fills: u32,
    period: u32,
    threshold: u32,
    most: u32,
    /// A flag that is set stays; see [`RegionTable::lasting`].
    lasting: bool,
}

impl RegionTable {
    pub(crate) fn new(spec: &RexSpec) -> RegionTable {
        RegionTable {
            entries: vec![Region::default(); spec.entries as usize],
            untracked: 0,
            first_untracked: RegionId::UNKNOWN,
            fills: 0,
            period: spec.period,
            threshold: spec.threshold,
            most: (1 << spec.counter_bits) - 1,
            lasting: false,
        }
    }

    /// For who acts on the absence of reuse: a region is trained by as many accesses as show a fraction of one in
    /// `threshold`, and its flags stay once they are set, as those of listing 4 do.
    pub(crate) fn lasting(mut self) -> RegionTable {
        self.lasting = true;
        self
    }

    /// Whether a region has shared and private reuse; nothing if that is not known.
    pub(crate) fn reuse(&self, region: RegionId) -> Option<(bool, bool)> {
        let mut known =
            self.entries.iter().filter(|entry| entry.region == region && region != RegionId::UNKNOWN);
        known.next().filter(|entry| entry.trained).map(|entry| (entry.shared_reuse, entry.private_reuse))
    }

    /// Whether lines of a region are cached exclusively.
    pub(super) fn is_exclusive(&self, region: RegionId) -> bool {
        self.reuse(region) == Some((false, true))
    }

    /// Listing 4, OnCacheFill, and the end of a period.
    pub(super) fn filled(&mut self, region: RegionId, shared: bool, private: bool) {
        if region == RegionId::UNKNOWN {
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
    fn entry_of(&mut self, region: RegionId) -> Option<&mut Region> {
        let known = self.entries.iter().position(|entry| entry.region == region);
        let place =
            known.or_else(|| self.entries.iter().position(|entry| entry.region == RegionId::UNKNOWN))?;
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
            entry.trained |= !self.lasting || entry.accesses >= self.threshold;
            entry.accesses /= 2;
            entry.shared_hits /= 2;
            entry.private_hits /= 2;
            let least = entry.accesses / self.threshold;
            entry.shared_reuse = entry.shared_hits > least || self.lasting && entry.shared_reuse;
            entry.private_reuse = entry.private_hits > least || self.lasting && entry.private_reuse;
        }
    }
}
