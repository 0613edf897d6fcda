//! How far the channels of DRAM have come, and when jobs enter them.
//!
//! Jobs of a slice enter in order; one whose channel has no room holds up those behind it, until a command of the
//! channel has made room.
//!
//! A channel is not woken for each request and each command. Nothing outside can observe whether it has issued a command
//! before the data comes, a whole latency later. So a channel may lag behind: it catches up when the first data could
//! come, or when the room in a slice's queue matters. Then jobs enter and commands issue, each in its own cycle, but in
//! one batch, for which code and data are in the host's caches. While the tags of a slice wait for room in its queue,
//! the channel catches up as soon as it can have made some.
//!
//! This needs that every slice has one channel, and that no read is answered from a waiting write. Where either does
//! not hold, jobs enter as they come, and channels keep up while anything waits for them.

use super::Hierarchy;
use super::events::Event;
use super::memory_side::ATOMS;
use crate::dram::{Channel, Place, Transaction as Atom};
use crate::order;
use heddle_engine::{Cycle, Tick};

/// A channel, and the slices that wait for it.
#[derive(Clone, Debug)]
pub(super) struct ChannelSide {
    pub(super) channel: Channel,
    /// The cycle of the event that counts; others are out of date.
    wake_at: Cycle,
    /// Commands before this cycle have been issued.
    pub(super) reached: Cycle,
    /// Slices whose first job found no room, in order.
    pub(super) waiting: Vec<u16>,
    /// Fetches that it has completed.
    pub(super) fetches: u32,
}

/// The next burst of a slice's first job.
#[derive(Clone, Copy, Debug)]
struct Burst {
    place: Place,
    write: bool,
}

/// A moment in the order in which jobs come: a cycle of DRAM, and in it the number of a job among all. Jobs are numbered
/// by the events that start them, whose order is a rule ([`crate::order`]).
type Came = (Cycle, u64);

/// After every job of a cycle.
const ALL: u64 = u64::MAX;

/// No slice.
const NOBODY: u16 = u16::MAX;

/// Of a channel that has nothing to do.
const NEVER: Cycle = Cycle(u64::MAX);

impl ChannelSide {
    pub(super) fn new(channel: Channel) -> ChannelSide {
        ChannelSide { channel, wake_at: NEVER, reached: Cycle(0), waiting: Vec::new(), fetches: 0 }
    }

    /// A slice in the list goes to its end.
    #[inline(always)]
    fn move_to_end(&mut self, place: usize) {
        match self.waiting.as_mut_slice() {
            [first, last] if place == 0 => std::mem::swap(first, last),
            all => all[place..].rotate_left(1),
        }
    }

    /// When the channel must catch up at the latest: when data can come, or when it can have made room for
    /// so many bursts that a slice that waits for it can continue.
    #[inline(always)]
    fn due(&self, noticed: Option<u32>) -> Cycle {
        let data = self.channel.notable().unwrap_or(NEVER);
        let room = noticed.and_then(|bursts| self.channel.room_at_the_earliest(bursts));
        data.min(room.unwrap_or(NEVER))
    }
}

impl Hierarchy {
    /// A job has come to the end of its slice's queue.
    #[inline(always)]
    pub(super) fn job_came(&mut self, which: u16, number: u32) {
        let from = self.jobs[number].from;
        if self.channels_lag {
            let channel = self.slices[usize::from(which)].channel;
            let reaction = self.channels[usize::from(channel)].channel.reaction();
            self.wake_channel(channel, from + reaction);
        } else if !self.slices[usize::from(which)].stuck {
            self.send_jobs((from, self.jobs[number].sequence), which);
        }
    }

    /// Sends jobs of a slice that have come by this moment, as far as there is room.
    fn send_jobs(&mut self, came_by: Came, which: u16) {
        let cycle = came_by.0;
        while let Some(next) = self.next_burst(came_by, which) {
            let channel = self.channel_for(which, &next);
            // Nobody else sends its jobs meanwhile.
            self.slices[usize::from(which)].stuck = true;
            if !self.channels_lag {
                self.catch_up(cycle, channel);
            }
            self.channels[usize::from(channel)].waiting.push(which);
            self.let_in(cycle, came_by, channel, which);
            if !self.channels_lag {
                self.see_to_channel(channel);
            }
            if self.slices[usize::from(which)].stuck {
                return;
            }
        }
    }

    /// The next burst of a slice's first job, if it has come by this moment.
    #[inline(always)]
    fn next_burst(&self, came_by: Came, slice: u16) -> Option<Burst> {
        let number = self.slices[usize::from(slice)].to_dram.front()?;
        let job = &self.jobs[number];
        let burst = job.to_send.trailing_zeros();
        let place = self.bursts[usize::from(job.write)].place(&self.map, job.line.0, job.place, burst);
        ((job.from, job.sequence) <= came_by).then_some(Burst { place, write: job.write })
    }

    /// The channel that the first job of a slice goes to, if it has come by this cycle.
    #[inline(always)]
    pub(super) fn channel_of_next(&self, cycle: Cycle, slice: u16) -> Option<u16> {
        match self.channels_lag {
            true => Some(self.slices[usize::from(slice)].channel),
            false => self.next_burst((cycle, ALL), slice).map(|next| next.place.channel as u16),
        }
    }

    /// The channel of a slice's burst.
    #[inline(always)]
    fn channel_for(&self, slice: u16, next: &Burst) -> u16 {
        match self.channels_lag {
            // A prefetch may wish for an address beyond all memory, which no map has in mind.
            true => self.slices[usize::from(slice)].channel,
            false => next.place.channel as u16,
        }
    }

    /// Lets the slices that wait for their only channel, which has one queue for all, send in turn as far as there is
    /// room: what [`Hierarchy::let_in_where_room_is`] comes to there. Says whether one does not wait any more.
    fn let_in_by_turns(&mut self, cycle: Cycle, came_by: Came, which: u16) -> bool {
        let (mut any, mut sent) = (false, false);
        loop {
            let side = &mut self.channels[usize::from(which)];
            let Some(&slice) = side.waiting.first() else { return any };
            let first = self.slices[usize::from(slice)].to_dram.front();
            if first.is_none_or(|number| (self.jobs[number].from, self.jobs[number].sequence) > came_by) {
                side.waiting.remove(0);
                self.slices[usize::from(slice)].stuck = false;
                (any, sent) = (true, false);
            } else if !side.channel.is_full() {
                self.send_burst(cycle, which, slice);
                sent = true;
            } else {
                if sent {
                    side.move_to_end(0);
                }
                return any;
            }
        }
    }

    /// Lets the slices that wait for a channel send jobs that have come by some cycle, in order, as far as there is room.
    /// Of those that continue with another channel, `sender` sees to that itself. Says whether one may not wait any more.
    #[inline(always)]
    fn let_in(&mut self, cycle: Cycle, came_by: Came, which: u16, sender: u16) -> bool {
        if self.channels_lag && self.channels[usize::from(which)].channel.has_one_queue() {
            return self.let_in_by_turns(cycle, came_by, which);
        }
        self.let_in_where_room_is(cycle, came_by, which, sender);
        if !self.channels_lag && came_by.0 < cycle {
            self.send_jobs_that_just_came(cycle);
        }
        true
    }

    /// Of slices that do not wait for a channel any more, sends jobs that come in this cycle or later, in the order in
    /// which they came.
    fn send_jobs_that_just_came(&mut self, cycle: Cycle) {
        loop {
            let first = |slice: u16| {
                let side = &self.slices[usize::from(slice)];
                let job = &self.jobs[side.to_dram.front().filter(|_| !side.stuck)?];
                (job.from >= cycle).then_some((job.from, job.sequence, slice))
            };
            let next = (0..self.slices.len() as u16).filter_map(first).min();
            let Some((from, sequence, slice)) = next else { return };
            self.send_jobs((from, sequence), slice);
        }
    }

    /// The way for channels with several queues, and for slices with several channels.
    fn let_in_where_room_is(&mut self, cycle: Cycle, came_by: Came, which: u16, sender: u16) {
        let channel = usize::from(which);
        let mut place = 0;
        while let Some(&slice) = self.channels[channel].waiting.get(place) {
            if self.channels[channel].channel.is_full() {
                return;
            }
            let Some(first) = self.next_burst(came_by, slice) else { return };
            if !self.channels[channel].channel.can_accept(&first.place, first.write) {
                place += 1;
                continue;
            }
            let next = self.send_bursts(cycle, came_by, which, slice);
            if let Some(next) = next
                && self.channel_for(slice, &next) == which
            {
                self.channels[channel].move_to_end(place);
                continue;
            }
            self.channels[channel].waiting.remove(place);
            self.slices[usize::from(slice)].stuck = false;
            if next.is_some() && slice != sender {
                self.send_jobs((cycle, ALL), slice);
            }
        }
    }

    /// Sends bursts of a slice to a channel, as far as there is room, which there is for the first. Returns the burst
    /// that is next then: one that finds no room, or goes elsewhere.
    #[inline(always)]
    fn send_bursts(&mut self, cycle: Cycle, came_by: Came, which: u16, slice: u16) -> Option<Burst> {
        loop {
            self.send_burst(cycle, which, slice);
            let burst = self.next_burst(came_by, slice)?;
            let channel = &self.channels[usize::from(which)].channel;
            if self.channel_for(slice, &burst) != which || !channel.can_accept(&burst.place, burst.write) {
                return Some(burst);
            }
        }
    }

    /// Sends the next burst of a slice's first job to a channel that has room for it. One copy for all callers.
    #[inline(never)]
    fn send_burst(&mut self, cycle: Cycle, which: u16, slice: u16) {
        let Hierarchy { channels, slices, jobs, bursts, map, capture, .. } = self;
        let Some(number) = slices[usize::from(slice)].to_dram.front() else { return };
        let job = &mut jobs[number];
        let bursts = &bursts[usize::from(job.write)];
        let burst = job.to_send.trailing_zeros();
        let place = bursts.place(map, job.line.0, job.place, burst);
        let atom = Atom { id: number * ATOMS + burst, place, write: job.write };
        let channel = &mut channels[usize::from(which)].channel;
        if let Some(capture) = capture {
            capture.sent(&atom, bursts.address(job.line.0, burst), channel.arrival(cycle));
        }
        channel.enter(cycle, atom);
        job.to_send &= job.to_send - 1;
        if job.to_send == 0 {
            self.job_left(cycle, slice);
        }
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
    pub(super) fn see_to_channel(&mut self, which: u16) {
        let side = &self.channels[usize::from(which)];
        let noticed = match self.channels_lag {
            true => side.waiting.iter().filter_map(|&slice| self.bursts_until_noticed(slice)).min(),
            false => (!side.waiting.is_empty()).then_some(1),
        };
        self.wake_channel(which, side.due(noticed));
    }

    #[inline(always)]
    fn wake_channel(&mut self, which: u16, at: Cycle) {
        let side = &mut self.channels[usize::from(which)];
        if at < side.wake_at {
            side.wake_at = at;
            let at = self.clocks.dram.start_of(at);
            self.wheel.schedule(at, order::channel(which), Event::Channel(which));
        }
    }

    /// Lets a channel catch up to a cycle: jobs that have come by then enter, and all commands before it are issued.
    #[inline(always)]
    pub(super) fn catch_up(&mut self, cycle: Cycle, which: u16) {
        if self.channels_lag {
            return self.catch_up_with_jobs(cycle, which);
        }
        loop {
            let side = &mut self.channels[usize::from(which)];
            match side.waiting.is_empty() {
                true => side.channel.catch_up(cycle, &mut self.completions),
                false => side.channel.take_forwarded(&mut self.completions),
            }
            if !self.completions.is_empty() {
                self.complete_all(which);
            }
            if self.channels[usize::from(which)].channel.next_command() >= cycle {
                return;
            }
            self.issue(which);
        }
    }

    /// The same, where jobs have not entered as they came.
    fn catch_up_with_jobs(&mut self, cycle: Cycle, which: u16) {
        self.channels[usize::from(which)].reached = cycle;
        let (mut came, mut slice) = self.next_job(which);
        loop {
            // Of jobs and commands of the same cycle, jobs go first.
            let command = self.channels[usize::from(which)].channel.next_command();
            if came.0 <= cycle && came.0 <= command {
                self.send_jobs(came, slice);
            } else if command >= cycle {
                return;
            } else if !self.issue(which) {
                continue;
            }
            (came, slice) = self.next_job(which);
        }
    }

    /// The first job of a channel's slices that waits for nothing but its turn: when it came, and its slice. Of those of one
    /// cycle, the one that came first.
    #[inline(always)]
    fn next_job(&self, which: u16) -> (Came, u16) {
        let (mut next, mut slice_of_next) = ((NEVER, u64::MAX), 0);
        for slice in (usize::from(which)..self.slices.len()).step_by(self.channels.len()) {
            let side = &self.slices[slice];
            if let Some(number) = side.to_dram.front()
                && !side.stuck
            {
                let job = &self.jobs[number];
                if (job.from, job.sequence) < next {
                    (next, slice_of_next) = ((job.from, job.sequence), slice as u16);
                }
            }
        }
        (next, slice_of_next)
    }

    /// Issues the next command of a channel, and lets slices that wait take the room that it makes. Says whether one may
    /// not wait any more.
    #[inline(always)]
    fn issue(&mut self, which: u16) -> bool {
        let side = &mut self.channels[usize::from(which)];
        let command = side.channel.next_command();
        let Some(done) = side.channel.issue() else { return false };
        let wanted = !side.waiting.is_empty();
        self.complete(which, &done);
        // A job that comes in the very cycle in which there is room takes its turn after those that were there before.
        wanted && self.let_in(command + 1, (command, ALL), which, NOBODY)
    }

    /// The cycle from which on jobs may still enter a channel that lags behind, if there are any.
    pub(super) fn jobs_enter_from(&self) -> Option<u64> {
        let queued = |slice: &u16| self.slices[usize::from(*slice)].to_dram.len() > 0;
        let slices = (0..self.slices.len() as u16).filter(|slice| self.channels_lag && queued(slice));
        slices
            .map(|slice| self.channels[usize::from(self.slices[usize::from(slice)].channel)].reached.0)
            .min()
    }
}
