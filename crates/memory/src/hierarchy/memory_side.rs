//! Between slices and DRAM channels.
//!
//! A fetch or a write of a slice is a job: one DRAM transaction for each atom that it
//! touches (or for each sector: see [`FetchUnit`](super::FetchUnit)). Jobs of a slice
//! go to the channels in order; one whose channel has no room holds up those behind it, and is woken when the
//! channel has issued something. A fetch fills its slice when its last atom has come. The slice takes fills at
//! once, so that the channel's return queue never fills up.
//!
//! A channel is not woken for each of its commands. Between two requests nobody can tell whether it has issued
//! them already: the data of a read comes a whole latency later. So it catches up, each command in its own
//! cycle, before it takes a request, and at the latest when the first data could come. Where each slice has one
//! channel, this goes for slices that wait for room too: what they have queued enters in the cycle after the command
//! that made the room, whenever that is worked out. Only while the tags of a slice wait for its queue, or where jobs
//! of a slice go to several channels, the channel is woken after every command.

use super::Hierarchy;
use super::events::Event;
use super::slice::{Slice, Tags};
use super::transaction::{Linked, NONE};
use crate::cache::{Evicted, Fetch};
use crate::dram::{Channel, Completion, Place, Transaction as Atom};
use crate::request::{Level, LineAddress, Sectors};
use heddle_engine::{Cycle, Tick};

/// Atoms of a line at most; a DRAM transaction is named by its job and its atom.
pub(super) const ATOMS: u32 = 32;

/// A fetch or a write of a slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    /// The line.
    pub(super) line: LineAddress,
    /// Where its first atom lies.
    place: Place,
    /// The line inside the slice.
    local: LineAddress,
    sectors: Sectors,
    pub(super) slice: u16,
    pub(super) write: bool,
    /// Atoms that have not been sent yet.
    pub(super) to_send: u32,
    /// Atoms that are not done yet.
    pub(super) pending: u32,
    /// Whether its number is free.
    pub(super) over: bool,
    /// When the last that is done is done.
    done_at: u64,
    next: u32,
    since: u64,
}

impl Linked for Job {
    #[inline(always)]
    fn next(&mut self) -> &mut u32 {
        &mut self.next
    }
}

/// A channel, and who waits for it.
#[derive(Clone, Debug)]
pub(super) struct ChannelSide {
    pub(super) channel: Channel,
    /// The cycle of the event that counts; others are out of date.
    wake_at: Cycle,
    /// Slices whose first job found no room, in order, and where they want to go.
    waiting: Vec<(u16, Place, bool)>,
}

impl ChannelSide {
    pub(super) fn new(channel: Channel) -> ChannelSide {
        ChannelSide { channel, wake_at: NEVER, waiting: Vec::new() }
    }

    /// The cycle from which on something that waits may enter, if something does.
    pub(super) fn enters_from(&self) -> Option<u64> {
        let command = self.channel.wake().filter(|_| !self.waiting.is_empty());
        command.map(|Cycle(command)| command)
    }

    /// When the channel must catch up at the latest: before anybody could notice that it has not. Who waits for room
    /// `exact`ly notices every command.
    #[inline(always)]
    fn due(&self, exact: bool) -> Cycle {
        let due = match exact {
            false => self.channel.notable(),
            true => self.channel.wake().map(|command| command + 1),
        };
        due.unwrap_or(NEVER)
    }
}

/// Of a channel that has nothing to do.
const NEVER: Cycle = Cycle(u64::MAX);

impl Hierarchy {
    /// A slice reads sectors of a line.
    #[inline(always)]
    pub(super) fn fetch_from_dram(&mut self, now: Tick, which: u16, fetch: &Fetch) {
        self.traffic.l2_dram_address_flits += u64::from(self.flits[0]);
        self.start_job(now, which, fetch.line, fetch.sectors, false);
    }

    /// A slice writes sectors of a line.
    #[inline(always)]
    pub(super) fn write_to_dram(&mut self, now: Tick, which: u16, local: LineAddress, sectors: Sectors) {
        self.start_job(now, which, local, sectors, true);
    }

    #[inline]
    fn start_job(&mut self, now: Tick, which: u16, local: LineAddress, sectors: Sectors, write: bool) {
        self.traffic.l2_dram_data_flits += u64::from(self.sector_flits[sectors.count() as usize]);
        let atoms = self.bursts[usize::from(write)].of(sectors.0);
        let line = self.addresses.join(which, local);
        let number = self.jobs.insert(Job {
            line,
            place: self.map.place(line.0),
            local,
            sectors,
            slice: which,
            write,
            to_send: atoms,
            pending: atoms.count_ones(),
            over: false,
            done_at: 0,
            next: NONE,
            since: now.0,
        });
        self.highest_job = self.highest_job.max(number);
        // What waits in front of it may have gone by now.
        self.catch_up_for(now, which);
        let slice = &mut self.slices[usize::from(which)];
        slice.to_dram.push(number, &mut self.jobs);
        if !slice.stuck {
            self.pump_dram(now, which);
        }
    }

    /// Sends jobs of a slice to their channels, as far as there is room.
    fn pump_dram(&mut self, now: Tick, which: u16) {
        let cycle = self.clocks.dram.at_or_after(now);
        while let Some(number) = self.slices[usize::from(which)].to_dram.front() {
            while self.jobs[number].to_send != 0 {
                if !self.send_bursts(cycle, which, number) {
                    self.slices[usize::from(which)].stuck = true;
                    return;
                }
            }
            let slice = &mut self.slices[usize::from(which)];
            slice.to_dram.pop(&mut self.jobs);
            self.queueing.dram_queue_ticks += now.0.saturating_sub(self.jobs[number].since);
            if slice.to_dram.len() < self.l2_shape.dram_queue {
                self.wake_tags(now, which, |tags| tags == Tags::DramQueue);
            }
        }
    }

    /// Sends the bursts of a job that go to the same channel as its next one, as far as there is room.
    #[inline(always)]
    fn send_bursts(&mut self, cycle: Cycle, which: u16, number: u32) -> bool {
        let Job { line, place: first, write, mut to_send, .. } = self.jobs[number];
        let bursts = &self.bursts[usize::from(write)];
        let (_, Place { channel, .. }) = bursts.place(&self.map, line.0, first, to_send.trailing_zeros());
        self.catch_up(cycle, channel as u16);
        let side = &mut self.channels[channel as usize];
        let bursts = &self.bursts[usize::from(write)];
        let mut room = true;
        while to_send != 0 {
            let burst = to_send.trailing_zeros();
            let (address, place) = bursts.place(&self.map, line.0, first, burst);
            if place.channel != channel {
                break;
            }
            room = side.channel.can_accept(&place, write);
            if !room {
                side.waiting.push((which, place, write));
                break;
            }
            to_send &= to_send - 1;
            let id = number * ATOMS + burst;
            if let Some(capture) = &mut self.capture {
                capture.sent(id, address, write, cycle.0);
            }
            side.channel.push(cycle, Atom { id, place, write });
        }
        self.jobs[number].to_send = to_send;
        self.see_to_channel(channel as u16);
        room
    }

    /// A channel must catch up now, if this is still so.
    #[inline]
    pub(super) fn run_channel(&mut self, now: Tick, which: u16) {
        let side = &mut self.channels[usize::from(which)];
        let cycle = side.wake_at;
        if cycle == NEVER || self.clocks.dram.start_of(cycle) != now {
            return;
        }
        side.wake_at = NEVER;
        self.catch_up(cycle, which);
        self.see_to_channel(which);
    }

    /// Makes sure that a channel is woken in time.
    #[inline(always)]
    fn see_to_channel(&mut self, which: u16) {
        let side = &mut self.channels[usize::from(which)];
        let waits = |slice: u16| self.slices[usize::from(slice)].tags == Tags::DramQueue;
        let exact = match self.one_channel_each {
            true => side.waiting.iter().any(|&(slice, ..)| waits(slice)),
            false => !side.waiting.is_empty(),
        };
        let due = side.due(exact);
        if due < side.wake_at {
            side.wake_at = due;
            self.wheel.schedule(self.clocks.dram.start_of(due), Event::Channel(which));
        }
    }

    /// Brings a channel up to a cycle; slices that wait for it take the room that its commands make.
    #[inline(always)]
    fn catch_up(&mut self, cycle: Cycle, which: u16) {
        let side = &mut self.channels[usize::from(which)];
        if side.waiting.is_empty() {
            side.channel.catch_up(cycle, &mut self.completions);
            if !self.completions.is_empty() {
                self.complete_all();
            }
        } else {
            self.catch_up_in_steps(cycle, which);
        }
    }

    /// Brings a channel up to a cycle, command by command.
    fn catch_up_in_steps(&mut self, cycle: Cycle, which: u16) {
        loop {
            let side = &mut self.channels[usize::from(which)];
            let next = side.channel.step(cycle, &mut self.completions);
            let room = !self.completions.is_empty();
            if room {
                self.complete_all();
            }
            let Some(next) = next else { return };
            if room {
                self.wake_slices(next, which);
            }
        }
    }

    /// Brings the channel that a slice waits for up to now, if it may lag behind.
    #[inline(always)]
    fn catch_up_for(&mut self, now: Tick, which: u16) {
        if self.one_channel_each && self.slices[usize::from(which)].stuck {
            let channel = which % self.channels.len() as u16;
            self.catch_up(self.clocks.dram.at_or_after(now), channel);
        }
    }

    /// Whether the queue of a slice to DRAM is full now.
    #[inline(always)]
    pub(super) fn dram_queue_is_full(&mut self, now: Tick, which: u16) -> bool {
        let full = |slice: &Slice, most: u32| slice.to_dram.len() >= most;
        if !full(&self.slices[usize::from(which)], self.l2_shape.dram_queue) {
            return false;
        }
        self.catch_up_for(now, which);
        full(&self.slices[usize::from(which)], self.l2_shape.dram_queue)
    }

    /// The tags of a slice wait for room in its queue to DRAM: its channel must not lag behind any more.
    pub(super) fn tags_wait_for_dram(&mut self, which: u16) {
        self.slices[usize::from(which)].tags = Tags::DramQueue;
        if self.one_channel_each {
            self.see_to_channel(which % self.channels.len() as u16);
        }
    }

    /// Requests of a channel are done, or will be.
    fn complete_all(&mut self) {
        let mut completions = std::mem::take(&mut self.completions);
        for completion in &completions {
            self.complete(completion);
        }
        completions.clear();
        self.completions = completions;
    }

    /// Lets the slices that wait for a channel try again, in order, as far as there is room.
    fn wake_slices(&mut self, cycle: Cycle, which: u16) {
        let mut place = 0;
        while let Some(&(slice, wanted, write)) = self.channels[usize::from(which)].waiting.get(place) {
            let side = &mut self.channels[usize::from(which)];
            if side.channel.can_accept(&wanted, write) {
                side.waiting.remove(place);
                self.slices[usize::from(slice)].stuck = false;
                // It may come back to the end of this list, wanting what is full.
                self.pump_dram(self.clocks.dram.start_of(cycle), slice);
            } else {
                place += 1;
            }
        }
    }

    /// An atom is done, or will be.
    #[inline(always)]
    fn complete(&mut self, completion: &Completion) {
        if let Some(capture) = &mut self.capture {
            capture.done(completion);
        }
        let number = completion.id / ATOMS;
        let job = &mut self.jobs[number];
        job.done_at = job.done_at.max(completion.at.0);
        job.pending -= 1;
        if job.pending > 0 {
            return;
        }
        if job.write {
            // Nobody waits for a write.
            job.over = true;
            self.jobs.release(number);
            return;
        }
        let at = self.clocks.l2.edge(self.clocks.dram.start_of(Cycle(job.done_at)));
        self.wheel.schedule(at, Event::Filled(number));
    }

    /// All data of a fetch has come to its slice.
    #[inline]
    pub(super) fn fill_slice(&mut self, now: Tick, number: u32) {
        let Job { local, sectors, slice: which, since, .. } = self.jobs[number];
        self.jobs[number].over = true;
        self.jobs.release(number);
        self.latency.dram_fetches += 1;
        self.latency.dram_fetch_ticks += now.0.saturating_sub(since);
        let slice = &mut self.slices[usize::from(which)];
        slice.cache.fill(local, sectors, Level::Dram, &mut self.effects);
        let mut released = std::mem::take(&mut self.effects.released);
        for token in &released {
            self.serve(now, token.0, Level::Dram);
        }
        released.clear();
        self.effects.released = released;
        if !self.effects.is_empty() {
            self.carry_out_below(now, which);
        }
        self.wake_after_fill(now, which, local);
    }

    /// Carries out what an access or a fill of a slice's cache has caused besides its answer.
    #[cold]
    pub(super) fn carry_out_below(&mut self, now: Tick, which: u16) {
        self.write_back(now, which);
        let mut wishes = std::mem::take(&mut self.effects.prefetches);
        for wish in &wishes {
            if self.dram_queue_is_full(now, which) {
                self.queueing.prefetches_dropped += 1;
                continue;
            }
            let slice = &mut self.slices[usize::from(which)];
            let fetch = slice.cache.prefetch(wish, &mut self.effects);
            self.write_back(now, which);
            if let Some(fetch) = fetch {
                self.fetch_from_dram(now, which, &fetch);
            }
        }
        wishes.clear();
        self.effects.prefetches = wishes;
    }

    /// Writes what has left a slice's cache dirty.
    fn write_back(&mut self, now: Tick, which: u16) {
        let mut lines = std::mem::take(&mut self.effects.writebacks);
        for &Evicted { line, dirty, .. } in &lines {
            self.write_to_dram(now, which, line, dirty);
        }
        lines.clear();
        self.effects.writebacks = lines;
    }
}
