//! Accesses: reads, atomics and prefetches look up the tags.

use super::core::Cache;
use super::effects::{Blocked, Effects, Fetch, Outcome, Prefetch};
use super::lookup::Lookup;
use super::miss::Cause;
use super::mshr::{Purpose, Waiter};
use super::policy::inclusion::{AfterHit, HitLine};
use super::policy::prefetch::Wish;
use super::policy::{Met, Visit};
use super::spec::WriteHit;
use crate::ids::WarpId;
use crate::request::{Access, ByteAddress, LineAddress, Ordering, Path, Request, Scope, Sectors, Token};

impl Cache {
    /// Looks a request up and changes the tags accordingly.
    #[inline]
    pub fn access(&mut self, request: &Request, effects: &mut Effects) -> Outcome {
        let touched = self.geometry.touched(request);
        let first = self.geometry.first_of(self.geometry.set_of(request.line));
        let found = self.tags.find(first, request.line);
        // The way of most requests: nothing follows from the hit but a newer order of the set.
        if let Some(place) = found
            && self.plain_hits
            && request.access == Access::Read
        {
            let line = &mut self.tags[place];
            if touched.0 & !line.valid == 0 {
                line.touch(touched, &mut self.counters);
                self.replacement.touch(place);
                self.counters.accesses += 1;
                self.counters.reads += 1;
                self.counters.read_hits += 1;
                return Outcome::Hit;
            }
        }
        self.access_in_full(request, self.look_further(request.line, first, found, touched), effects)
    }

    /// An access that is neither answered nor kept here goes below without a look at the tags.
    pub fn pass(&mut self, access: Access) -> Outcome {
        match access {
            Access::Atomic => {
                self.counters.atomics += 1;
                self.counters.atomic_misses += 1;
            }
            _ => self.counters.passed_reads += 1,
        }
        Outcome::Below
    }

    /// Apart from the way of most requests, which it would make longer.
    #[inline(never)]
    fn access_in_full(&mut self, request: &Request, lookup: Lookup, effects: &mut Effects) -> Outcome {
        let outcome = match request.access {
            Access::Read | Access::Prefetch => self.read(request, lookup, effects),
            Access::Write => self.write(request, lookup, effects),
            Access::Atomic => self.atomic(request, lookup, effects),
        };
        match outcome {
            Outcome::Blocked(why) => self.count_refusal(why),
            _ => self.taken(request, lookup, outcome, effects),
        }
        outcome
    }

    #[cold]
    fn count_refusal(&mut self, why: Blocked) {
        match why {
            Blocked::Mshrs => self.counters.blocked_mshrs += 1,
            Blocked::Merges => self.counters.blocked_merges += 1,
            Blocked::Ways => self.counters.blocked_ways += 1,
        }
    }

    /// What follows from every request that is not refused.
    #[inline(always)]
    fn taken(&mut self, request: &Request, lookup: Lookup, outcome: Outcome, effects: &mut Effects) {
        if request.access != Access::Prefetch {
            self.counters.accesses += 1;
            if self.wants.visits {
                self.show_visit(request, lookup, outcome, effects);
            }
        }
        if self.bypass.decides() {
            self.record_pair();
        }
    }

    /// Shows policies a request that was taken.
    #[inline(never)]
    fn show_visit(&mut self, request: &Request, lookup: Lookup, outcome: Outcome, effects: &mut Effects) {
        let met = match outcome {
            Outcome::Hit => Met::Hit,
            Outcome::Miss(_) => Met::Miss,
            Outcome::Merged => Met::Merged,
            Outcome::Below => return self.record_kill(request),
            Outcome::Blocked(_) => return,
        };
        let visit = self.visit(request, lookup, met);
        if let Some(recorder) = &mut self.recorder {
            recorder.visited(visit.line, visit.touched);
        }
        self.replacement.visited(lookup.first..lookup.first + self.geometry.ways, visit.line);
        let tables = &mut effects.tables;
        self.inclusion.visited(&visit, tables);
        self.beneath.visited(&visit, tables);
        self.bypass.visited(&visit, tables);
        self.granularity.visited(&visit, tables);
        self.prefetcher.visited(&visit, tables);
        if request.access == Access::Read && self.prefetcher.watches() {
            self.train(&visit, effects);
        }
    }

    /// A request went below as it was: one that evicts its line on the way ends what the line is worth keeping for.
    fn record_kill(&mut self, request: &Request) {
        let kills = match request.access {
            Access::Write => self.write_hit == WriteHit::Evict,
            Access::Atomic => true,
            Access::Read | Access::Prefetch => false,
        };
        if let (true, Some(recorder)) = (kills, &mut self.recorder) {
            recorder.killed(request.line);
        }
    }

    /// Records what the bypass policy decided during this access: after the access itself, which is no use of
    /// what it brings.
    #[inline(always)]
    pub(super) fn record_pair(&mut self) {
        if let Some((incoming, victim, passed)) = self.pair.take() {
            self.bypass.record(&incoming, &victim, passed);
        }
    }

    fn train(&mut self, read: &Visit, effects: &mut Effects) {
        let (geometry, counters) = (&self.geometry, &mut self.counters);
        let low = (1u64 << geometry.line_shift()) - 1;
        let Effects { prefetches, tables, .. } = effects;
        self.prefetcher.observe(read, tables, |Wish { address: ByteAddress(address), policy_bits }| {
            let line = LineAddress(address & !low);
            if line != read.line {
                counters.prefetches_wished += 1;
                let sectors = geometry.sector_of(address & low);
                let &Visit { pc, core, region, .. } = read;
                prefetches.push(Prefetch { line, sectors, pc, core, region, policy_bits });
            }
        });
    }

    #[inline(always)]
    fn read(&mut self, request: &Request, lookup: Lookup, effects: &mut Effects) -> Outcome {
        let demand = request.access == Access::Read;
        let missing = lookup.touched.without(lookup.here);
        if missing.is_empty() {
            self.read_hit(request, lookup, demand, effects);
            self.counters.reads += u64::from(demand);
            self.counters.read_hits += u64::from(demand);
            return Outcome::Hit;
        }
        self.read_miss(request, lookup, missing, effects)
    }

    #[inline(always)]
    fn read_miss(
        &mut self,
        request: &Request,
        lookup: Lookup,
        missing: Sectors,
        effects: &mut Effects,
    ) -> Outcome {
        let purpose = match self.moves_up && request.passes {
            true => Purpose::PassingRead,
            false => Purpose::Read,
        };
        let cause = Cause { request, purpose, covered: Sectors::NONE };
        let waiter = Waiter { token: request.token, missing, touched: lookup.touched, purpose };
        let outcome = self.miss(lookup, Some(waiter), missing, cause, effects);
        if let Outcome::Blocked(_) = outcome {
            return outcome;
        }
        if request.access == Access::Read {
            self.counters.reads += 1;
            match outcome {
                Outcome::Merged => self.counters.merges += 1,
                _ => self.counters.read_misses += 1,
            }
            self.counters.sector_misses += u64::from(!lookup.held.is_empty());
        }
        if self.moves_up && !request.passes && !lookup.held.is_empty() {
            self.hit_below(request, lookup, effects);
        }
        outcome
    }

    #[inline(always)]
    fn read_hit(&mut self, request: &Request, lookup: Lookup, demand: bool, effects: &mut Effects) {
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
                if let (Some(sharing), true) = (&mut self.sharing, demand) {
                    sharing.hit(place, request.core, self.tags[place].core);
                }
                Some(&mut self.tags[place])
            }
            // Every way is reserved: the line stays in the victim cache and is read there.
            None => self.victims.get_mut(lookup.line),
        };
        if let Some(line) = line
            && demand
        {
            line.touch(lookup.touched, &mut self.counters);
        }
        if self.moves_up {
            // What no cache above keeps stays here.
            self.reply_bits = 0;
            if !request.passes && self.hit_below(request, lookup, effects) == AfterHit::MoveUp {
                self.counters.moved_up += 1;
            }
        }
        if self.wants.replies {
            let more = self.show_reply(request, lookup, Met::Hit, effects);
            self.reply_bits = if self.moves_up { self.reply_bits | more } else { more };
        }
    }

    /// A read from above has hit a line, or sectors of it: the inclusion policy decides where they stay from now on.
    #[inline(never)]
    fn hit_below(&mut self, request: &Request, lookup: Lookup, effects: &mut Effects) -> AfterHit {
        let visit = self.visit(request, lookup, Met::Hit);
        let known = match lookup.found {
            Some(place) => self.tags[place],
            None => self.victims.get(lookup.line),
        };
        let line = HitLine { core: known.core, policy_bits: known.policy_bits };
        let hit = self.inclusion.hit(&visit, line, &mut effects.tables);
        self.reply_bits = hit.reply_bits;
        if let Some(place) = lookup.found {
            self.tags[place].policy_bits = hit.line_bits;
        }
        if hit.after == AfterHit::MoveUp {
            self.move_up(lookup.line, lookup.first, lookup.touched, effects);
        }
        hit.after
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
        let cause = Cause { request, purpose: Purpose::Atomic, covered: Sectors::NONE };
        let waiter =
            Waiter { token: request.token, missing, touched: lookup.touched, purpose: Purpose::Atomic };
        let outcome = self.miss_rarely(lookup, Some(waiter), missing, cause, effects);
        if !matches!(outcome, Outcome::Blocked(_)) {
            self.counters.atomics += 1;
            self.counters.atomic_misses += 1;
            self.counters.sector_misses += u64::from(!lookup.held.is_empty());
        }
        outcome
    }

    /// Offers a line that [`Effects::prefetches`] has named. What it returns is to be sent below; if it returns
    /// nothing, the line is valid, outstanding, or there is no room for it.
    pub fn prefetch(&mut self, wish: &Prefetch, effects: &mut Effects) -> Option<Fetch> {
        let lookup = self.look_up(wish.line, wish.sectors);
        let missing = lookup.touched.without(lookup.here);
        if missing.is_empty() || self.mshrs.find(wish.line).is_some() {
            return None;
        }
        let request = Request {
            line: wish.line,
            words: 0,
            access: Access::Prefetch,
            path: Path::Global,
            core: wish.core,
            region: wish.region,
            pc: wish.pc,
            warp: WarpId::default(),
            scope: Scope::None,
            ordering: Ordering::Relaxed,
            token: Token(0),
            policy_bits: wish.policy_bits,
            lanes: 0,
            passes: false,
        };
        let cause = Cause { request: &request, purpose: Purpose::Read, covered: Sectors::NONE };
        let outcome = self.miss_rarely(lookup, None, missing, cause, effects);
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
