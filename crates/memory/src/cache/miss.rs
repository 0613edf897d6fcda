//! Misses: a request gets an MSHR, is merged into one, or is blocked.

use super::core::Cache;
use super::effects::{Blocked, Effects, Fetch, Outcome};
use super::geometry::count;
use super::lookup::Lookup;
use super::mshr::{Destination, MshrEntry, Purpose, Waiter};
use super::policy::granularity::Lack;
use super::policy::inclusion::{Fetched, OnFetch};
use super::policy::{Block, Met};
use super::spec::Allocate;
use super::tags::Origin;
use crate::request::{LineAddress, Request, Sectors};

/// Why a line is fetched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cause<'r> {
    pub(super) request: &'r Request,
    pub(super) purpose: Purpose,
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
        cause: Cause<'_>,
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
        cause: Cause<'_>,
        effects: &mut Effects,
    ) -> Outcome {
        let keep = !matches!(cause.purpose, Purpose::Read | Purpose::PassingRead);
        let moves_up = self.moves_up && cause.purpose == Purpose::Read;
        let number = self.mshrs.number_of(lookup.line);
        if self.mshrs.is_open(number) {
            if !self.mshrs.takes(number) {
                return Outcome::Blocked(Blocked::Merges);
            }
            if moves_up {
                self.merge_below(number, lookup, cause.request);
            }
        } else {
            if self.mshrs.is_full() {
                return Outcome::Blocked(Blocked::Mshrs);
            }
            let mut origin = Origin::of(cause.request, missing);
            let Some((destination, bypassed)) =
                self.destination(lookup, keep, moves_up, cause.request, &mut origin, effects)
            else {
                return Outcome::Blocked(Blocked::Ways);
            };
            if self.wants.replies {
                origin.policy_bits |= self.show_reply(cause.request, lookup, Met::Miss, effects);
            }
            let mut entry = MshrEntry::new(lookup.line, lookup.first, destination, origin);
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
            let Request { line, pc, core, region, policy_bits, .. } = *cause.request;
            let all = self.geometry.all;
            let held = lookup.held.or(entry.outstanding);
            let lack = Lack { line, pc, core, region, policy_bits, missing: more, held, all };
            ask = self.granularity.fetch(&lack, &mut effects.tables);
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
        let Request { pc, mut policy_bits, .. } = *cause.request;
        if self.wants.fetches {
            policy_bits |= self.show_fetch(cause.request, lookup, effects);
        }
        Outcome::Miss(Fetch { line: lookup.line, sectors: ask, pc, policy_bits })
    }

    /// Tells policies that something is fetched for a request; gives the bits that they send down with it.
    #[inline(never)]
    fn show_fetch(&mut self, request: &Request, lookup: Lookup, effects: &mut Effects) -> u16 {
        let visit = self.visit(request, lookup, Met::Miss);
        let tables = &mut effects.tables;
        self.beneath.asked(&visit, tables)
            | self.bypass.asked(&visit, tables)
            | self.granularity.asked(&visit, tables)
            | self.prefetcher.asked(&visit, tables)
    }

    /// Asks policies for the bits that go up with the reply to a request.
    #[inline(never)]
    pub(super) fn show_reply(
        &mut self,
        request: &Request,
        lookup: Lookup,
        met: Met,
        effects: &mut Effects,
    ) -> u16 {
        let visit = self.visit(request, lookup, met);
        let tables = &mut effects.tables;
        self.inclusion.answered(&visit, tables)
            | self.bypass.answered(&visit, tables)
            | self.granularity.answered(&visit, tables)
            | self.prefetcher.answered(&visit, tables)
    }

    /// A read from above makes this cache fetch: the inclusion policy decides whether it is kept here.
    #[inline(never)]
    fn fetch_below(&mut self, request: &Request, lookup: Lookup, effects: &mut Effects) -> Fetched {
        let visit = self.visit(request, lookup, Met::Miss);
        self.inclusion.on_fetch(&visit, &mut effects.tables)
    }

    /// A read from above waits for what another has fetched: the inclusion policy may want to keep it now.
    #[inline(never)]
    fn merge_below(&mut self, number: u32, lookup: Lookup, request: &Request) {
        let visit = self.visit(request, lookup, Met::Merged);
        let entry = &mut self.mshrs[number];
        let fetched = self.inclusion.merged(&visit, entry.origin.core, entry.origin.policy_bits);
        entry.origin.policy_bits = fetched.policy_bits;
        // It is the inclusion policy that let it pass: where lines move between levels, no bypass policy decides.
        if fetched.then == OnFetch::Keep && entry.destination == Destination::Nowhere {
            (entry.destination, entry.bypassed) = (Destination::AtFill, false);
        }
    }

    /// Where the data of a new miss will go, and whether the bypass policy said so; nothing if it would need a
    /// way and all are reserved.
    #[inline(always)]
    fn destination(
        &mut self,
        lookup: Lookup,
        keep: bool,
        moves_up: bool,
        request: &Request,
        origin: &mut Origin,
        effects: &mut Effects,
    ) -> Option<(Destination, bool)> {
        if moves_up {
            let fetched = self.fetch_below(request, lookup, effects);
            origin.policy_bits = fetched.policy_bits;
            if fetched.then != OnFetch::Keep {
                return Some((Destination::Nowhere, fetched.then == OnFetch::Bypass));
            }
        }
        if self.allocate == Allocate::OnFill {
            return Some((Destination::AtFill, false));
        }
        let place = match lookup.found {
            Some(place) => place,
            None => {
                let place = self.choose_place(lookup.first)?;
                if !keep && self.passes(lookup.line, *origin, place, effects) {
                    return Some((Destination::Nowhere, true));
                }
                self.take_place(place, lookup.line, *origin, effects);
                place
            }
        };
        self.tags[place].reserved = true;
        Some((Destination::Reserved(place), false))
    }

    /// Asks the bypass policy whether a line should bypass the cache rather than be inserted.
    #[inline(always)]
    pub(super) fn passes(
        &mut self,
        line: LineAddress,
        origin: Origin,
        place: u32,
        effects: &mut Effects,
    ) -> bool {
        if !self.bypass.decides() || self.tags.is_empty(place) {
            return false;
        }
        let set = place / self.geometry.ways;
        let victim = self.tags[place].block(self.tags.address(place), set);
        let Origin { pc, core, region, asked_bits: policy_bits, .. } = origin;
        let incoming = Block { line, set, pc, core, region, policy_bits };
        let passes = self.bypass.passes(&incoming, &victim, &mut effects.tables);
        self.pair = Some((incoming, victim, passes));
        passes
    }
}
