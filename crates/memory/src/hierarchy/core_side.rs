//! The cores' ends: their caches, the queues of their misses, what cores are told.
//!
//! The four caches of a core share its port of the crossbar, in turn. A miss, or a write that goes below, first
//! waits in its cache's miss queue; a full one refuses whatever is not certain to be a hit. Victims of a fill go to
//! the same queue and may exceed its length, as the fill cannot wait.

use super::refused::{Chance, Refusals};
use super::transaction::{Kind, Queue, Stage, Transaction};
use super::{Hierarchy, Offer, Why};
use crate::cache::{Cache, CacheSpec, Evicted, Fetch, Outcome, Prefetch};
use crate::crossbar::{Class, Packet};
use crate::request::{Access, Level, LineAddress, Notice, Path, Request, Sectors};
use heddle_engine::Tick;

/// Requests to slices.
pub(super) const REQUESTS: Class = Class(0);
/// Replies to cores.
pub(super) const REPLIES: Class = Class(1);

/// Caches of a core.
pub(super) const CACHES: usize = 4;
/// Their names, as machine files have them.
pub(super) const CACHE_NAMES: [&str; CACHES] = ["l1", "constant", "texture", "instruction"];

/// The cache that a path goes through.
#[inline(always)]
pub(super) fn cache_of(path: Path) -> usize {
    match path {
        Path::Global | Path::Local => 0,
        Path::Constant => 1,
        Path::Texture => 2,
        Path::Instruction => 3,
    }
}

/// What has to be known of a cache of a core besides its tags.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    miss_queue: u32,
    latency: u32,
    words_per_sector: u32,
}

impl Shape {
    pub(super) fn new(spec: &CacheSpec) -> Shape {
        let words_per_sector = (spec.sector.0 / 4) as u32;
        Shape { miss_queue: spec.miss_queue, latency: spec.latency, words_per_sector }
    }

    /// The words of some sectors.
    #[inline(always)]
    fn words_of(self, sectors: Sectors) -> u32 {
        let whole = u32::MAX >> (32 - self.words_per_sector);
        let (mut rest, mut words) = (u32::from(sectors.0), 0);
        while rest != 0 {
            words |= whole << (rest.trailing_zeros() * self.words_per_sector);
            rest &= rest - 1;
        }
        words
    }
}

/// One core's end.
#[derive(Clone, Debug)]
pub(super) struct CoreSide {
    pub(super) caches: [Cache; CACHES],
    pub(super) queues: [Queue; CACHES],
    /// Whose queues are not empty, a bit each.
    filled: u32,
    /// Which cache's queue is looked at first.
    turn: u32,
    refusals: Refusals,
}

impl CoreSide {
    pub(super) fn new(caches: [Cache; CACHES]) -> CoreSide {
        CoreSide {
            caches,
            queues: [Queue::default(); CACHES],
            filled: 0,
            turn: 0,
            refusals: Refusals::default(),
        }
    }
}

impl Hierarchy {
    /// A core asks for something. `now` is an edge of the core clock up to which
    /// [`Hierarchy::run_until`] has been called.
    ///
    /// A request with [`Access::Prefetch`] is accepted and forgotten: no notice follows, and nothing happens if
    /// there is no room for it.
    #[inline]
    pub fn offer(&mut self, now: Tick, request: Request) -> Offer {
        let which = cache_of(request.path);
        let shape = self.shapes[which];
        if request.access == Access::Prefetch {
            let wish = Prefetch {
                line: request.line,
                sectors: request.sectors(shape.words_per_sector),
                pc: request.pc,
                core: request.core,
                region: request.region,
            };
            self.prefetch_above(now, request.core, which, &wish, &request);
            self.pump_core(now, request.core);
            return Offer::Accepted;
        }
        let core = &mut self.cores[usize::from(request.core)];
        let cache = &mut core.caches[which];
        // What certainly hits needs no room.
        if core.queues[which].len() >= shape.miss_queue
            && (request.access != Access::Read
                || request.passes
                || !request.sectors(shape.words_per_sector).without(cache.probe(request.line)).is_empty())
        {
            return self.refuse(&request, Why::MissQueue);
        }
        let outcome = match request.passes {
            true => cache.pass(request.access),
            false => cache.access(&request, &mut self.effects),
        };
        let offer = match outcome {
            Outcome::Hit => Offer::Hit { latency: shape.latency },
            Outcome::Blocked(blocked) => return self.refuse(&request, blocked.into()),
            Outcome::Merged => Offer::Accepted,
            Outcome::Miss(fetch) => {
                self.send_fetch(now, which, &fetch, &request, Kind::Fetch);
                Offer::Accepted
            }
            Outcome::Below => {
                self.send(now, which, request, request.words, Kind::Forward);
                Offer::Accepted
            }
        };
        self.unanswered += u64::from(offer == Offer::Accepted);
        if !self.effects.is_empty() {
            self.carry_out_above(now, &request, which);
        }
        self.pump_core(now, request.core);
        offer
    }

    #[cold]
    fn refuse(&mut self, request: &Request, why: Why) -> Offer {
        self.cores[usize::from(request.core)].refusals.add(request, why);
        match why {
            Why::Mshrs => self.queueing.refused_mshrs += 1,
            Why::Merges => self.queueing.refused_merges += 1,
            Why::Ways => self.queueing.refused_ways += 1,
            Why::MissQueue => self.queueing.refused_miss_queue += 1,
        }
        Offer::Refused(why)
    }

    fn send_fetch(&mut self, now: Tick, which: usize, fetch: &Fetch, request: &Request, kind: Kind) {
        let request = Request {
            line: fetch.line,
            access: Access::Read,
            pc: fetch.pc,
            policy_bits: fetch.policy_bits,
            ..*request
        };
        let words = self.shapes[which].words_of(fetch.sectors);
        let number = self.send(now, which, request, words, kind);
        self.transactions[number].sectors = fetch.sectors;
    }

    /// Makes a transaction of a request for some words of its line and puts it into the miss queue.
    #[inline(always)]
    fn send(&mut self, now: Tick, which: usize, request: Request, words: u32, kind: Kind) -> u32 {
        let line = LineAddress(request.line.0 & !self.l2_line_mask);
        let offset = ((request.line.0 & self.l2_line_mask) / 4) as u32;
        let slice = self.addresses.slice_of(line);
        let number = self.transactions.insert(Transaction {
            request,
            words: words << offset,
            next: 0,
            since: now.0,
            born: now.0,
            slice,
            kind,
            stage: Stage::MissQueue,
            level: Level::L2,
            cache: which as u8,
            sectors: Sectors::NONE,
            dirty: Sectors::NONE,
        });
        self.unnoticed += u64::from(!kind.is_noticed());
        self.highest = self.highest.max(number);
        let side = &mut self.cores[usize::from(request.core)];
        side.queues[which].push(number, &mut self.transactions);
        side.filled |= 1 << which;
        number
    }

    fn prefetch_above(&mut self, now: Tick, core: u16, which: usize, wish: &Prefetch, request: &Request) {
        let side = &mut self.cores[usize::from(core)];
        if side.queues[which].len() >= self.shapes[which].miss_queue {
            self.queueing.prefetches_dropped += 1;
            return;
        }
        if let Some(fetch) = side.caches[which].prefetch(wish, &mut self.effects) {
            self.send_fetch(now, which, &fetch, request, Kind::Prefetch);
        }
        self.give_up_lines(now, request, which);
    }

    /// Carries out what an access or a fill of a core's cache has caused besides its answer.
    #[cold]
    pub(super) fn carry_out_above(&mut self, now: Tick, request: &Request, which: usize) {
        self.give_up_lines(now, request, which);
        let wishes = std::mem::take(&mut self.effects.prefetches);
        for wish in &wishes {
            self.prefetch_above(now, request.core, which, wish, request);
        }
        self.effects.prefetches = wishes;
        self.effects.prefetches.clear();
    }

    /// Sends the victims of a core's cache below.
    fn give_up_lines(&mut self, now: Tick, request: &Request, which: usize) {
        for kind in [Kind::WriteBack, Kind::Victim] {
            let lines = match kind {
                Kind::Victim => &mut self.effects.victims,
                _ => &mut self.effects.writebacks,
            };
            if lines.is_empty() {
                continue;
            }
            let mut lines = std::mem::take(lines);
            for &Evicted { line, sectors, dirty, pc, region, policy_bits } in &lines {
                let carried = if kind == Kind::Victim { sectors.or(dirty) } else { dirty };
                let given = Request { line, pc, region, policy_bits, access: Access::Write, ..*request };
                let words = self.shapes[which].words_of(carried);
                let number = self.send(now, which, given, words, kind);
                self.transactions[number].sectors = carried;
                self.transactions[number].dirty = dirty;
            }
            lines.clear();
            match kind {
                Kind::Victim => self.effects.victims = lines,
                _ => self.effects.writebacks = lines,
            }
        }
    }

    /// Moves what waits in a core's miss queues to its port of the crossbar, as far as there is room.
    #[inline]
    pub(super) fn pump_core(&mut self, now: Tick, core: u16) {
        let port = self.crossbar.port(REQUESTS, core);
        let side = &mut self.cores[usize::from(core)];
        while self.crossbar.has_room(port) {
            // The first from the turn on, or else the first of all.
            let ahead = side.filled & (u32::MAX << side.turn);
            let which = if ahead != 0 { ahead } else { side.filled }.trailing_zeros() as usize;
            let Some(queue) = side.queues.get_mut(which) else { return };
            let Some(number) = queue.pop(&mut self.transactions) else { return };
            side.turn = which as u32 + 1;
            if queue.len() == 0 {
                side.filled &= !(1 << which);
            }
            let transaction = &mut self.transactions[number];
            self.queueing.miss_queue_ticks += now.0.saturating_sub(transaction.since);
            transaction.stage = Stage::RequestNetwork;
            let words = match transaction.kind {
                Kind::Fetch | Kind::Prefetch => 0,
                Kind::Forward if transaction.request.access == Access::Read => 0,
                Kind::Forward => self.l2_shape.words_touched(transaction.words),
                Kind::WriteBack | Kind::Victim => transaction.words.count_ones(),
            };
            let packet = Packet {
                payload: number,
                to: self.first_slice + transaction.slice,
                flits: self.flits[words as usize],
                data: words as u16 * 4,
            };
            self.crossbar.inject(now, port, packet, &mut self.wheel);
            if side.queues[which].len() < self.shapes[which].miss_queue {
                side.refusals.wake(core, which, &side.caches[which], Chance::Room, &mut self.notices);
            }
        }
    }

    /// A transaction is over.
    #[inline(always)]
    pub(super) fn forget(&mut self, number: u32) {
        let transaction = &mut self.transactions[number];
        transaction.stage = Stage::Over;
        self.unnoticed -= u64::from(!transaction.kind.is_noticed());
        self.transactions.release(number);
    }

    /// A reply has arrived at its core.
    #[inline]
    pub(super) fn reply(&mut self, now: Tick, number: u32) {
        let Transaction { request, born, kind, level, cache, sectors, .. } = self.transactions[number];
        self.forget(number);
        self.latency.add(&request, level, now.0.saturating_sub(born));
        if kind == Kind::Forward {
            self.unanswered -= 1;
            self.notices.push(Notice::Replied(request.token, level));
            return;
        }
        let which = usize::from(cache);
        let side = &mut self.cores[usize::from(request.core)];
        let bits = request.policy_bits;
        side.caches[which].fill(request.line, sectors, level, bits, &mut self.effects);
        self.unanswered -= self.effects.released.len() as u64;
        for &token in &self.effects.released {
            self.notices.push(Notice::Replied(token, level));
        }
        self.effects.released.clear();
        let filled = Chance::Fill(request.line);
        side.refusals.wake(request.core, which, &side.caches[which], filled, &mut self.notices);
        if !self.effects.is_empty() {
            self.carry_out_above(now, &request, which);
            self.pump_core(now, request.core);
        }
    }
}
