//! Allocation and eviction: lines get places of the tag array, and victims lose them.

use super::access::Lookup;
use super::core::Cache;
use super::effects::{Effects, Evicted};
use super::geometry::count;
use super::spec::Allocate;
use super::tags::Line;
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
    pub(super) fn take_place(&mut self, place: u32, line: LineAddress, pc: u32, effects: &mut Effects) {
        // Taken first, because the victim goes to the victim cache and may evict it from there.
        let aside = if self.victims.exists() { self.victims.take(line) } else { None };
        if !self.tags.is_empty(place) {
            self.evict(place, effects);
        }
        self.tags.place(place, line, pc);
        if let Some(aside) = aside {
            self.tags[place] = aside;
        }
        self.replacement.insert(place);
        self.counters.insertions += 1;
    }

    /// Moves a line from the victim cache back to a place of its set, unless all are reserved.
    #[inline(always)]
    pub(super) fn restore(&mut self, lookup: Lookup, effects: &mut Effects) -> Option<u32> {
        let place = self.choose_place(lookup.first)?;
        self.take_place(place, lookup.line, 0, effects);
        Some(place)
    }

    #[inline(always)]
    fn evict(&mut self, place: u32, effects: &mut Effects) {
        let (address, line) = (self.tags.address(place), self.tags[place]);
        self.counters.evictions += 1;
        self.counters.dirty_evictions += u64::from(line.dirty != 0);
        if !self.victims.exists() {
            self.leave(address, line, effects);
        } else if let Some((address, line)) = self.victims.put(address, line) {
            self.leave(address, line, effects);
        }
    }

    /// A line is evicted for good. It goes to the level below if it is dirty or that level is exclusive.
    #[inline]
    fn leave(&mut self, address: LineAddress, line: Line, effects: &mut Effects) {
        self.bypass.evicted(address);
        self.count_use(line);
        let (sectors, mut dirty) = (Sectors(line.valid), Sectors(line.dirty));
        if self.gives_victims && line.valid != 0 {
            self.counters.victims_given += 1;
            let whole = Sectors(dirty.0 & sectors.0);
            effects.victims.push(Evicted { line: address, sectors, dirty: whole, pc: line.pc });
            // What was written in part is no copy of its sector: it is written and not inserted.
            dirty = dirty.without(sectors);
        }
        if !dirty.is_empty() {
            self.write_below(Evicted { line: address, sectors, dirty, pc: line.pc }, effects);
        }
    }

    #[inline(always)]
    fn count_use(&mut self, line: Line) {
        if line.held().is_empty() {
            return;
        }
        self.counters.lines_used_counted += 1;
        self.counters.sectors_used += count(Sectors(line.used));
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
        self.bypass.evicted(lookup.line);
        self.count_use(line);
        self.write_dirty(lookup.line, line, effects);
    }

    /// Takes a line out of its place; a reservation of the place stays.
    fn vacate(&mut self, place: u32) -> Line {
        let line = self.tags[place];
        if line.reserved {
            self.tags[place] = Line { reserved: true, pc: line.pc, ..Line::default() };
        } else {
            self.clear(place);
        }
        line
    }

    fn clear(&mut self, place: u32) {
        self.tags.clear(place);
        self.replacement.clear(place);
    }

    fn write_dirty(&mut self, address: LineAddress, line: Line, effects: &mut Effects) {
        if line.dirty != 0 {
            let (sectors, dirty) = (Sectors(line.valid), Sectors(line.dirty));
            self.write_below(Evicted { line: address, sectors, dirty, pc: line.pc }, effects);
        }
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
                self.count_use(line);
                self.write_dirty(address, line, effects);
            }
            return;
        };
        let line = self.tags[place];
        let dirty = Sectors(line.dirty & sectors.0);
        if !dirty.is_empty() {
            self.write_below(Evicted { line: address, sectors: dirty, dirty, pc: line.pc }, effects);
        }
        let rest = &mut self.tags[place];
        rest.valid &= !sectors.0;
        rest.dirty &= !sectors.0;
        rest.written = self.geometry.words_outside(rest.written, sectors);
        if rest.held().is_empty() && !line.reserved {
            self.count_use(line);
            self.clear(place);
        }
    }

    /// Invalidates a line; returns its dirty sectors, which are lost unless the caller saves them. Outstanding misses
    /// are still filled.
    pub fn invalidate(&mut self, line: LineAddress) -> Sectors {
        let first = self.geometry.first_of(self.geometry.set_of(line));
        let here = self.tags.find(first, line).map(|place| self.vacate(place));
        let line = here.or_else(|| self.victims.take(line)).unwrap_or_default();
        self.count_use(line);
        Sectors(line.dirty)
    }

    /// A line is invalidated with all others. Above an exclusive cache it may be the only copy on the chip, and moves
    /// there.
    fn clear_out(&mut self, address: LineAddress, line: Line, effects: &mut Effects) {
        if self.gives_victims {
            return self.leave(address, line, effects);
        }
        self.count_use(line);
        self.write_dirty(address, line, effects);
    }

    /// Invalidates every line; dirty sectors are written back, and whole lines given to an exclusive cache below.
    /// Outstanding misses are still filled.
    pub fn invalidate_all(&mut self, effects: &mut Effects) {
        for place in 0..self.tags.places() {
            if !self.tags.is_empty(place) {
                let address = self.tags.address(place);
                let line = self.vacate(place);
                self.clear_out(address, line, effects);
            }
        }
        while let Some((address, line)) = self.victims.pop() {
            self.clear_out(address, line, effects);
        }
    }
}
