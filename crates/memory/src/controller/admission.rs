//! Which jobs may enter a channel, and how they do.
//!
//! Jobs of a cache enter in order; one whose channel has no room holds up those behind it, until a command of the
//! channel has made room. What happens here happens to one channel. A cache that goes on with another one is told to
//! whoever brings channels up to date ([`super::catch_up`]).

use super::Controllers;
use super::channel::NEVER;
use super::job::ATOMS;
use crate::dram::{Place, Transaction as Atom};
use crate::event::Event;
use crate::ids::{CacheQueueId, ChannelId};
use heddle_engine::{Cycle, Wheel};

/// The next burst of a queue's first job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Burst {
    place: Place,
    write: bool,
}

/// A moment in the order in which jobs come: a cycle of DRAM, and in it the number of a job among all. Jobs are numbered
/// by the events that start them, whose order is a rule ([`crate::order`]).
pub(super) type Came = (Cycle, u64);

/// After every job of a cycle.
pub(super) const ALL: u64 = u64::MAX;

/// No queue.
pub(super) const NOBODY: CacheQueueId = CacheQueueId(u16::MAX);

impl Controllers {
    /// The next burst of a queue's first job, if it has come by this moment.
    #[inline(always)]
    pub(super) fn next_burst(&self, came_by: Came, queue: CacheQueueId) -> Option<Burst> {
        let side = &self.queues[queue.index()];
        let job = &self.jobs[side.jobs.front()?];
        let burst = job.to_send.trailing_zeros();
        let bursts = &self.bursts[side.lines][usize::from(job.write)];
        let place = bursts.place(&self.map, job.line.0, job.place, burst);
        ((job.from, job.sequence) <= came_by).then_some(Burst { place, write: job.write })
    }

    /// The channel that the first job of a queue goes to, if it has come by this cycle.
    #[inline(always)]
    pub(super) fn channel_of_next(&self, cycle: Cycle, queue: CacheQueueId) -> Option<ChannelId> {
        match self.lag {
            true => Some(self.queues[queue.index()].channel),
            false => self.next_burst((cycle, ALL), queue).map(|next| ChannelId(next.place.channel as u16)),
        }
    }

    /// The channel of a queue's burst.
    #[inline(always)]
    pub(super) fn channel_for(&self, queue: CacheQueueId, next: &Burst) -> ChannelId {
        match self.lag {
            // A prefetch may wish for an address beyond all memory, which no map has in mind.
            true => self.queues[queue.index()].channel,
            false => ChannelId(next.place.channel as u16),
        }
    }

    /// The first job for a channel that waits for nothing but its turn: when it came, and its queue. Of those of one
    /// cycle, the one that came first.
    #[inline(always)]
    pub(super) fn next_job(&self, channel: ChannelId) -> (Came, CacheQueueId) {
        let (mut next, mut of_next) = ((NEVER, u64::MAX), NOBODY);
        for &queue in &self.channels[channel.index()].queues {
            let side = &self.queues[queue.index()];
            if let Some(number) = side.jobs.front()
                && !side.stuck
            {
                let job = &self.jobs[number];
                if (job.from, job.sequence) < next {
                    (next, of_next) = ((job.from, job.sequence), queue);
                }
            }
        }
        (next, of_next)
    }

    /// The first job of all, of queues that do not wait for a channel, that comes in this cycle or later.
    pub(super) fn next_job_from(&self, cycle: Cycle) -> Option<(Came, CacheQueueId)> {
        let first = |(number, side): (usize, &super::queues::CacheQueue)| {
            let job = &self.jobs[side.jobs.front().filter(|_| !side.stuck)?];
            (job.from >= cycle).then_some(((job.from, job.sequence), CacheQueueId(number as u16)))
        };
        self.queues.iter().enumerate().filter_map(first).min()
    }

    /// Lets the queues that wait for their only channel, which has one queue for all, send in turn as far as there is
    /// room: what [`Controllers::let_in_where_room_is`] comes to there. Says whether one does not wait any more.
    pub(super) fn let_in_by_turns(
        &mut self,
        cycle: Cycle,
        came_by: Came,
        channel: ChannelId,
        wheel: &mut Wheel<Event>,
    ) -> bool {
        let (mut any, mut sent) = (false, false);
        loop {
            let side = &mut self.channels[channel.index()];
            let Some(&queue) = side.waiting.first() else { return any };
            let first = self.queues[queue.index()].jobs.front();
            if first.is_none_or(|number| (self.jobs[number].from, self.jobs[number].sequence) > came_by) {
                side.waiting.remove(0);
                self.queues[queue.index()].stuck = false;
                (any, sent) = (true, false);
            } else if !side.channel.is_full() {
                self.send_burst(cycle, channel, queue, wheel);
                sent = true;
            } else {
                if sent {
                    side.move_to_end(0);
                }
                return any;
            }
        }
    }

    /// The way for channels with several queues, and for caches with several channels: lets queues in from this place
    /// among those that wait on. Returns one that goes on with another channel, if there is one; the caller sees to that
    /// and calls again.
    pub(super) fn let_in_where_room_is(
        &mut self,
        cycle: Cycle,
        came_by: Came,
        channel: ChannelId,
        place: &mut usize,
        wheel: &mut Wheel<Event>,
    ) -> Option<CacheQueueId> {
        while let Some(&queue) = self.channels[channel.index()].waiting.get(*place) {
            if self.channels[channel.index()].channel.is_full() {
                return None;
            }
            let first = self.next_burst(came_by, queue)?;
            if !self.channels[channel.index()].channel.can_accept(&first.place, first.write) {
                *place += 1;
                continue;
            }
            let next = self.send_bursts(cycle, came_by, channel, queue, wheel);
            if let Some(next) = next
                && self.channel_for(queue, &next) == channel
            {
                self.channels[channel.index()].move_to_end(*place);
                continue;
            }
            self.channels[channel.index()].waiting.remove(*place);
            self.queues[queue.index()].stuck = false;
            if next.is_some() {
                return Some(queue);
            }
        }
        None
    }

    /// Sends bursts of a queue to a channel, as far as there is room, which there is for the first. Returns the burst
    /// that is next then: one that finds no room, or goes elsewhere.
    #[inline(always)]
    fn send_bursts(
        &mut self,
        cycle: Cycle,
        came_by: Came,
        channel: ChannelId,
        queue: CacheQueueId,
        wheel: &mut Wheel<Event>,
    ) -> Option<Burst> {
        loop {
            self.send_burst(cycle, channel, queue, wheel);
            let burst = self.next_burst(came_by, queue)?;
            let side = &self.channels[channel.index()].channel;
            if self.channel_for(queue, &burst) != channel || !side.can_accept(&burst.place, burst.write) {
                return Some(burst);
            }
        }
    }

    /// Sends the next burst of a queue's first job to a channel that has room for it, and those that follow it in the same
    /// row as far as there is room, consecutive ones as a run. One copy for all callers.
    #[inline(never)]
    fn send_burst(
        &mut self,
        cycle: Cycle,
        channel: ChannelId,
        queue: CacheQueueId,
        wheel: &mut Wheel<Event>,
    ) {
        let Controllers { channels, queues, jobs, bursts, map, capture, .. } = self;
        let side = &queues[queue.index()];
        let Some(number) = side.jobs.front() else { return };
        let job = &mut jobs[number];
        let bursts = &bursts[side.lines][usize::from(job.write)];
        let channel = &mut channels[channel.index()].channel;
        loop {
            let burst = job.to_send.trailing_zeros();
            let place = bursts.place(map, job.line.0, job.place, burst);
            let atom = Atom { id: number * ATOMS + burst, place, write: job.write };
            let consecutive = (job.to_send >> burst).trailing_ones();
            let mut run = 1;
            if let Some(capture) = capture {
                capture.sent(&atom, bursts.address(job.line.0, burst), channel.arrival(cycle));
            } else if consecutive > 1 && bursts.are_columns() {
                run = consecutive.min(channel.room_for_run(&place, job.write));
            }
            channel.enter_run(cycle, atom, run);
            job.to_send &= u32::MAX.checked_shl(burst + run).unwrap_or(0);
            if job.to_send == 0 {
                return self.job_left(cycle, queue, wheel);
            }
            // Another row may be that of another bank, or of another channel.
            if !bursts.are_columns() || !channel.can_accept(&place, job.write) {
                return;
            }
        }
    }
}
