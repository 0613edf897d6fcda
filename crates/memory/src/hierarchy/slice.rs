//! Slices of L2: input queue and pipeline, tags, atomic unit, replies.
//!
//! ```text
//! arrival ─▶ pipeline (latency) + input queue ─▶ tags ─┬─ hit ──────────────▶ reply queue ─▶ crossbar
//!                                                      ├─ atomic ─ unit ────▶ reply queue
//!                                                      └─ miss ─▶ DRAM queue ─▶ … fill ─▶ reply queue
//! ```
//!
//! - A slice holds at most `latency + input_queue` requests before its tags: one in each stage of the pipeline,
//!   and the queue behind it. What arrives beyond that stays in the crossbar's ejection buffer and keeps its
//!   credit.
//! - The tags take requests in order of arrival, each bank one (or `ports`) per cycle; a request for n sectors
//!   takes n of these turns if a line has several. The head waits while its bank is busy, the reply queue or the
//!   DRAM queue is full, or the cache has no MSHR, merge or way left: it sleeps, and the event that changes that wakes it.
//! - Replies and writes that a fill causes do not wait for room in their queues, as a fill cannot; no request
//!   passes the tags until the queue is below its length again.
//! - The atomic unit performs one request after another, `atomic_cycles` per lane: lanes on one word take turns.
//!   Requests to one line are serialised by this, and so are all atomics of the slice. An atomic that hits waits at the head until the
//!   unit is free; other requests behind it wait too.

use super::core_side::{REPLIES, REQUESTS};
use super::events::Event;
use super::transaction::{Kind, Queue, Stage, Transaction};
use super::{Hierarchy, Why};
use crate::cache::{Cache, CacheSpec, Evicted, Outcome};
use crate::crossbar::Packet;
use crate::order;
use crate::request::{Access, Level, LineAddress, Notice, Path, Request, Sectors, Token};
use heddle_engine::Tick;

/// What the tags of a slice wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tags {
    /// A request.
    Idle,
    /// An event that is scheduled.
    Scheduled,
    /// Room in the reply queue.
    ReplyQueue,
    /// Room in the queue to DRAM.
    DramQueue,
    /// A fill.
    Cache(Why),
}

/// One slice.
#[derive(Clone, Debug)]
pub(super) struct Slice {
    pub(super) cache: Cache,
    /// What has arrived and not passed the tags; `since` is when it can.
    pub(super) input: Queue,
    /// What has arrived and found no room.
    pub(super) ejected: Queue,
    pub(super) tags: Tags,
    /// When each port of each bank is free.
    busy: Vec<u64>,
    /// When the atomic unit is free.
    atomic_free_at: u64,
    pub(super) replies: Queue,
    /// Its only channel, where slices have one.
    pub(super) channel: u16,
    /// Jobs that wait for their channel, and whether the first of them waits for a channel to have room.
    pub(super) to_dram: Queue,
    pub(super) stuck: bool,
}

impl Slice {
    pub(super) fn new(cache: Cache, spec: &CacheSpec, channel: u16) -> Slice {
        Slice {
            cache,
            input: Queue::default(),
            ejected: Queue::default(),
            tags: Tags::Idle,
            busy: vec![0; spec.banks as usize * spec.ports as usize],
            atomic_free_at: 0,
            replies: Queue::default(),
            to_dram: Queue::default(),
            channel,
            stuck: false,
        }
    }
}

impl Hierarchy {
    /// A packet has arrived at a slice.
    #[inline]
    pub(super) fn arrive(&mut self, now: Tick, number: u32) {
        let transaction = &self.transactions[number];
        let (which, line) = (transaction.slice, transaction.l2_line(self.l2_line_mask));
        let slice = &mut self.slices[usize::from(which)];
        slice.cache.fetch_ahead(line);
        if slice.input.len() >= self.l2_shape.input {
            self.transactions[number].stage = Stage::Ejected;
            slice.ejected.push(number, &mut self.transactions);
            return;
        }
        self.take_in(now, which, number);
        if self.slices[usize::from(which)].tags == Tags::Idle {
            self.schedule_tags(Tick(now.0 + self.l2_shape.latency), which);
        }
    }

    /// Takes a packet into the pipeline of a slice at an edge of its clock, which gives the crossbar its credit back.
    #[inline(always)]
    fn take_in(&mut self, now: Tick, which: u16, number: u32) {
        let transaction = &mut self.transactions[number];
        transaction.since = now.0 + self.l2_shape.latency;
        transaction.stage = Stage::SliceInput;
        self.slices[usize::from(which)].input.push(number, &mut self.transactions);
        let port = self.crossbar.port(REQUESTS, self.first_slice + which);
        let departed = self.crossbar.take(now, port, &mut self.wheel);
        self.departed(now, departed);
    }

    #[inline(always)]
    fn schedule_tags(&mut self, at: Tick, which: u16) {
        self.slices[usize::from(which)].tags = Tags::Scheduled;
        self.wheel.schedule(at, order::tags(which), Event::Tags(which));
    }

    /// Wakes the tags of a slice if this is what they wait for.
    #[inline(always)]
    pub(super) fn wake_tags(&mut self, now: Tick, which: u16, reason: impl Fn(Tags) -> bool) {
        if reason(self.slices[usize::from(which)].tags) {
            let edge = self.clocks.l2.edge(now);
            self.schedule_tags(edge, which);
        }
    }

    /// Wakes the tags of a slice if the head of its input might pass now that a line was filled.
    #[inline(always)]
    pub(super) fn wake_after_fill(&mut self, now: Tick, which: u16, filled: LineAddress) {
        let slice = &self.slices[usize::from(which)];
        let (Tags::Cache(why), Some(head)) = (slice.tags, slice.input.front()) else { return };
        let wanted = self.transactions[head].l2_line(self.l2_line_mask);
        let might_pass = match why {
            Why::Merges => wanted == filled,
            Why::Ways => slice.cache.same_set(wanted, filled),
            Why::Mshrs | Why::MissQueue => true,
        };
        if might_pass {
            let edge = self.clocks.l2.edge(now);
            self.schedule_tags(edge, which);
        }
    }

    /// The tags of a slice take what they can at this edge.
    #[inline]
    pub(super) fn run_tags(&mut self, now: Tick, which: u16) {
        loop {
            let slice = &mut self.slices[usize::from(which)];
            let Some(number) = slice.input.front() else {
                slice.tags = Tags::Idle;
                return;
            };
            let transaction = &self.transactions[number];
            let bank =
                slice.cache.bank_of(transaction.l2_line(self.l2_line_mask)) as usize * self.l2_shape.ports;
            let port = first_free(&slice.busy[bank..bank + self.l2_shape.ports]) + bank;
            let (since, words) = (transaction.since, transaction.words);
            let mut start = since.max(slice.busy[port]);
            if transaction.request.access == Access::Atomic {
                start = start.max(slice.atomic_free_at);
            }
            if start > now.0 {
                self.schedule_tags(Tick(start), which);
                return;
            }
            if slice.replies.len() >= self.l2_shape.reply_queue && transaction.kind.is_answered() {
                slice.tags = Tags::ReplyQueue;
                return;
            }
            if self.dram_queue_is_full(now, which) {
                self.tags_wait_for_dram(which);
                return;
            }
            if let Some(why) = self.look_up(now, which, number) {
                self.slices[usize::from(which)].tags = Tags::Cache(why);
                return;
            }
            let turns = match self.l2_shape.sectored {
                true => self.l2_shape.sectors_touched(words).count().max(1),
                false => 1,
            };
            let slice = &mut self.slices[usize::from(which)];
            slice.busy[port] = now.0 + self.clocks.l2.ticks(turns.into());
            self.queueing.slice_input_ticks += now.0.saturating_sub(since);
            if let Some(number) = slice.ejected.pop(&mut self.transactions) {
                self.take_in(now, which, number);
            }
        }
    }

    /// Lets a transaction at the head of a slice's input pass the tags, unless the cache cannot take it.
    #[inline(always)]
    fn look_up(&mut self, now: Tick, which: u16, number: u32) -> Option<Why> {
        let slice = &mut self.slices[usize::from(which)];
        let transaction = &self.transactions[number];
        if transaction.kind == Kind::Victim {
            slice.input.pop(&mut self.transactions);
            self.take_victim(now, which, number);
            return None;
        }
        let line = transaction.l2_line(self.l2_line_mask);
        let (words, path) = (transaction.words, transaction.request.path);
        let request = Request {
            line,
            words,
            // Only a core's own cache may keep what threads write to their own memory.
            path: if path == Path::Local { Path::Global } else { path },
            token: Token(number),
            ..transaction.request
        };
        let outcome = slice.cache.access(&request, &mut self.effects);
        if let Outcome::Blocked(blocked) = outcome {
            return Some(blocked.into());
        }
        slice.input.pop(&mut self.transactions);
        self.transactions[number].stage = Stage::SliceMiss;
        // Victims are written back before the lines that replace them are read.
        if !self.effects.is_empty() {
            self.carry_out_below(now, which);
        }
        match outcome {
            Outcome::Hit => {
                let cache = &self.slices[usize::from(which)].cache;
                self.transactions[number].request.policy_bits = cache.reply_bits();
                self.serve(now, number, Level::L2);
            }
            Outcome::Miss(fetch) => self.fetch_from_dram(now, which, &fetch),
            Outcome::Below => {
                let sectors = self.l2_shape.sectors_touched(words);
                self.write_to_dram(now, which, line, sectors);
                self.serve(now, number, Level::L2);
            }
            Outcome::Merged | Outcome::Blocked(_) => {}
        }
        None
    }

    /// Inserts a victim of a core's cache.
    fn take_victim(&mut self, now: Tick, which: u16, number: u32) {
        let transaction = self.transactions[number];
        let sectors = self.l2_shape.sectors_covered(transaction.words);
        let dirty = if transaction.dirty.is_empty() { Sectors::NONE } else { sectors };
        let cache = &mut self.slices[usize::from(which)].cache;
        if !sectors.is_empty() {
            let line = transaction.l2_line(self.l2_line_mask);
            let Request { pc, core, region, policy_bits, .. } = transaction.request;
            let victim = Evicted { line, sectors, dirty, pc, region, policy_bits };
            cache.insert(&victim, core, &mut self.effects);
        }
        self.forget(number);
        if !self.effects.is_empty() {
            self.carry_out_below(now, which);
        }
    }

    /// L2 performs a transaction: its data is there.
    #[inline(always)]
    pub(super) fn serve(&mut self, now: Tick, number: u32, level: Level) {
        let transaction = &mut self.transactions[number];
        let Transaction { kind, slice: which, .. } = *transaction;
        transaction.level = level;
        if !kind.is_answered() {
            self.forget(number);
            return;
        }
        let Request { token, access, lanes, .. } = transaction.request;
        if kind.is_noticed() {
            self.notices.push(Notice::Serviced(token, level));
        }
        let slice = &mut self.slices[usize::from(which)];
        if access == Access::Atomic && self.l2_shape.atomic > 0 {
            transaction.stage = Stage::AtomicUnit;
            let work = self.l2_shape.atomic * u64::from(lanes.max(1));
            slice.atomic_free_at = slice.atomic_free_at.max(now.0) + work;
            let done_at = Tick(slice.atomic_free_at);
            self.wheel.schedule(done_at, order::atomic_done(which), Event::AtomicDone(number));
            return;
        }
        self.answer(now, number);
    }

    /// Puts a reply into its slice's reply queue.
    #[inline(always)]
    pub(super) fn answer(&mut self, now: Tick, number: u32) {
        let transaction = &mut self.transactions[number];
        transaction.since = now.0;
        transaction.stage = Stage::ReplyQueue;
        let which = transaction.slice;
        self.slices[usize::from(which)].replies.push(number, &mut self.transactions);
        self.pump_slice(now, which);
    }

    /// Moves replies of a slice to its port of the crossbar, as far as there is room.
    #[inline]
    pub(super) fn pump_slice(&mut self, now: Tick, which: u16) {
        let port = self.crossbar.port(REPLIES, self.first_slice + which);
        while self.crossbar.has_room(port) {
            let slice = &mut self.slices[usize::from(which)];
            let Some(number) = slice.replies.pop(&mut self.transactions) else { return };
            let room = slice.replies.len() < self.l2_shape.reply_queue;
            let transaction = &mut self.transactions[number];
            self.queueing.reply_queue_ticks += now.0.saturating_sub(transaction.since);
            transaction.stage = Stage::ReplyNetwork;
            let words = match (transaction.kind, transaction.request.access) {
                (Kind::Forward, Access::Write) => 0,
                (Kind::Forward, _) => self.l2_shape.words_touched(transaction.words),
                _ => transaction.words.count_ones(),
            };
            let packets = match (transaction.kind, transaction.request.access) {
                (Kind::Forward, Access::Write) => self.l2_shape.acknowledgements(transaction.words),
                _ => 1,
            };
            let packet = Packet {
                payload: number,
                to: transaction.request.core,
                flits: self.flits[words as usize] * packets,
                data: words as u16 * 4,
            };
            self.crossbar.inject(now, port, packet, &mut self.wheel);
            if room {
                self.wake_tags(now, which, |tags| tags == Tags::ReplyQueue);
            }
        }
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
