//! How far the channels of DRAM have come, and when jobs enter them.
//!
//! Jobs of a slice enter in order; one whose channel has no room holds up those behind it, until a command of the
//! channel has made room.
//!
//! A channel is not woken for each request and each command. Nobody can tell whether it has issued a command already
//! before the data comes, a whole latency later. So a channel may lag behind: it is brought up to date when the first
//! data could come, or when somebody asks how much of a slice's queue is left. Then jobs enter and commands issue, each
//! in the cycle that is its own, in one go and with everything at hand. Only while the tags of a slice wait for room in
//! its queue the channel keeps up with every command.
//!
//! This needs that every slice has one channel, and that no read is answered from a waiting write. Where either does
//! not hold, jobs enter as they come, and channels keep up while anybody waits for them.

use super::Hierarchy;
use super::events::Event;
use super::memory_side::{ATOMS, Job};
use super::slice::Tags;
use crate::dram::{Channel, Place, Transaction as Atom};
use heddle_engine::{Cycle, Tick};

/// A channel, and who waits for it.
#[derive(Clone, Debug)]
pub(super) struct ChannelSide {
    pub(super) channel: Channel,
    /// The cycle of the event that counts; others are out of date.
    wake_at: Cycle,
    /// Commands before this cycle have been issued.
    reached: Cycle,
    /// Slices whose first job found no room, in order, and where they want to go.
    waiting: Vec<(u16, Place, bool)>,
}

/// Of a channel that has nothing to do.
const NEVER: Cycle = Cycle(u64::MAX);

impl ChannelSide {
    pub(super) fn new(channel: Channel) -> ChannelSide {
        ChannelSide { channel, wake_at: NEVER, reached: Cycle(0), waiting: Vec::new() }
    }

    /// When the channel must be brought up to date at the latest. Who waits for room `exact`ly notices every command.
    #[inline(always)]
    fn due(&self, exact: bool) -> Cycle {
        let due = match exact {
            false => self.channel.notable(),
            true => self.channel.wake().map(|command| command + 1),
        };
        due.unwrap_or(NEVER)
    }
}

impl Hierarchy {
    /// The only channel of a slice, where slices have one.
    #[inline(always)]
    fn channel_of(&self, slice: u16) -> u16 {
        slice % self.channels.len() as u16
    }

    /// A job has come to the end of its slice's queue.
    #[inline(always)]
    pub(super) fn job_came(&mut self, which: u16, number: u32) {
        let from = self.jobs[number].from;
        if self.channels_lag {
            let channel = self.channel_of(which);
            let reaction = self.channels[usize::from(channel)].channel.reaction();
            self.wake_channel(channel, from + reaction);
        } else if !self.slices[usize::from(which)].stuck {
            self.send_jobs(from, which);
        }
    }

    /// Sends jobs of a slice that have come by this cycle, as far as there is room.
    fn send_jobs(&mut self, cycle: Cycle, which: u16) {
        while let Some(number) = self.slices[usize::from(which)].to_dram.front() {
            if self.jobs[number].from > cycle {
                return;
            }
            while self.jobs[number].to_send != 0 {
                if !self.send_bursts(cycle, which, number) {
                    self.slices[usize::from(which)].stuck = true;
                    return;
                }
            }
            let slice = &mut self.slices[usize::from(which)];
            slice.to_dram.pop(&mut self.jobs);
            self.queueing.dram_queue_ticks += self.clocks.dram.ticks(cycle - self.jobs[number].from);
            if slice.tags == Tags::DramQueue && slice.to_dram.len() < self.l2_shape.dram_queue {
                self.wake_tags(self.clocks.dram.start_of(cycle), which, |tags| tags == Tags::DramQueue);
            }
        }
    }

    /// Sends the bursts of a job that go to the same channel as its next one, as far as there is room.
    #[inline(always)]
    fn send_bursts(&mut self, cycle: Cycle, which: u16, number: u32) -> bool {
        let Job { line, place: first, write, mut to_send, .. } = self.jobs[number];
        let bursts = &self.bursts[usize::from(write)];
        let (_, Place { channel, .. }) = bursts.place(&self.map, line.0, first, to_send.trailing_zeros());
        // A prefetch may wish for an address beyond all memory, which no map has in mind.
        let channel = if self.channels_lag { self.channel_of(which).into() } else { channel };
        if !self.channels_lag {
            self.catch_up(cycle, channel as u16);
        }
        let side = &mut self.channels[channel as usize];
        let bursts = &self.bursts[usize::from(write)];
        let mut room = true;
        while to_send != 0 {
            let burst = to_send.trailing_zeros();
            let (address, place) = bursts.place(&self.map, line.0, first, burst);
            if place.channel != channel && !self.channels_lag {
                break;
            }
            let place = Place { channel, ..place };
            room = side.channel.can_accept(&place, write);
            if !room {
                side.waiting.push((which, place, write));
                break;
            }
            to_send &= to_send - 1;
            let id = number * ATOMS + burst;
            if let Some(capture) = &mut self.capture {
                capture.sent(id, address, write, side.channel.arrival(cycle).0);
            }
            side.channel.push(cycle, Atom { id, place, write });
        }
        self.jobs[number].to_send = to_send;
        if !self.channels_lag {
            self.see_to_channel(channel as u16);
        }
        room
    }

    /// A channel must be brought up to date now, if this is still so.
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

    /// Makes sure that a channel is woken in time for what it holds.
    #[inline(always)]
    fn see_to_channel(&mut self, which: u16) {
        let side = &self.channels[usize::from(which)];
        let waits = |slice: u16| self.slices[usize::from(slice)].tags == Tags::DramQueue;
        let exact = match self.channels_lag {
            true => side.waiting.iter().any(|&(slice, ..)| waits(slice)),
            false => !side.waiting.is_empty(),
        };
        self.wake_channel(which, side.due(exact));
    }

    #[inline(always)]
    fn wake_channel(&mut self, which: u16, at: Cycle) {
        let side = &mut self.channels[usize::from(which)];
        if at < side.wake_at {
            side.wake_at = at;
            self.wheel.schedule(self.clocks.dram.start_of(at), Event::Channel(which));
        }
    }

    /// Brings a channel up to a cycle: jobs that have come by then enter, and all commands before it are issued.
    #[inline(always)]
    fn catch_up(&mut self, cycle: Cycle, which: u16) {
        if self.channels_lag {
            return self.catch_up_with_jobs(cycle, which);
        }
        let side = &mut self.channels[usize::from(which)];
        if side.waiting.is_empty() {
            side.channel.catch_up(cycle, &mut self.completions);
            if !self.completions.is_empty() {
                self.complete_all();
            }
            return;
        }
        while self.issue_before(cycle, which) {}
    }

    /// The same, where jobs have not entered as they came.
    fn catch_up_with_jobs(&mut self, cycle: Cycle, which: u16) {
        self.channels[usize::from(which)].reached = cycle;
        loop {
            // Of jobs and commands of the same cycle, jobs go first.
            let command = self.channels[usize::from(which)].channel.wake().unwrap_or(NEVER);
            match self.next_job(which) {
                Some((from, slice)) if from <= cycle && from <= command => self.send_jobs(from, slice),
                _ if self.issue_before(cycle, which) => {}
                _ => return,
            }
        }
    }

    /// The first job of a channel's slices that waits for nothing but its turn: its cycle and its slice.
    #[inline(always)]
    fn next_job(&self, which: u16) -> Option<(Cycle, u16)> {
        let of_channel = (which..self.slices.len() as u16).step_by(self.channels.len());
        let first = |slice: u16| {
            let side = &self.slices[usize::from(slice)];
            let number = side.to_dram.front().filter(|_| !side.stuck)?;
            Some((self.jobs[number].from, slice))
        };
        of_channel.filter_map(first).min()
    }

    /// Issues the next command of a channel if it is of a cycle before this one, and lets slices that wait take the
    /// room that it makes.
    #[inline(always)]
    fn issue_before(&mut self, cycle: Cycle, which: u16) -> bool {
        let side = &mut self.channels[usize::from(which)];
        let next = side.channel.step(cycle, &mut self.completions);
        let room = !self.completions.is_empty();
        if room {
            self.complete_all();
        }
        let Some(next) = next else { return false };
        if room && !self.channels[usize::from(which)].waiting.is_empty() {
            self.wake_slices(next, which);
        }
        true
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
                self.send_jobs(cycle, slice);
            } else {
                place += 1;
            }
        }
    }

    /// Whether the queue of a slice to DRAM is full now.
    #[inline(always)]
    pub(super) fn dram_queue_is_full(&mut self, now: Tick, which: u16) -> bool {
        let most = self.l2_shape.dram_queue;
        if self.slices[usize::from(which)].to_dram.len() < most {
            return false;
        }
        if self.channels_lag {
            let channel = self.channel_of(which);
            self.catch_up(self.clocks.dram.at_or_after(now), channel);
        }
        self.slices[usize::from(which)].to_dram.len() >= most
    }

    /// The tags of a slice wait for room in its queue to DRAM: its channel must not lag behind any more.
    pub(super) fn tags_wait_for_dram(&mut self, which: u16) {
        self.slices[usize::from(which)].tags = Tags::DramQueue;
        if self.channels_lag {
            self.see_to_channel(self.channel_of(which));
        }
    }

    /// The cycle from which on jobs may still enter a channel that lags behind, if there are any.
    pub(super) fn jobs_enter_from(&self) -> Option<u64> {
        let queued = |slice: &u16| self.slices[usize::from(*slice)].to_dram.len() > 0;
        let slices = (0..self.slices.len() as u16).filter(|slice| self.channels_lag && queued(slice));
        slices.map(|slice| self.channels[usize::from(self.channel_of(slice))].reached.0).min()
    }
}
