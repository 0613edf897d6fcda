//! How the channels of DRAM are brought up to date.
//!
//! A channel is not woken for each request and each command. Nothing outside can observe whether it has issued a command
//! before the data comes, a whole latency later. So a channel may lag behind: it catches up when the first data could
//! come, or when the room in a cache's queue matters. Then jobs enter ([`super::admission`]) and commands issue, each in
//! its own cycle, but in one batch, for which code and data are in the host's caches. While the tags of a cache wait for
//! room in its queue, the channel catches up as soon as it can have made some.
//!
//! This needs that every cache above memory has one channel, and that no read is answered from a waiting write. Where
//! either does not hold, jobs enter as they come, but for fetches that surely find room ([`super::deferred`]), and channels
//! keep up while anything waits for them.

use super::Controllers;
use super::admission::{ALL, Came, NOBODY};
use super::channel::NEVER;
use crate::event::Event;
use crate::ids::{CacheQueueId, ChannelId};
use crate::order;
use heddle_engine::{Cycle, Tick, Wheel};

impl Controllers {
    /// A job has come to the end of a queue.
    #[inline(always)]
    pub(super) fn job_came(&mut self, queue: CacheQueueId, number: u32, wheel: &mut Wheel<Event>) {
        let from = self.jobs[number].from;
        let side = &self.queues[queue.index()];
        let later = if self.lag { Some(side.channel) } else { self.defer(queue, number) };
        if let Some(channel) = later {
            let reaction = self.channels[channel.index()].channel.reaction();
            self.wake_channel(channel, from + reaction, wheel);
        } else if !self.queues[queue.index()].stuck {
            self.send_jobs((from, self.jobs[number].sequence), queue, wheel);
        }
    }

    /// A channel must be brought up to date now, if this is still so.
    #[inline]
    pub(crate) fn run_channel(&mut self, now: Tick, channel: ChannelId, wheel: &mut Wheel<Event>) {
        let side = &mut self.channels[channel.index()];
        let cycle = side.wake_at;
        if cycle == NEVER || self.clock.start_of(cycle) != now {
            return;
        }
        side.wake_at = NEVER;
        self.catch_up(cycle, channel, wheel);
        self.see_to_channel(channel, wheel);
    }

    /// Whether the queue of a cache to memory is full now. The channel that its first job waits for catches up before a
    /// queue is found to be full.
    #[inline(always)]
    pub(crate) fn is_full(&mut self, now: Tick, queue: CacheQueueId, wheel: &mut Wheel<Event>) -> bool {
        if !self.queues[queue.index()].is_full() {
            return false;
        }
        let cycle = self.clock.at_or_after(now);
        if let Some(channel) = self.channel_of_next(cycle, queue) {
            self.catch_up(cycle, channel, wheel);
            self.see_to_channel(channel, wheel);
        }
        self.queues[queue.index()].is_full()
    }

    /// The tags of a cache wait for room in its queue: the channel must not lag behind any more.
    pub(crate) fn await_room(&mut self, queue: CacheQueueId, wheel: &mut Wheel<Event>) {
        let side = &mut self.queues[queue.index()];
        side.awaited = true;
        if self.lag {
            let channel = side.channel;
            self.see_to_channel(channel, wheel);
        }
    }

    /// Lets a channel catch up to a cycle: jobs that have come by then enter, and all commands before it are issued.
    #[inline(always)]
    pub(super) fn catch_up(&mut self, cycle: Cycle, channel: ChannelId, wheel: &mut Wheel<Event>) {
        if self.lag {
            return self.catch_up_with_jobs(cycle, channel, wheel);
        }
        if !self.channels[channel.index()].deferred.is_empty() {
            self.enter_deferred(channel);
        }
        loop {
            let side = &mut self.channels[channel.index()];
            match side.waiting.is_empty() {
                true => side.channel.catch_up(cycle, &mut self.completions),
                false => side.channel.take_forwarded(&mut self.completions),
            }
            if !self.completions.is_empty() {
                self.complete_all(channel, wheel);
            }
            if self.channels[channel.index()].channel.next_command() >= cycle {
                return;
            }
            self.issue(channel, wheel);
        }
    }

    /// The same, where jobs have not entered as they came.
    fn catch_up_with_jobs(&mut self, cycle: Cycle, channel: ChannelId, wheel: &mut Wheel<Event>) {
        self.channels[channel.index()].reached = cycle;
        let (mut came, mut queue) = self.next_job(channel);
        loop {
            // Of jobs and commands of the same cycle, jobs go first.
            let command = self.channels[channel.index()].channel.next_command();
            if came.0 <= cycle && came.0 <= command {
                self.send_jobs(came, queue, wheel);
            } else if command >= cycle {
                return;
            } else if !self.issue(channel, wheel) {
                continue;
            }
            (came, queue) = self.next_job(channel);
        }
    }

    /// Issues the next command of a channel, and lets queues that wait take the room that it makes. Says whether one may
    /// not wait any more.
    #[inline(always)]
    fn issue(&mut self, channel: ChannelId, wheel: &mut Wheel<Event>) -> bool {
        let side = &mut self.channels[channel.index()];
        let command = side.channel.next_command();
        let Some(done) = side.channel.issue(command.0) else { return false };
        let wanted = !side.waiting.is_empty();
        self.complete(channel, &done, wheel);
        // A job that comes in the very cycle in which there is room takes its turn after those that were there before.
        wanted && self.let_in(command + 1, (command, ALL), channel, NOBODY, wheel)
    }

    /// Sends jobs of a queue that have come by this moment, as far as there is room.
    fn send_jobs(&mut self, came_by: Came, queue: CacheQueueId, wheel: &mut Wheel<Event>) {
        let cycle = came_by.0;
        while let Some(next) = self.next_burst(came_by, queue) {
            let channel = self.channel_for(queue, &next);
            // Nobody else sends its jobs meanwhile.
            self.queues[queue.index()].stuck = true;
            if !self.lag {
                self.catch_up(cycle, channel, wheel);
            }
            self.channels[channel.index()].waiting.push(queue);
            self.let_in(cycle, came_by, channel, queue, wheel);
            if !self.lag {
                self.see_to_channel(channel, wheel);
            }
            if self.queues[queue.index()].stuck {
                return;
            }
        }
    }

    /// Lets the queues that wait for a channel send jobs that have come by some moment, in order, as far as there is room.
    /// Of those that go on with another channel, `sender` sees to that itself. Says whether one may not wait any more.
    #[inline(always)]
    fn let_in(
        &mut self,
        cycle: Cycle,
        came_by: Came,
        channel: ChannelId,
        sender: CacheQueueId,
        wheel: &mut Wheel<Event>,
    ) -> bool {
        if self.lag && self.channels[channel.index()].channel.has_one_queue() {
            return self.let_in_by_turns(cycle, came_by, channel, wheel);
        }
        let mut place = 0;
        while let Some(queue) = self.let_in_where_room_is(cycle, came_by, channel, &mut place, wheel) {
            if queue != sender {
                self.send_jobs((cycle, ALL), queue, wheel);
            }
        }
        if !self.lag && came_by.0 < cycle {
            // Queues that do not wait any more send what has come since.
            while let Some((came, queue)) = self.next_job_from(cycle) {
                self.send_jobs(came, queue, wheel);
            }
        }
        true
    }

    /// Makes sure that a channel is woken in time for what it holds.
    #[inline(always)]
    fn see_to_channel(&mut self, channel: ChannelId, wheel: &mut Wheel<Event>) {
        let side = &self.channels[channel.index()];
        let noticed = match self.lag {
            true => side.waiting.iter().filter_map(|&queue| self.bursts_until_noticed(queue)).min(),
            false => (!side.waiting.is_empty()).then_some(1),
        };
        self.wake_channel(channel, side.due(noticed), wheel);
    }

    #[inline(always)]
    fn wake_channel(&mut self, channel: ChannelId, at: Cycle, wheel: &mut Wheel<Event>) {
        let side = &mut self.channels[channel.index()];
        if at < side.wake_at {
            side.wake_at = at;
            wheel.schedule(self.clock.start_of(at), order::channel(channel), Event::Channel(channel));
        }
    }
}
