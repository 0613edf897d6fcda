//! How far the channels of DRAM have come.
//!
//! A channel is not woken for each request and each command. Nothing outside can observe whether it has issued a command
//! before the data comes, a whole latency later. So a channel may lag behind: it catches up when the first data could
//! come, or when the room in a cache's queue matters. Then jobs enter ([`super::admission`]) and commands issue, each in
//! its own cycle, but in one batch, for which code and data are in the host's caches. While the tags of a cache wait for
//! room in its queue, the channel catches up as soon as it can have made some.
//!
//! This needs that every cache above memory has one channel, and that no read is answered from a waiting write. Where
//! either does not hold, jobs enter as they come, and channels keep up while anything waits for them.

use super::Controllers;
use super::admission::{ALL, NOBODY};
use super::job::ATOMS;
use crate::dram::{Channel, Completion};
use crate::event::Event;
use crate::ids::{ChannelId, FeederId};
use crate::order;
use heddle_engine::{Cycle, Tick, Wheel};

/// A channel, and the caches that wait for it.
#[derive(Clone, Debug)]
pub(super) struct ChannelSide {
    pub(super) channel: Channel,
    /// The cycle of the event that counts; others are out of date.
    wake_at: Cycle,
    /// Commands before this cycle have been issued.
    pub(super) reached: Cycle,
    /// Caches whose first job found no room, in order.
    pub(super) waiting: Vec<FeederId>,
    /// Caches that have no other channel, where caches have one.
    pub(super) feeders: Vec<FeederId>,
    /// Fetches that it has completed.
    fetches: u32,
}

/// Of a channel that has nothing to do.
pub(super) const NEVER: Cycle = Cycle(u64::MAX);

impl ChannelSide {
    pub(super) fn new(channel: Channel, feeders: Vec<FeederId>) -> ChannelSide {
        let waiting = Vec::new();
        ChannelSide { channel, wake_at: NEVER, reached: Cycle(0), waiting, feeders, fetches: 0 }
    }

    /// A cache in the list goes to its end.
    #[inline(always)]
    pub(super) fn move_to_end(&mut self, place: usize) {
        match self.waiting.as_mut_slice() {
            [first, last] if place == 0 => std::mem::swap(first, last),
            all => all[place..].rotate_left(1),
        }
    }

    /// When the channel must catch up at the latest: when data can come, or when it can have made room for
    /// so many bursts that a cache that waits for it can continue.
    #[inline(always)]
    fn due(&self, noticed: Option<u32>) -> Cycle {
        let data = self.channel.notable().unwrap_or(NEVER);
        let room = noticed.and_then(|bursts| self.channel.room_at_the_earliest(bursts));
        data.min(room.unwrap_or(NEVER))
    }
}

impl Controllers {
    /// A channel must be brought up to date now, if this is still so.
    #[inline]
    pub(crate) fn run_channel(&mut self, now: Tick, which: ChannelId, wheel: &mut Wheel<Event>) {
        let side = &mut self.channels[which.index()];
        let cycle = side.wake_at;
        if cycle == NEVER || self.clock.start_of(cycle) != now {
            return;
        }
        side.wake_at = NEVER;
        self.catch_up(cycle, which, wheel);
        self.see_to_channel(which, wheel);
    }

    /// Makes sure that a channel is woken in time for what it holds.
    #[inline(always)]
    pub(super) fn see_to_channel(&mut self, which: ChannelId, wheel: &mut Wheel<Event>) {
        let side = &self.channels[which.index()];
        let noticed = match self.lag {
            true => side.waiting.iter().filter_map(|&feeder| self.bursts_until_noticed(feeder)).min(),
            false => (!side.waiting.is_empty()).then_some(1),
        };
        self.wake_channel(which, side.due(noticed), wheel);
    }

    #[inline(always)]
    pub(super) fn wake_channel(&mut self, which: ChannelId, at: Cycle, wheel: &mut Wheel<Event>) {
        let side = &mut self.channels[which.index()];
        if at < side.wake_at {
            side.wake_at = at;
            wheel.schedule(self.clock.start_of(at), order::channel(which), Event::Channel(which));
        }
    }

    /// Lets a channel catch up to a cycle: jobs that have come by then enter, and all commands before it are issued.
    #[inline(always)]
    pub(super) fn catch_up(&mut self, cycle: Cycle, which: ChannelId, wheel: &mut Wheel<Event>) {
        if self.lag {
            return self.catch_up_with_jobs(cycle, which, wheel);
        }
        loop {
            let side = &mut self.channels[which.index()];
            match side.waiting.is_empty() {
                true => side.channel.catch_up(cycle, &mut self.completions),
                false => side.channel.take_forwarded(&mut self.completions),
            }
            if !self.completions.is_empty() {
                self.complete_all(which, wheel);
            }
            if self.channels[which.index()].channel.next_command() >= cycle {
                return;
            }
            self.issue(which, wheel);
        }
    }

    /// The same, where jobs have not entered as they came.
    fn catch_up_with_jobs(&mut self, cycle: Cycle, which: ChannelId, wheel: &mut Wheel<Event>) {
        self.channels[which.index()].reached = cycle;
        let (mut came, mut feeder) = self.next_job(which);
        loop {
            // Of jobs and commands of the same cycle, jobs go first.
            let command = self.channels[which.index()].channel.next_command();
            if came.0 <= cycle && came.0 <= command {
                self.send_jobs(came, feeder, wheel);
            } else if command >= cycle {
                return;
            } else if !self.issue(which, wheel) {
                continue;
            }
            (came, feeder) = self.next_job(which);
        }
    }

    /// Issues the next command of a channel, and lets caches that wait take the room that it makes. Says whether one may
    /// not wait any more.
    #[inline(always)]
    fn issue(&mut self, which: ChannelId, wheel: &mut Wheel<Event>) -> bool {
        let side = &mut self.channels[which.index()];
        let command = side.channel.next_command();
        let Some(done) = side.channel.issue() else { return false };
        let wanted = !side.waiting.is_empty();
        self.complete(which, &done, wheel);
        // A job that comes in the very cycle in which there is room takes its turn after those that were there before.
        wanted && self.let_in(command + 1, (command, ALL), which, NOBODY, wheel)
    }

    /// Requests of a channel are done, or will be.
    fn complete_all(&mut self, channel: ChannelId, wheel: &mut Wheel<Event>) {
        let mut completions = std::mem::take(&mut self.completions);
        for completion in &completions {
            self.complete(channel, completion, wheel);
        }
        completions.clear();
        self.completions = completions;
    }

    /// An atom is done, or will be.
    #[inline(always)]
    fn complete(&mut self, channel: ChannelId, completion: &Completion, wheel: &mut Wheel<Event>) {
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
        let feeder = &self.feeders[job.feeder.index()];
        let at = feeder.clock.edge(self.clock.start_of(Cycle(job.done_at)));
        self.expected.push((feeder.node, job.line));
        let side = &mut self.channels[channel.index()];
        side.fetches = side.fetches.wrapping_add(1);
        wheel.schedule(at, order::fill(feeder.node, channel, side.fetches), Event::Filled(number));
    }
}
