//! Writes, by the cache's write policy.
//!
//! - `evict`: the line is evicted, and the write goes below. Writes to local memory are absorbed nevertheless if their
//!   line is there, as only this core can read it (the rule of GPGPU-Sim).
//! - `through`: the line stays, updated, and the write goes below.
//! - `back`: the write is absorbed.
//!
//! Sectors are valid or not as a whole. Where a write allocates, sectors that it covers whole become valid
//! without being fetched, and those that it covers in part are fetched first: the write waits, and is absorbed
//! or goes below (as a write-back) when they arrive. A scattered write costs a fetch.
//!
//! Where a write allocates lazily, it never waits: its line gets a place at once, also in a cache that otherwise
//! allocates on a fill, and the words written are remembered. A sector becomes valid when all of its words have
//! been written. Until then it is dirty and not valid: writes hit it, it is written back as it is when the line is
//! evicted, and a read or an atomic misses it, fetches it, and leaves it valid and dirty. Under exclusion the read
//! writes it below instead, as what is fetched does not stay. (The lazy fetch on read of GPGPU-Sim's L2, whose
//! masks are of bytes; requests here name words.)
//!
//! A write that goes below while its line is on the way up does not change what arrives: nothing keeps caches of
//! cores coherent here.

use super::core::Cache;
use super::effects::{Blocked, Effects, Outcome};
use super::lookup::Lookup;
use super::miss::Cause;
use super::mshr::{Purpose, Waiter};
use super::spec::{WriteHit, WriteMiss};
use super::tags::Origin;
use crate::request::{Path, Request, Sectors};

impl Cache {
    #[inline(always)]
    pub(super) fn write(&mut self, request: &Request, lookup: Lookup, effects: &mut Effects) -> Outcome {
        let policy = match self.write_hit {
            WriteHit::Evict if request.path == Path::Local => WriteHit::Back,
            policy => policy,
        };
        let outcome = match policy {
            WriteHit::Evict => {
                self.drop_line(lookup, effects);
                Outcome::Below
            }
            WriteHit::Through => self.write_through(request, lookup, effects),
            WriteHit::Back => self.write_back(request, lookup, effects),
        };
        if !matches!(outcome, Outcome::Blocked(_)) {
            self.counters.writes += 1;
            if lookup.held.is_empty() {
                self.counters.write_misses += 1;
            } else {
                self.counters.write_hits += 1;
                self.counters.victim_hits += u64::from(lookup.found.is_none());
                self.counters.sector_misses += u64::from(!lookup.touched.without(lookup.held).is_empty());
            }
        }
        outcome
    }

    fn write_through(&mut self, request: &Request, lookup: Lookup, effects: &mut Effects) -> Outcome {
        let covered = self.geometry.covered(request.words);
        if self.write_miss == WriteMiss::Allocate {
            let missing = lookup.touched.without(covered).without(lookup.here);
            if !missing.is_empty() {
                return self.write_waits(request, lookup, missing, Purpose::WriteThrough, effects);
            }
            let Some(place) = self.place_for_write(request, lookup, effects) else {
                return Outcome::Blocked(Blocked::Ways);
            };
            self.update(place, covered, lookup.touched);
        } else if let Some(place) = lookup.found {
            self.update(place, covered, lookup.touched);
        }
        Outcome::Below
    }

    fn write_back(&mut self, request: &Request, lookup: Lookup, effects: &mut Effects) -> Outcome {
        if self.write_miss == WriteMiss::AllocateLazily {
            return self.write_lazily(request, lookup, effects);
        }
        let missing = lookup.touched.without(self.geometry.covered(request.words)).without(lookup.here);
        let absent = lookup.found.is_none() && lookup.here.is_empty();
        if self.write_miss == WriteMiss::NoAllocate && (absent || !missing.is_empty()) {
            return Outcome::Below;
        }
        if !missing.is_empty() {
            return self.write_waits(request, lookup, missing, Purpose::WriteBack, effects);
        }
        let Some(place) = self.place_for_write(request, lookup, effects) else {
            return Outcome::Blocked(Blocked::Ways);
        };
        self.modify(place, lookup.touched);
        Outcome::Hit
    }

    fn write_lazily(&mut self, request: &Request, lookup: Lookup, effects: &mut Effects) -> Outcome {
        let Some(place) = self.place_for_write(request, lookup, effects) else {
            return Outcome::Blocked(Blocked::Ways);
        };
        // One that names no word means the whole line.
        let words = if request.words == 0 { u32::MAX } else { request.words };
        let line = &mut self.tags[place];
        line.written |= words;
        let readable = line.valid | self.geometry.covered(line.written).0;
        self.modify(place, lookup.touched);
        self.tags[place].valid = readable;
        Outcome::Hit
    }

    /// Sectors of a line are written here and below.
    fn update(&mut self, place: u32, covered: Sectors, touched: Sectors) {
        let line = &mut self.tags[place];
        line.valid |= covered.0;
        line.touch(Sectors(touched.0 & line.valid), &mut self.counters);
        self.replacement.touch(place);
    }

    /// The line's place, or one that it gets now.
    fn place_for_write(&mut self, request: &Request, lookup: Lookup, effects: &mut Effects) -> Option<u32> {
        if let Some(place) = lookup.found {
            return Some(place);
        }
        let place = self.choose_place(lookup.first)?;
        self.take_place(place, lookup.line, Origin::of(request, Sectors::NONE), effects);
        Some(place)
    }

    fn write_waits(
        &mut self,
        request: &Request,
        lookup: Lookup,
        missing: Sectors,
        purpose: Purpose,
        effects: &mut Effects,
    ) -> Outcome {
        let covered = self.geometry.covered(request.words);
        let cause = Cause { request, purpose, covered };
        let waiter = Waiter { token: request.token, missing, touched: lookup.touched, purpose };
        self.miss_rarely(lookup, Some(waiter), missing, cause, effects)
    }

    /// Sectors of a line are written and stay.
    #[inline(always)]
    pub(super) fn modify(&mut self, place: u32, sectors: Sectors) {
        let line = &mut self.tags[place];
        line.valid |= sectors.0;
        line.dirty |= sectors.0;
        line.touch(sectors, &mut self.counters);
        self.replacement.touch(place);
    }
}
