//! A request comes: reads, atomics, and the way into the outstanding misses.

use super::core::Cache;
use super::effects::{Blocked, Effects, Fetch, Outcome, Prefetch};
use super::mshr::{Destination, Purpose, Waiter};
use super::policy::bypass::Block;
use super::policy::inclusion::{AfterHit, OnFetch};
use super::policy::prefetch::Observed;
use super::spec::Allocate;
use crate::request::{Access, LineAddress, Request, Sectors};

/// Where a request's line is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookup {
    pub(super) line: LineAddress,
    /// The first place of its set.
    pub(super) first: u32,
    /// Its place among the sets.
    pub(super) found: Option<u32>,
    /// Its valid sectors, those in the victim cache included.
    pub(super) here: Sectors,
    /// Those and the ones that were written in part.
    pub(super) held: Sectors,
    /// The sectors that the request touches.
    pub(super) touched: Sectors,
}

/// Why a line is fetched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cause {
    pub(super) purpose: Purpose,
    pub(super) pc: u32,
    pub(super) policy_bits: u16,
    /// Sectors that need not be fetched, as the request writes all of them.
    pub(super) covered: Sectors,
}

impl Cache {
    /// Looks a request up and changes the tags accordingly.
    #[inline]
    pub fn access(&mut self, request: &Request, effects: &mut Effects) -> Outcome {
        let lookup = self.look_up(request.line, self.geometry.touched(request));
        let outcome = match request.access {
            Access::Read | Access::Prefetch => self.read(request, lookup, effects),
            Access::Write => self.write(request, lookup, effects),
            Access::Atomic => self.atomic(request, lookup, effects),
        };
        match outcome {
            Outcome::Blocked(Blocked::Mshrs) => self.counters.blocked_mshrs += 1,
            Outcome::Blocked(Blocked::Merges) => self.counters.blocked_merges += 1,
            Outcome::Blocked(Blocked::Ways) => self.counters.blocked_ways += 1,
            _ => self.taken(request, outcome, effects),
        }
        outcome
    }

    #[inline(always)]
    fn look_up(&self, line: LineAddress, touched: Sectors) -> Lookup {
        let first = self.geometry.first_of(self.geometry.set_of(line));
        let found = self.tags.find(first, line);
        let known = match found {
            Some(place) => self.tags[place],
            None => self.victims.get(line),
        };
        Lookup { line, first, found, here: Sectors(known.valid), held: known.held(), touched }
    }

    /// What follows from every request that is not refused.
    #[inline(always)]
    fn taken(&mut self, request: &Request, outcome: Outcome, effects: &mut Effects) {
        if request.access != Access::Prefetch {
            self.counters.accesses += 1;
            if outcome != Outcome::Below {
                self.bypass.accessed(request.line);
            }
            if request.access == Access::Read && self.prefetcher.watches() {
                self.train(request, effects);
            }
        }
        if self.bypass.watches() {
            self.record_pair();
        }
    }

    /// Records what the bypass policy decided during this access: after the access itself, which is no use of
    /// what it brings.
    #[inline(always)]
    pub(super) fn record_pair(&mut self) {
        if let Some((incoming, victim, passed)) = self.pair.take() {
            self.bypass.record(incoming, victim, passed);
        }
    }

    fn train(&mut self, request: &Request, effects: &mut Effects) {
        let offset = u64::from(request.words.trailing_zeros() % 32) * 4;
        let read = Observed {
            address: request.line.0 + offset,
            pc: request.pc,
            core: request.core,
            warp: request.warp,
        };
        let (geometry, counters) = (&self.geometry, &mut self.counters);
        let low = (1u64 << geometry.line_shift()) - 1;
        self.prefetcher.observe(read, |address| {
            let line = LineAddress(address & !low);
            if line != request.line {
                counters.prefetches_wished += 1;
                let sectors = geometry.sector_of(address & low);
                effects.prefetches.push(Prefetch { line, sectors, pc: request.pc });
            }
        });
    }

    #[inline(always)]
    fn read(&mut self, request: &Request, lookup: Lookup, effects: &mut Effects) -> Outcome {
        let demand = request.access == Access::Read;
        let missing = lookup.touched.without(lookup.here);
        let outcome = if missing.is_empty() {
            self.read_hit(lookup, demand, effects);
            Outcome::Hit
        } else {
            let cause = Cause {
                purpose: Purpose::Read,
                pc: request.pc,
                policy_bits: request.policy_bits,
                covered: Sectors::NONE,
            };
            let waiter =
                Waiter { token: request.token, missing, touched: lookup.touched, purpose: Purpose::Read };
            let outcome = self.miss(lookup, Some(waiter), missing, cause, effects);
            if let Outcome::Blocked(_) = outcome {
                return outcome;
            }
            self.counters.sector_misses += u64::from(demand && !lookup.held.is_empty());
            if self.inclusion.after_read_hit() == AfterHit::MoveUp && !lookup.held.is_empty() {
                self.move_up(lookup.line, lookup.first, lookup.touched, effects);
            }
            outcome
        };
        if demand {
            self.counters.reads += 1;
            match outcome {
                Outcome::Hit => self.counters.read_hits += 1,
                Outcome::Merged => self.counters.merges += 1,
                _ => self.counters.read_misses += 1,
            }
        }
        outcome
    }

    #[inline(always)]
    fn read_hit(&mut self, lookup: Lookup, demand: bool, effects: &mut Effects) {
        let place = match lookup.found {
            Some(place) => Some(place),
            None => {
                self.counters.victim_hits += u64::from(demand);
                self.restore(lookup, effects)
            }
        };
        let line = match place {
            Some(place) => {
                self.replacement.touch(place);
                Some(&mut self.tags[place])
            }
            // Every way is reserved: the line stays in the victim cache and is read there.
            None => self.victims.get_mut(lookup.line),
        };
        if let Some(line) = line
            && demand
        {
            line.used |= lookup.touched.0;
            self.counters.prefetches_useful += u64::from(line.prefetched);
            line.prefetched = false;
        }
        if self.inclusion.after_read_hit() == AfterHit::MoveUp {
            self.counters.moved_up += 1;
            self.move_up(lookup.line, lookup.first, lookup.touched, effects);
        }
    }

    #[inline(always)]
    fn atomic(&mut self, request: &Request, lookup: Lookup, effects: &mut Effects) -> Outcome {
        if !self.performs_atomics {
            // What is here is about to be out of date.
            self.drop_line(lookup, effects);
            self.counters.atomics += 1;
            self.counters.atomic_misses += 1;
            return Outcome::Below;
        }
        let missing = lookup.touched.without(lookup.here);
        if missing.is_empty() {
            let Some(place) = lookup.found.or_else(|| self.restore(lookup, effects)) else {
                return Outcome::Blocked(Blocked::Ways);
            };
            self.modify(place, lookup.touched);
            self.counters.victim_hits += u64::from(lookup.found.is_none());
            self.counters.atomics += 1;
            self.counters.atomic_hits += 1;
            return Outcome::Hit;
        }
        let cause = Cause {
            purpose: Purpose::Atomic,
            pc: request.pc,
            policy_bits: request.policy_bits,
            covered: Sectors::NONE,
        };
        let waiter =
            Waiter { token: request.token, missing, touched: lookup.touched, purpose: Purpose::Atomic };
        let outcome = self.miss(lookup, Some(waiter), missing, cause, effects);
        if !matches!(outcome, Outcome::Blocked(_)) {
            self.counters.atomics += 1;
            self.counters.atomic_misses += 1;
            self.counters.sector_misses += u64::from(!lookup.held.is_empty());
        }
        outcome
    }

    /// Sectors of a line are written and stay.
    #[inline(always)]
    pub(super) fn modify(&mut self, place: u32, sectors: Sectors) {
        let line = &mut self.tags[place];
        line.valid |= sectors.0;
        line.dirty |= sectors.0;
        line.used |= sectors.0;
        self.counters.prefetches_useful += u64::from(line.prefetched);
        line.prefetched = false;
        self.replacement.touch(place);
    }

    /// Fetches sectors of a line, or waits for those that are on their way. Without a waiter it is a prefetch.
    #[inline]
    pub(super) fn miss(
        &mut self,
        lookup: Lookup,
        waiter: Option<Waiter>,
        missing: Sectors,
        cause: Cause,
        effects: &mut Effects,
    ) -> Outcome {
        let keep = cause.purpose != Purpose::Read;
        let number = match self.mshrs.find(lookup.line) {
            Some(number) => {
                if !self.mshrs.takes(number) {
                    return Outcome::Blocked(Blocked::Merges);
                }
                number
            }
            None => {
                if self.mshrs.is_full() {
                    return Outcome::Blocked(Blocked::Mshrs);
                }
                let Some((destination, bypassed)) = self.destination(lookup, keep, cause.pc, effects) else {
                    return Outcome::Blocked(Blocked::Ways);
                };
                let number = self.mshrs.open(lookup.line, lookup.first, destination, cause.pc);
                let entry = &mut self.mshrs[number];
                entry.bypassed = bypassed;
                entry.prefetch = waiter.is_none();
                number
            }
        };
        let entry = &mut self.mshrs[number];
        if keep {
            entry.must_keep = true;
            if entry.destination == Destination::Nowhere {
                entry.destination = Destination::AtFill;
            }
        }
        let more = missing.without(entry.outstanding);
        let mut ask = Sectors::NONE;
        if !more.is_empty() {
            ask = self.granularity.fetch(more, self.geometry.all);
            ask = ask.without(lookup.here).without(entry.outstanding).without(cause.covered);
            entry.outstanding = entry.outstanding.or(ask);
        }
        if let Some(waiter) = waiter {
            self.counters.prefetches_useful += u64::from(entry.prefetch);
            entry.prefetch = false;
            self.mshrs.wait(number, waiter);
        }
        if ask.is_empty() {
            return Outcome::Merged;
        }
        self.counters.sectors_fetched += u64::from(ask.count());
        Outcome::Miss(Fetch { line: lookup.line, sectors: ask, pc: cause.pc, policy_bits: cause.policy_bits })
    }

    /// Where the data of a new miss will go, and whether the bypass policy said so; nothing if it would need a
    /// way and all are reserved.
    #[inline(always)]
    fn destination(
        &mut self,
        lookup: Lookup,
        keep: bool,
        pc: u32,
        effects: &mut Effects,
    ) -> Option<(Destination, bool)> {
        if !keep && self.inclusion.on_read_fetch() == OnFetch::PassUp {
            return Some((Destination::Nowhere, false));
        }
        if self.allocate == Allocate::OnFill {
            return Some((Destination::AtFill, false));
        }
        let place = match lookup.found {
            Some(place) => place,
            None => {
                let place = self.choose_place(lookup.first)?;
                if !keep && self.passes(lookup.line, pc, place) {
                    return Some((Destination::Nowhere, true));
                }
                self.take_place(place, lookup.line, pc, effects);
                place
            }
        };
        self.tags[place].reserved = true;
        Some((Destination::Reserved(place), false))
    }

    /// Asks the bypass policy whether a line should pass rather than take a place.
    #[inline(always)]
    pub(super) fn passes(&mut self, line: LineAddress, pc: u32, place: u32) -> bool {
        if !self.bypass.watches() || self.tags.is_empty(place) {
            return false;
        }
        let victim = Block { line: self.tags.address(place), pc: self.tags[place].pc };
        let passes = self.bypass.passes(pc);
        self.pair = Some((Block { line, pc }, victim, passes));
        passes
    }

    /// Offers a line that [`Effects::prefetches`] has named. What it returns is to be sent below; if it returns
    /// nothing, the line is there, on its way, or there is no room for it.
    pub fn prefetch(&mut self, wish: &Prefetch, effects: &mut Effects) -> Option<Fetch> {
        let lookup = self.look_up(wish.line, wish.sectors);
        let missing = lookup.touched.without(lookup.here);
        if missing.is_empty() || self.mshrs.find(wish.line).is_some() {
            return None;
        }
        let cause = Cause { purpose: Purpose::Read, pc: wish.pc, policy_bits: 0, covered: Sectors::NONE };
        let outcome = self.miss(lookup, None, missing, cause, effects);
        self.record_pair();
        match outcome {
            Outcome::Miss(fetch) => {
                self.counters.prefetches_issued += 1;
                Some(fetch)
            }
            _ => None,
        }
    }
}
