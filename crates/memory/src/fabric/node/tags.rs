//! The tags of a shared cache, its atomic unit, and its answers.
//!
//! - The tags take requests in order of arrival, each bank one (or `ports`) per cycle; a request for n sectors takes n of
//!   these turns if a line has several. The head waits while its bank is busy, the queue of replies or that below is
//!   full, or the cache has no MSHR, merge or way left: it sleeps, and the event that changes that wakes it.
//! - Replies and writes that a fill causes do not wait for room in their queues, as a fill cannot; no request passes the
//!   tags until the queue is below its length again.
//! - The atomic unit performs one request after another, `atomic_cycles` per lane: lanes on one word take turns. Requests
//!   to one line are serialised by this, and so are all atomics of the slice. An atomic that hits waits at the head until
//!   the unit is free; other requests behind it wait too. Atomics are performed by the last cache above memory.

use super::{Above, Below, CacheNode, TagStage};
use crate::cache::{Evicted, Outcome};
use crate::controller::JobKind;
use crate::event::Event;
use crate::fabric::Obstacle;
use crate::fabric::context::Context;
use crate::ids::{LaneId, LinkId};
use crate::message::{Direction, Kind, NONE, Stage};
use crate::order;
use crate::request::{Access, Answerer, LineAddress, Notice, Path, Request, Sectors, Token};
use heddle_engine::Tick;

/// The only lane of an outlet for replies of a shared cache.
const REPLIES: LaneId = LaneId(0);

impl CacheNode {
    /// The tags take what they can at this edge.
    #[inline]
    pub(in crate::fabric) fn run_tags(&mut self, ctx: &mut Context, now: Tick) {
        loop {
            let Some(number) = self.input.front() else {
                self.tags = TagStage::Idle;
                return;
            };
            let message = &ctx.messages[number];
            let bank = self.cache.bank_of(message.line) as usize * self.shape.ports;
            let port = first_free(&self.busy[bank..bank + self.shape.ports]) + bank;
            let (since, words, answered) = (message.since, message.words, message.kind.is_answered());
            let mut start = since.max(self.busy[port]);
            if message.request.access == Access::Atomic {
                start = start.max(self.atomic_free_at);
            }
            if start > now.0 {
                self.schedule_tags(ctx, Tick(start));
                return;
            }
            if answered && self.waits_for_replies(ctx, message.link) || self.waits_for_below(ctx, now) {
                return;
            }
            if let Some(why) = self.look_up(ctx, now, number) {
                self.tags = TagStage::Cache(why);
                return;
            }
            let turns = match self.shape.sectored {
                true => self.shape.sectors_touched(words).count().max(1),
                false => 1,
            };
            self.busy[port] = now.0 + self.shape.clock.ticks(turns.into());
            ctx.queueing.slice_input_ticks += now.0.saturating_sub(since);
            if let Some(number) = self.ejected.pop(&mut ctx.messages) {
                self.take_in(ctx, now, number);
            }
        }
    }

    /// If the reply queue before a link is full, the tags wait for room.
    #[inline(always)]
    fn waits_for_replies(&mut self, ctx: &mut Context, link: LinkId) -> bool {
        let Above::Caches(first) = self.above else { return false };
        let outlet = &mut ctx.outlets[first.of_link(link).index()];
        let full = outlet.is_full(REPLIES);
        if full {
            outlet.await_room(REPLIES);
            self.tags = TagStage::ReplyQueue;
        }
        full
    }

    /// If the queue below is full, the tags wait for room.
    #[inline(always)]
    fn waits_for_below(&mut self, ctx: &mut Context, now: Tick) -> bool {
        if !self.below_is_full(ctx, now) {
            return false;
        }
        self.tags = TagStage::QueueBelow;
        match self.below {
            Below::Caches(route) => ctx.outlets[route.outlet.index()].await_room(route.lane),
            Below::Memory(queue) => ctx.memory.await_room(queue, &mut ctx.wheel),
        }
        true
    }

    /// There is room again in a queue that this node asked about.
    pub(in crate::fabric) fn room(&mut self, ctx: &mut Context, now: Tick, of: Direction) {
        if let Above::Core(_) = self.above {
            return self.wake_for_room(ctx);
        }
        let awaited = match of {
            Direction::Back => TagStage::ReplyQueue,
            Direction::Down => TagStage::QueueBelow,
        };
        if self.tags == awaited {
            self.schedule_tags(ctx, self.shape.clock.edge(now));
        }
    }

    /// Wakes the tags if the head of the input might pass now that a line was filled.
    #[inline(always)]
    pub(super) fn wake_after_fill(&mut self, ctx: &mut Context, now: Tick, filled: LineAddress) {
        let (TagStage::Cache(why), Some(head)) = (self.tags, self.input.front()) else { return };
        let wanted = ctx.messages[head].line;
        let might_pass = match why {
            Obstacle::Merges => wanted == filled,
            Obstacle::Ways => self.cache.same_set(wanted, filled),
            Obstacle::Mshrs | Obstacle::MissQueue => true,
        };
        if might_pass {
            self.schedule_tags(ctx, self.shape.clock.edge(now));
        }
    }

    /// Lets a message at the head of the input pass the tags, unless the cache cannot take it.
    #[inline(always)]
    fn look_up(&mut self, ctx: &mut Context, now: Tick, number: u32) -> Option<Obstacle> {
        let message = &ctx.messages[number];
        if message.kind == Kind::Victim {
            self.input.pop(&mut ctx.messages);
            self.take_victim(ctx, now, number);
            return None;
        }
        let (line, words, path) = (message.line, message.words, message.request.path);
        let request = Request {
            line,
            words,
            // Only a core's own cache may keep what threads write to their own memory.
            path: if path == Path::Local { Path::Global } else { path },
            token: Token(number),
            ..message.request
        };
        let outcome = self.cache.access(&request, &mut ctx.effects);
        if let Outcome::Blocked(blocked) = outcome {
            return Some(blocked.into());
        }
        self.input.pop(&mut ctx.messages);
        ctx.messages[number].stage = Stage::Missing;
        // Victims are written back before the lines that replace them are read.
        if !ctx.effects.is_empty() {
            self.carry_out(ctx, now, &request);
        }
        match outcome {
            Outcome::Hit => {
                ctx.messages[number].request.policy_bits = self.cache.reply_bits();
                self.serve(ctx, now, number, self.answerer);
            }
            Outcome::Miss(fetch) => self.fetch_below(ctx, now, &fetch, &request, Kind::Fetch),
            Outcome::Below => self.pass_on(ctx, now, number, words),
            Outcome::Merged | Outcome::Blocked(_) => {}
        }
        self.pump_below(ctx, now);
        None
    }

    /// A message goes below as it is: memory takes a write at once, a cache answers.
    fn pass_on(&mut self, ctx: &mut Context, now: Tick, number: u32, words: u32) {
        if let Below::Memory(queue) = self.below {
            let (line, sectors) = (ctx.messages[number].line, self.shape.sectors_touched(words));
            ctx.memory.take(now, queue, JobKind::Write, line, sectors, &mut ctx.wheel);
            return self.serve(ctx, now, number, self.answerer);
        }
        let message = &mut ctx.messages[number];
        let (kind, noticed) = (message.kind, message.noticed);
        let request = Request { line: message.line, ..message.request };
        if !kind.is_answered() {
            // Nobody waits for it: it goes on as a write-back of this cache.
            ctx.forget(number);
            self.send(ctx, now, request, words, kind, NONE);
            return;
        }
        // Whoever performs it tells the core; this one only carries the answer.
        message.noticed = false;
        let sent = self.send(ctx, now, request, words, Kind::Forward, number);
        ctx.messages[sent].noticed = noticed;
    }

    /// Inserts a victim of a cache above.
    fn take_victim(&mut self, ctx: &mut Context, now: Tick, number: u32) {
        let message = ctx.messages[number];
        let sectors = self.shape.sectors_covered(message.words);
        let dirty = if message.dirty.is_empty() { Sectors::NONE } else { sectors };
        if !sectors.is_empty() {
            let Request { pc, core, region, policy_bits, .. } = message.request;
            let victim = Evicted { line: message.line, sectors, dirty, pc, region, policy_bits };
            self.cache.insert(&victim, core, &mut ctx.effects);
        }
        ctx.forget(number);
        if !ctx.effects.is_empty() {
            self.carry_out(ctx, now, &message.request);
            self.pump_below(ctx, now);
        }
    }

    /// This node performs a message: its data is there.
    #[inline(always)]
    pub(super) fn serve(&mut self, ctx: &mut Context, now: Tick, number: u32, answerer: Answerer) {
        let message = &mut ctx.messages[number];
        message.answerer = answerer;
        if !message.kind.is_answered() {
            ctx.forget(number);
            return;
        }
        let Request { token, access, lanes, .. } = message.request;
        if message.noticed {
            ctx.notices.push(Notice::Serviced(token, answerer));
        }
        if access == Access::Atomic && self.shape.atomic > 0 && self.is_last() {
            message.stage = Stage::AtomicUnit;
            let work = self.shape.atomic * u64::from(lanes.max(1));
            self.atomic_free_at = self.atomic_free_at.max(now.0) + work;
            let done_at = Tick(self.atomic_free_at);
            ctx.wheel.schedule(done_at, order::atomic_done(self.id), Event::AtomicDone(number));
            return;
        }
        self.answer(ctx, now, number);
    }

    /// Puts a reply into the queue before the link that its request came by.
    #[inline(always)]
    pub(in crate::fabric) fn answer(&mut self, ctx: &mut Context, now: Tick, number: u32) {
        let Above::Caches(first) = self.above else { unreachable!("a core is told by notices") };
        let message = &mut ctx.messages[number];
        let outlet = first.of_link(message.link);
        message.since = now.0;
        message.stage = Stage::ReplyQueue;
        let (carried, packets) = match (message.kind, message.request.access) {
            (Kind::Forward, Access::Write) => (0, self.shape.acknowledgements(message.words)),
            (Kind::Forward, _) => {
                let sectors = self.shape.sectors_touched(message.words).count();
                (sectors * self.shape.words_per_sector, 1)
            }
            _ => (message.words.count_ones(), 1),
        };
        (message.carried, message.packets) = (carried as u8, packets);
        ctx.queue(outlet, REPLIES, number);
        ctx.pump(now, outlet);
    }
}

/// The place of the least number.
#[inline(always)]
fn first_free(busy: &[u64]) -> usize {
    let mut best = 0;
    for (place, &at) in busy.iter().enumerate() {
        if at < busy[best] {
            best = place;
        }
    }
    best
}
