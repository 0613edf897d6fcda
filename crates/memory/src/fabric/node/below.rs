//! What a node sends below: fetches, requests that pass, victims.

use super::{Above, Below, CacheNode, Route, sectors_touched, words_of};
use crate::cache::{Evicted, Fetch, Prefetch};
use crate::controller::JobKind;
use crate::fabric::context::{Context, FollowUp};
use crate::message::{Kind, Message, NONE, Stage};
use crate::request::{Access, Answerer, LineAddress, Request, Sectors};
use heddle_engine::Tick;

impl CacheNode {
    /// Whether the queue to what is below has reached its length.
    #[inline(always)]
    pub(super) fn below_is_full(&self, ctx: &mut Context, now: Tick) -> bool {
        match self.below {
            Below::Caches(Route { outlet, lane, .. }) => ctx.outlets[outlet.index()].is_full(lane),
            Below::Memory(queue) => ctx.memory.is_full(now, queue, &mut ctx.wheel),
        }
    }

    /// Moves what waits for the link below on, as far as there is room. (Memory takes what comes when it can.)
    #[inline(always)]
    pub(in crate::fabric) fn pump_below(&self, ctx: &mut Context, now: Tick) {
        if let Below::Caches(route) = self.below {
            ctx.pump(now, route.outlet);
        }
    }

    /// Fetches sectors of a line, on behalf of a request.
    #[inline(always)]
    pub(super) fn fetch_below(
        &self,
        ctx: &mut Context,
        now: Tick,
        fetch: &Fetch,
        cause: &Request,
        kind: Kind,
    ) {
        let Below::Memory(queue) = self.below else {
            let request = Request {
                line: fetch.line,
                access: Access::Read,
                pc: fetch.pc,
                policy_bits: fetch.policy_bits,
                // Whatever asked this cache, it keeps what it fetches.
                passes: false,
                ..*cause
            };
            let words = words_of(fetch.sectors, self.shape.words_per_sector);
            let number = self.send(ctx, now, request, words, kind, NONE);
            ctx.messages[number].sectors = fetch.sectors;
            return;
        };
        ctx.fetch_flits += self.shape.fetch_flits;
        ctx.memory.take(now, queue, JobKind::Fetch, fetch.line, fetch.sectors, &mut ctx.wheel);
    }

    /// Makes a message of a request for some words of its line, and puts it into the queue to the level below.
    #[inline(always)]
    pub(super) fn send(
        &self,
        ctx: &mut Context,
        now: Tick,
        request: Request,
        words: u32,
        kind: Kind,
        parent: u32,
    ) -> u32 {
        let Below::Caches(route) = self.below else { unreachable!("memory takes no messages") };
        let line = LineAddress(request.line.0 & !route.line_mask);
        let words = words << ((request.line.0 & route.line_mask) / 4);
        let carried = match kind {
            Kind::Fetch | Kind::Prefetch => 0,
            Kind::Forward if request.access == Access::Read => 0,
            Kind::Forward => sectors_touched(words, route.words_per_sector).count() * route.words_per_sector,
            Kind::WriteBack | Kind::Victim | Kind::Command => words.count_ones(),
        };
        let number = ctx.make(Message {
            request,
            line,
            words,
            from: self.id,
            to: route.first.slice(route.slicing.slice_of(line)),
            outlet: route.outlet,
            link: route.link,
            parent,
            next: 0,
            since: now.0,
            born: now.0,
            launch: ctx.launch,
            kind,
            stage: Stage::MissQueue,
            answerer: Answerer::default(),
            // A fetch of a shared cache is nobody's own: those that wait for it are told when it has come.
            noticed: kind.is_awaited() && (kind == Kind::Forward || matches!(self.above, Above::Core(_))),
            carried: carried as u8,
            packets: 1,
            sectors: Sectors::NONE,
            dirty: Sectors::NONE,
        });
        ctx.queue(route.outlet, route.lane, number);
        number
    }

    /// Fetches a line that a prefetcher wishes for, if there is room.
    pub(in crate::fabric) fn prefetch(
        &mut self,
        ctx: &mut Context,
        now: Tick,
        wish: &Prefetch,
        cause: &Request,
    ) {
        if self.below_is_full(ctx, now) {
            ctx.queueing.prefetches_dropped += 1;
            return;
        }
        let fetch = self.cache.prefetch(wish, &mut ctx.effects);
        self.give_up_lines(ctx, now, cause);
        if let Some(fetch) = fetch {
            self.fetch_below(ctx, now, &fetch, cause, Kind::Prefetch);
        }
    }

    /// Carries out what an access or a fill has caused besides its answer.
    #[cold]
    pub(in crate::fabric) fn carry_out(&mut self, ctx: &mut Context, now: Tick, cause: &Request) {
        self.give_up_lines(ctx, now, cause);
        ctx.note_mode(now);
        let mut wishes = std::mem::take(&mut ctx.effects.prefetches);
        for wish in &wishes {
            let home = self.home_of(wish.line);
            match home == self.id {
                true => self.prefetch(ctx, now, wish, cause),
                false => ctx.follow_ups.push(FollowUp::Prefetch(home, *wish, *cause)),
            }
        }
        wishes.clear();
        ctx.effects.prefetches = wishes;
    }

    /// Sends victims below: dirty sectors to be written, and lines that the level below inserts.
    fn give_up_lines(&mut self, ctx: &mut Context, now: Tick, cause: &Request) {
        for kind in [Kind::WriteBack, Kind::Victim] {
            let lines = match kind {
                Kind::Victim => &mut ctx.effects.victims,
                _ => &mut ctx.effects.writebacks,
            };
            if lines.is_empty() {
                continue;
            }
            let mut lines = std::mem::take(lines);
            for evicted in &lines {
                self.give_up(ctx, now, evicted, kind, cause);
            }
            lines.clear();
            match kind {
                Kind::Victim => ctx.effects.victims = lines,
                _ => ctx.effects.writebacks = lines,
            }
        }
    }

    fn give_up(&self, ctx: &mut Context, now: Tick, evicted: &Evicted, kind: Kind, cause: &Request) {
        let &Evicted { line, sectors, dirty, pc, region, policy_bits } = evicted;
        if let Below::Memory(queue) = self.below {
            return ctx.memory.take(now, queue, JobKind::Write, line, dirty, &mut ctx.wheel);
        }
        let carried = if kind == Kind::Victim { sectors.or(dirty) } else { dirty };
        let given = Request { line, pc, region, policy_bits, access: Access::Write, ..*cause };
        let words = words_of(carried, self.shape.words_per_sector);
        let number = self.send(ctx, now, given, words, kind, NONE);
        ctx.messages[number].sectors = carried;
        ctx.messages[number].dirty = dirty;
    }
}
