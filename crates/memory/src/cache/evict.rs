//! Allocation and eviction: lines get places of the tag array, and victims lose them.

use super::core::Cache;
use super::effects::{Effects, Evicted};
use super::geometry::count;
use super::lookup::Lookup;
use super::policy::{Departure, Why};
use super::spec::Allocate;
use super::tags::{Line, Origin};
use crate::request::{LineAddress, Sectors};

impl Cache {
    /// The place that a new line of a set should get: an empty one, or that of the victim that the replacement policy
    /// chooses. None if all are reserved.
    #[inline(always)]
    pub(super) fn choose_place(&self, first: u32) -> Option<u32> {
        match self.allocate {
            Allocate::OnFill => self.replacement.victim(first, self.geometry.ways, |_| true),
            Allocate::OnMiss => {
                self.replacement.victim(first, self.geometry.ways, |place| !self.tags[place].reserved)
            }
        }
    }

    /// Gives a place to a line, together with what the victim cache has of it. The line that was there is evicted.
    #[inline(always)]
    pub(super) fn take_place(
        &mut self,
        place: u32,
        line: LineAddress,
        origin: Origin,
        effects: &mut Effects,
    ) {
        // Taken first, because the victim goes to the victim cache and may evict it from there.
        let aside = if self.victims.exists() { self.victims.take(line) } else { None };
        if !self.tags.is_empty(place) {
            self.evict(place, effects);
        }
        self.tags.place(place, line, origin);
        if let Some(aside) = aside {
            self.tags[place] = aside;
        }
        self.replacement.insert(place, line);
        self.counters.insertions += 1;
        if let Some(sharing) = &mut self.sharing {
            sharing.comes(place);
        }
    }

    /// Moves a line from the victim cache back to a place of its set, unless all are reserved.
    #[inline(always)]
    pub(super) fn restore(&mut self, lookup: Lookup, effects: &mut Effects) -> Option<u32> {
        let place = self.choose_place(lookup.first)?;
        self.take_place(place, lookup.line, Origin::default(), effects);
        Some(place)
    }

    #[inline(always)]
    fn evict(&mut self, place: u32, effects: &mut Effects) {
        let (address, line) = (self.tags.address(place), self.tags[place]);
        self.counters.evictions += 1;
        self.counters.dirty_evictions += u64::from(line.dirty != 0);
        if !self.victims.exists() {
            self.depart(address, line, Why::Replaced, effects);
        } else if let Some((address, line)) = self.victims.put(address, line) {
            self.depart(address, line, Why::Replaced, effects);
        }
    }

    /// A line leaves the cache for good: the one way out. Policies see it, its use is counted, the level below gets it
    /// if that is how the two levels share lines, and its dirty sectors are written below otherwise.
    #[inline]
    fn depart(&mut self, address: LineAddress, line: Line, why: Why, effects: &mut Effects) {
        if self.wants.departures && !line.held().is_empty() {
            let set = self.geometry.set_of(address);
            self.show_departure(&line.departs(address, set, self.geometry.all, why), effects);
        }
        self.count_use(line);
        let (sectors, mut dirty) = (Sectors(line.valid), Sectors(line.dirty));
        let offered = self.gives_victims && matches!(why, Why::Replaced | Why::Cleared);
        if offered && line.valid != 0 && self.beneath.gives(line.policy_bits) {
            self.counters.victims_given += 1;
            let whole = Sectors(dirty.0 & sectors.0);
            effects.victims.push(evicted(address, line, sectors, whole));
            // What was written in part is no copy of its sector: it is written and not inserted.
            dirty = dirty.without(sectors);
        }
        if !dirty.is_empty() && why != Why::Invalidated {
            self.write_below(evicted(address, line, sectors, dirty), effects);
        }
    }

    #[inline(never)]
    fn show_departure(&mut self, departure: &Departure, effects: &mut Effects) {
        if let Some(recorder) = &mut self.recorder {
            recorder.departed(departure.line);
        }
        let tables = &mut effects.tables;
        self.inclusion.departed(departure, tables);
        self.beneath.departed(departure, tables);
        self.bypass.departed(departure, tables);
        self.granularity.departed(departure, tables);
        self.prefetcher.departed(departure, tables);
    }

    #[inline(always)]
    fn count_use(&mut self, line: Line) {
        if line.held().is_empty() {
            return;
        }
        self.counters.lines_used_counted += 1;
        let used = count(Sectors(line.used));
        self.counters.sectors_used += used;
        self.counters.lines_one_sector += u64::from(used == 1);
        self.counters.prefetches_unused += u64::from(line.prefetched);
    }

    #[inline(always)]
    pub(super) fn write_below(&mut self, evicted: Evicted, effects: &mut Effects) {
        self.counters.writebacks += 1;
        self.counters.sectors_written_back += count(evicted.dirty);
        effects.writebacks.push(evicted);
    }

    /// A write or an atomic that goes below evicts its line. It is not offered to the level below: what changes there
    /// is newer.
    #[inline(always)]
    pub(super) fn drop_line(&mut self, lookup: Lookup, effects: &mut Effects) {
        if lookup.held.is_empty() {
            return;
        }
        let line = match lookup.found {
            Some(place) => self.vacate(place),
            None => self.victims.take(lookup.line).unwrap_or_default(),
        };
        self.counters.write_evictions += 1;
        self.depart(lookup.line, line, Why::Written, effects);
    }

    /// Takes a line out of its place; a reservation of the place stays.
    fn vacate(&mut self, place: u32) -> Line {
        let line = self.tags[place];
        if line.reserved {
            self.tags[place] = line.reserved();
        } else {
            self.clear(place);
        }
        line
    }

    fn clear(&mut self, place: u32) {
        self.tags.clear(place);
        self.replacement.clear(place);
    }

    /// Invalidates sectors that moved to the level above; those of them that are dirty are written back first.
    pub(super) fn move_up(
        &mut self,
        address: LineAddress,
        first: u32,
        sectors: Sectors,
        effects: &mut Effects,
    ) {
        let Some(place) = self.tags.find(first, address) else {
            if let Some(line) = self.victims.take(address) {
                self.depart(address, line, Why::MovedUp, effects);
            }
            return;
        };
        let line = self.tags[place];
        if line.held().without(sectors).is_empty() && !line.reserved {
            self.clear(place);
            self.depart(address, line, Why::MovedUp, effects);
            return;
        }
        let dirty = Sectors(line.dirty & sectors.0);
        if !dirty.is_empty() {
            self.write_below(evicted(address, line, dirty, dirty), effects);
        }
        let rest = &mut self.tags[place];
        rest.valid &= !sectors.0;
        rest.dirty &= !sectors.0;
        rest.written = self.geometry.words_outside(rest.written, sectors);
    }

    /// Invalidates a line; returns its dirty sectors, which are lost unless the caller saves them. Outstanding misses
    /// are still filled.
    pub fn invalidate(&mut self, line: LineAddress, effects: &mut Effects) -> Sectors {
        let first = self.geometry.first_of(self.geometry.set_of(line));
        let here = self.tags.find(first, line).map(|place| self.vacate(place));
        let known = here.or_else(|| self.victims.take(line)).unwrap_or_default();
        self.depart(line, known, Why::Invalidated, effects);
        Sectors(known.dirty)
    }

    /// Invalidates every line; dirty sectors are written back, and whole lines given to an exclusive cache below.
    /// Outstanding misses are still filled.
    pub fn invalidate_all(&mut self, effects: &mut Effects) {
        for place in 0..self.tags.places() {
            if !self.tags.is_empty(place) {
                let address = self.tags.address(place);
                let line = self.vacate(place);
                self.depart(address, line, Why::Cleared, effects);
            }
        }
        while let Some((address, line)) = self.victims.pop() {
            self.depart(address, line, Why::Cleared, effects);
        }
    }
}

/// Sectors of a line that are sent below.
#[inline(always)]
fn evicted(address: LineAddress, line: Line, sectors: Sectors, dirty: Sectors) -> Evicted {
    let Line { pc, region, policy_bits, .. } = line;
    Evicted { line: address, sectors, dirty, pc, region, policy_bits }
}
