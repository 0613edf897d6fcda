//! When jobs enter the channels of DRAM.
//!
//! Jobs of a cache enter in order; one whose channel has no room holds up those behind it, until a command of the
//! channel has made room.

use super::Controllers;
use super::channel_side::NEVER;
use super::job::ATOMS;
use crate::dram::{Place, Transaction as Atom};
use crate::event::Event;
use crate::ids::{ChannelId, FeederId};
use heddle_engine::{Cycle, Wheel};

/// The next burst of a cache's first job.
#[derive(Clone, Copy, Debug)]
struct Burst {
    place: Place,
    write: bool,
}

/// A moment in the order in which jobs come: a cycle of DRAM, and in it the number of a job among all. Jobs are numbered
/// by the events that start them, whose order is a rule ([`crate::order`]).
pub(super) type Came = (Cycle, u64);

/// After every job of a cycle.
pub(super) const ALL: u64 = u64::MAX;

/// No cache.
pub(super) const NOBODY: FeederId = FeederId(u16::MAX);

impl Controllers {
    /// A job has come to the end of its cache's queue.
    #[inline(always)]
    pub(super) fn job_came(&mut self, feeder: FeederId, number: u32, wheel: &mut Wheel<Event>) {
        let from = self.jobs[number].from;
        let side = &self.feeders[feeder.index()];
        if self.lag {
            let channel = side.channel;
            let reaction = self.channels[channel.index()].channel.reaction();
            self.wake_channel(channel, from + reaction, wheel);
        } else if !side.stuck {
            self.send_jobs((from, self.jobs[number].sequence), feeder, wheel);
        }
    }

    /// Sends jobs of a cache that have come by this moment, as far as there is room.
    pub(super) fn send_jobs(&mut self, came_by: Came, feeder: FeederId, wheel: &mut Wheel<Event>) {
        let cycle = came_by.0;
        while let Some(next) = self.next_burst(came_by, feeder) {
            let channel = self.channel_for(feeder, &next);
            // Nobody else sends its jobs meanwhile.
            self.feeders[feeder.index()].stuck = true;
            if !self.lag {
                self.catch_up(cycle, channel, wheel);
            }
            self.channels[channel.index()].waiting.push(feeder);
            self.let_in(cycle, came_by, channel, feeder, wheel);
            if !self.lag {
                self.see_to_channel(channel, wheel);
            }
            if self.feeders[feeder.index()].stuck {
                return;
            }
        }
    }

    /// The next burst of a cache's first job, if it has come by this moment.
    #[inline(always)]
    fn next_burst(&self, came_by: Came, feeder: FeederId) -> Option<Burst> {
        let side = &self.feeders[feeder.index()];
        let job = &self.jobs[side.queue.front()?];
        let burst = job.to_send.trailing_zeros();
        let bursts = &self.bursts[side.lines][usize::from(job.write)];
        let place = bursts.place(&self.map, job.line.0, job.place, burst);
        ((job.from, job.sequence) <= came_by).then_some(Burst { place, write: job.write })
    }

    /// The channel that the first job of a cache goes to, if it has come by this cycle.
    #[inline(always)]
    pub(super) fn channel_of_next(&self, cycle: Cycle, feeder: FeederId) -> Option<ChannelId> {
        match self.lag {
            true => Some(self.feeders[feeder.index()].channel),
            false => self.next_burst((cycle, ALL), feeder).map(|next| ChannelId(next.place.channel as u16)),
        }
    }

    /// The channel of a cache's burst.
    #[inline(always)]
    fn channel_for(&self, feeder: FeederId, next: &Burst) -> ChannelId {
        match self.lag {
            // A prefetch may wish for an address beyond all memory, which no map has in mind.
            true => self.feeders[feeder.index()].channel,
            false => ChannelId(next.place.channel as u16),
        }
    }

    /// The first job of a channel's caches that waits for nothing but its turn: when it came, and its cache. Of those of one
    /// cycle, the one that came first.
    #[inline(always)]
    pub(super) fn next_job(&self, which: ChannelId) -> (Came, FeederId) {
        let (mut next, mut of_next) = ((NEVER, u64::MAX), NOBODY);
        for &feeder in &self.channels[which.index()].feeders {
            let side = &self.feeders[feeder.index()];
            if let Some(number) = side.queue.front()
                && !side.stuck
            {
                let job = &self.jobs[number];
                if (job.from, job.sequence) < next {
                    (next, of_next) = ((job.from, job.sequence), feeder);
                }
            }
        }
        (next, of_next)
    }

    /// Lets the caches that wait for a channel send jobs that have come by some cycle, in order, as far as there is room.
    /// Of those that continue with another channel, `sender` sees to that itself. Says whether one may not wait any more.
    #[inline(always)]
    pub(super) fn let_in(
        &mut self,
        cycle: Cycle,
        came_by: Came,
        which: ChannelId,
        sender: FeederId,
        wheel: &mut Wheel<Event>,
    ) -> bool {
        if self.lag && self.channels[which.index()].channel.has_one_queue() {
            return self.let_in_by_turns(cycle, came_by, which, wheel);
        }
        self.let_in_where_room_is(cycle, came_by, which, sender, wheel);
        if !self.lag && came_by.0 < cycle {
            self.send_jobs_that_just_came(cycle, wheel);
        }
        true
    }

    /// Lets the caches that wait for their only channel, which has one queue for all, send in turn as far as there is
    /// room: what [`Controllers::let_in_where_room_is`] comes to there. Says whether one does not wait any more.
    fn let_in_by_turns(
        &mut self,
        cycle: Cycle,
        came_by: Came,
        which: ChannelId,
        wheel: &mut Wheel<Event>,
    ) -> bool {
        let (mut any, mut sent) = (false, false);
        loop {
            let side = &mut self.channels[which.index()];
            let Some(&feeder) = side.waiting.first() else { return any };
            let first = self.feeders[feeder.index()].queue.front();
            if first.is_none_or(|number| (self.jobs[number].from, self.jobs[number].sequence) > came_by) {
                side.waiting.remove(0);
                self.feeders[feeder.index()].stuck = false;
                (any, sent) = (true, false);
            } else if !side.channel.is_full() {
                self.send_burst(cycle, which, feeder, wheel);
                sent = true;
            } else {
                if sent {
                    side.move_to_end(0);
                }
                return any;
            }
        }
    }

    /// Of caches that do not wait for a channel any more, sends jobs that come in this cycle or later, in the order in
    /// which they came.
    fn send_jobs_that_just_came(&mut self, cycle: Cycle, wheel: &mut Wheel<Event>) {
        loop {
            let first = |(number, side): (usize, &super::feeder::Feeder)| {
                let job = &self.jobs[side.queue.front().filter(|_| !side.stuck)?];
                (job.from >= cycle).then_some((job.from, job.sequence, FeederId(number as u16)))
            };
            let next = self.feeders.iter().enumerate().filter_map(first).min();
            let Some((from, sequence, feeder)) = next else { return };
            self.send_jobs((from, sequence), feeder, wheel);
        }
    }

    /// The way for channels with several queues, and for caches with several channels.
    fn let_in_where_room_is(
        &mut self,
        cycle: Cycle,
        came_by: Came,
        which: ChannelId,
        sender: FeederId,
        wheel: &mut Wheel<Event>,
    ) {
        let mut place = 0;
        while let Some(&feeder) = self.channels[which.index()].waiting.get(place) {
            if self.channels[which.index()].channel.is_full() {
                return;
            }
            let Some(first) = self.next_burst(came_by, feeder) else { return };
            if !self.channels[which.index()].channel.can_accept(&first.place, first.write) {
                place += 1;
                continue;
            }
            let next = self.send_bursts(cycle, came_by, which, feeder, wheel);
            if let Some(next) = next
                && self.channel_for(feeder, &next) == which
            {
                self.channels[which.index()].move_to_end(place);
                continue;
            }
            self.channels[which.index()].waiting.remove(place);
            self.feeders[feeder.index()].stuck = false;
            if next.is_some() && feeder != sender {
                self.send_jobs((cycle, ALL), feeder, wheel);
            }
        }
    }

    /// Sends bursts of a cache to a channel, as far as there is room, which there is for the first. Returns the burst
    /// that is next then: one that finds no room, or goes elsewhere.
    #[inline(always)]
    fn send_bursts(
        &mut self,
        cycle: Cycle,
        came_by: Came,
        which: ChannelId,
        feeder: FeederId,
        wheel: &mut Wheel<Event>,
    ) -> Option<Burst> {
        loop {
            self.send_burst(cycle, which, feeder, wheel);
            let burst = self.next_burst(came_by, feeder)?;
            let channel = &self.channels[which.index()].channel;
            if self.channel_for(feeder, &burst) != which || !channel.can_accept(&burst.place, burst.write) {
                return Some(burst);
            }
        }
    }

    /// Sends the next burst of a cache's first job to a channel that has room for it. One copy for all callers.
    #[inline(never)]
    fn send_burst(&mut self, cycle: Cycle, which: ChannelId, feeder: FeederId, wheel: &mut Wheel<Event>) {
        let Controllers { channels, feeders, jobs, bursts, map, capture, .. } = self;
        let side = &feeders[feeder.index()];
        let Some(number) = side.queue.front() else { return };
        let job = &mut jobs[number];
        let bursts = &bursts[side.lines][usize::from(job.write)];
        let burst = job.to_send.trailing_zeros();
        let place = bursts.place(map, job.line.0, job.place, burst);
        let atom = Atom { id: number * ATOMS + burst, place, write: job.write };
        let channel = &mut channels[which.index()].channel;
        if let Some(capture) = capture {
            capture.sent(&atom, bursts.address(job.line.0, burst), channel.arrival(cycle));
        }
        channel.enter(cycle, atom);
        job.to_send &= job.to_send - 1;
        if job.to_send == 0 {
            self.job_left(cycle, feeder, wheel);
        }
    }
}
