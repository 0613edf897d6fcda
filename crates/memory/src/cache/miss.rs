//! Misses: a request gets an MSHR, is merged into one, or is blocked.

use super::access::Lookup;
use super::core::Cache;
use super::effects::{Blocked, Effects, Fetch, Outcome};
use super::geometry::count;
use super::mshr::{Destination, Entry, Purpose, Waiter};
use super::policy::bypass::Block;
use super::policy::inclusion::OnFetch;
use super::spec::Allocate;
use crate::request::{LineAddress, Sectors};

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
    /// [`Cache::miss`] for requests that are rarer than reads.
    #[inline(never)]
    pub(super) fn miss_rarely(
        &mut self,
        lookup: Lookup,
        waiter: Option<Waiter>,
        missing: Sectors,
        cause: Cause,
        effects: &mut Effects,
    ) -> Outcome {
        self.miss(lookup, waiter, missing, cause, effects)
    }

    /// Fetches sectors of a line, or waits for those that are outstanding. Without a waiter it is a prefetch.
    #[inline(always)]
    pub(super) fn miss(
        &mut self,
        lookup: Lookup,
        waiter: Option<Waiter>,
        missing: Sectors,
        cause: Cause,
        effects: &mut Effects,
    ) -> Outcome {
        let keep = cause.purpose != Purpose::Read;
        let number = self.mshrs.number_of(lookup.line);
        if self.mshrs.is_open(number) {
            if !self.mshrs.takes(number) {
                return Outcome::Blocked(Blocked::Merges);
            }
        } else {
            if self.mshrs.is_full() {
                return Outcome::Blocked(Blocked::Mshrs);
            }
            let Some((destination, bypassed)) = self.destination(lookup, keep, cause.pc, effects) else {
                return Outcome::Blocked(Blocked::Ways);
            };
            let mut entry = Entry::new(lookup.line, lookup.first, destination, cause.pc);
            (entry.bypassed, entry.prefetch) = (bypassed, waiter.is_none());
            self.mshrs.open(number, entry);
        }
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
            if entry.prefetch {
                self.counters.prefetches_useful += 1;
                entry.prefetch = false;
            }
            self.mshrs.wait(number, waiter);
        }
        if ask.is_empty() {
            return Outcome::Merged;
        }
        self.counters.sectors_fetched += count(ask);
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

    /// Asks the bypass policy whether a line should bypass the cache rather than be inserted.
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
}
