//! Fills: data arrives from below after a miss, or from above as a victim.

use super::core::Cache;
use super::effects::{Effects, Evicted};
use super::geometry::count;
use super::mshr::{Destination, Purpose};
use super::policy::Fill;
use super::policy::inclusion::AfterHit;
use super::tags::Origin;
use crate::ids::{CoreId, Pc, RegionId};
use crate::request::{Answerer, LineAddress, Sectors};

/// What one arrival, and the requests that it releases, do to the line.
#[derive(Clone, Copy, Debug)]
struct Filling {
    sectors: Sectors,
    /// Only a prefetcher asked for it.
    prefetch: bool,
    /// Nothing else of the line is outstanding.
    last: bool,
    /// What reads have waited for, and what of that a cache above keeps.
    read: u8,
    taken_up: u8,
    modified: u8,
    passed_below: u8,
    /// What policies note about the line.
    policy_bits: u16,
}

impl Cache {
    /// Sectors that this cache fetched have arrived. Requests that wait for nothing any more are released, in the
    /// order in which they came. Sectors that no request waits for are ignored. `policy_bits` are those of the reply.
    #[inline]
    pub fn fill(
        &mut self,
        line: LineAddress,
        sectors: Sectors,
        answerer: Answerer,
        policy_bits: u16,
        effects: &mut Effects,
    ) {
        let Some(number) = self.mshrs.find(line) else {
            return;
        };
        let entry = &self.mshrs[number];
        let sectors = Sectors(sectors.0 & entry.outstanding.0);
        let prefetch = entry.prefetch;
        let mut done = Filling {
            sectors,
            prefetch,
            last: false,
            read: 0,
            taken_up: 0,
            modified: 0,
            passed_below: 0,
            policy_bits: entry.origin.policy_bits,
        };
        self.reply_bits = done.policy_bits;
        if self.wants.fetches {
            let Origin { core, region, .. } = entry.origin;
            done.policy_bits |= self.show_fill(&Fill { line, core, region, policy_bits }, effects);
        }
        self.counters.fills += 1;
        self.counters.fills_from_dram += u64::from(answerer == Answerer::MEMORY);
        self.counters.sectors_filled += count(sectors);
        let place = self.place_for_fill(number, effects);
        let last = self.mshrs.arrive(number, sectors, |waiter| {
            if waiter.purpose == Purpose::Read {
                done.read |= waiter.touched.0;
                done.taken_up |= waiter.touched.0;
            } else if waiter.purpose == Purpose::PassingRead {
                done.read |= waiter.touched.0;
            } else if waiter.purpose == Purpose::WriteThrough {
                done.passed_below |= waiter.touched.0;
            } else {
                done.modified |= waiter.touched.0;
            }
            effects.released.push(waiter.token);
        });
        if last {
            done.last = true;
            self.mshrs.close(number);
        }
        self.settle(line, place, done, effects);
    }

    /// Shows policies what has come; gives what they note about the line.
    #[inline(never)]
    fn show_fill(&mut self, fill: &Fill, effects: &mut Effects) -> u16 {
        let tables = &mut effects.tables;
        self.beneath.filled(fill, tables)
            | self.bypass.filled(fill, tables)
            | self.granularity.filled(fill, tables)
            | self.prefetcher.filled(fill, tables)
    }

    /// Puts what came into its place, and lets the released requests do to the line what they came for.
    #[inline(always)]
    fn settle(&mut self, line: LineAddress, place: Option<u32>, done: Filling, effects: &mut Effects) {
        // Writes that go below, and what cannot be kept although it was modified.
        let mut written = done.passed_below;
        match place {
            Some(place) => {
                let tag = &mut self.tags[place];
                tag.valid |= done.sectors.0 | done.modified;
                tag.dirty |= done.modified;
                tag.used |= done.read | done.modified | done.passed_below;
                tag.policy_bits |= done.policy_bits;
                tag.prefetched |= done.prefetch;
                // If it was reserved then for this miss.
                tag.reserved &= !done.last;
            }
            None => written |= done.modified,
        }
        if written != 0 {
            let sectors = Sectors(written);
            let (pc, region) = (Pc::default(), RegionId::UNKNOWN);
            let evicted = Evicted { line, sectors, dirty: sectors, pc, region, policy_bits: 0 };
            self.write_below(evicted, effects);
        }
        if self.moves_up
            && done.taken_up != 0
            && place.is_some()
            && self.inclusion.after_fill() == AfterHit::MoveUp
        {
            let first = self.geometry.first_of(self.geometry.set_of(line));
            self.move_up(line, first, Sectors(done.taken_up), effects);
        }
    }

    /// The place where the data of a miss goes, if it is kept.
    #[inline(always)]
    fn place_for_fill(&mut self, number: u32, effects: &mut Effects) -> Option<u32> {
        let entry = &self.mshrs[number];
        match entry.destination {
            Destination::Reserved(place) => return Some(place),
            Destination::Nowhere => {
                self.count_bypass(number);
                return None;
            }
            Destination::AtFill => {}
        }
        let (line, set, origin, must_keep) = (entry.line, entry.set, entry.origin, entry.must_keep);
        if let Some(place) = self.tags.find(set, line) {
            return Some(place);
        }
        let place = self.choose_place(set)?;
        let passes = !must_keep && self.passes(line, origin, place, effects);
        if self.bypass.decides() {
            self.record_pair();
        }
        if passes {
            let entry = &mut self.mshrs[number];
            entry.bypassed = true;
            entry.destination = Destination::Nowhere;
            self.count_bypass(number);
            return None;
        }
        self.take_place(place, line, origin, effects);
        Some(place)
    }

    /// Counts a line that bypasses the cache by decision of the policy, once.
    #[inline(always)]
    fn count_bypass(&mut self, number: u32) {
        let entry = &mut self.mshrs[number];
        self.counters.bypassed_fills += u64::from(entry.bypassed);
        entry.bypassed = false;
    }

    /// Inserts a victim of the upper cache of a core. It is dropped (and written below if dirty) if every way is
    /// reserved. A line that is here already keeps what policies have noted about it.
    pub fn insert(&mut self, victim: &Evicted, core: CoreId, effects: &mut Effects) {
        let &Evicted { line, sectors, dirty, pc, region, policy_bits } = victim;
        let first_missed = Sectors::NONE;
        let origin = Origin { pc, core, region, asked_bits: 0, policy_bits, first_missed };
        let first = self.geometry.first_of(self.geometry.set_of(line));
        let place = match self.tags.find(first, line) {
            Some(place) => Some(place),
            None => self.choose_place(first).inspect(|&place| self.take_place(place, line, origin, effects)),
        };
        self.counters.victims_taken += 1;
        match place {
            Some(place) => {
                let tag = &mut self.tags[place];
                tag.valid |= sectors.0 | dirty.0;
                tag.dirty |= dirty.0;
            }
            None if !dirty.is_empty() => {
                self.write_below(*victim, effects);
            }
            None => {}
        }
    }
}
