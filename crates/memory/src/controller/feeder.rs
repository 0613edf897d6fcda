//! Caches above memory, and their queues to it.
//!
//! A channel that lags behind catches up before a queue is found to be full, and while a cache waits for room, as soon as
//! it can have made some.

use super::Controllers;
use crate::event::Event;
use crate::ids::{ChannelId, FeederId, NodeId};
use crate::message::Queue;
use crate::order;
use heddle_engine::{Clock, Cycle, Tick, Wheel};

/// A cache above memory.
#[derive(Clone, Debug)]
pub(super) struct Feeder {
    pub(super) node: NodeId,
    /// The cache's clock.
    pub(super) clock: Clock,
    /// Jobs that wait for their channel, and whether the first of them waits for a channel to have room.
    pub(super) queue: Queue,
    pub(super) stuck: bool,
    /// How many may wait.
    pub(super) capacity: u32,
    /// Whether the cache's tags wait for room.
    pub(super) awaited: bool,
    /// Its only channel, where caches have one.
    pub(super) channel: ChannelId,
    /// The shape of its lines among [`Controllers::bursts`].
    pub(super) lines: usize,
    /// Flits of a packet, by its sectors.
    pub(super) sector_flits: [u16; 9],
}

impl Controllers {
    /// All bursts of a cache's first job have been sent: it leaves its queue in this cycle.
    pub(super) fn job_left(&mut self, cycle: Cycle, feeder: FeederId, wheel: &mut Wheel<Event>) {
        let side = &mut self.feeders[feeder.index()];
        let Some(number) = side.queue.pop(&mut self.jobs) else { return };
        self.queue_ticks += self.clock.ticks(cycle - self.jobs[number].from);
        if side.awaited && side.queue.len() < side.capacity {
            side.awaited = false;
            let edge = side.clock.edge(self.clock.start_of(cycle));
            wheel.schedule(edge, order::tags(side.node), Event::Tags(side.node));
        }
    }

    /// Whether the queue of a cache to memory is full now.
    #[inline(always)]
    pub(crate) fn is_full(&mut self, now: Tick, feeder: FeederId, wheel: &mut Wheel<Event>) -> bool {
        let side = &self.feeders[feeder.index()];
        if side.queue.len() < side.capacity {
            return false;
        }
        let cycle = self.clock.at_or_after(now);
        if let Some(channel) = self.channel_of_next(cycle, feeder) {
            self.catch_up(cycle, channel, wheel);
            self.see_to_channel(channel, wheel);
        }
        let side = &self.feeders[feeder.index()];
        side.queue.len() >= side.capacity
    }

    /// The tags of a cache wait for room in its queue: the channel must not lag behind any more.
    pub(crate) fn await_room(&mut self, feeder: FeederId, wheel: &mut Wheel<Event>) {
        let side = &mut self.feeders[feeder.index()];
        side.awaited = true;
        if self.lag {
            let channel = side.channel;
            self.see_to_channel(channel, wheel);
        }
    }

    /// How many bursts of a cache must have left its queue before its tags can take a request again, if they wait for
    /// that.
    #[inline(always)]
    pub(super) fn bursts_until_noticed(&self, feeder: FeederId) -> Option<u32> {
        let side = &self.feeders[feeder.index()];
        let first = side.queue.front().filter(|_| side.awaited)?;
        Some(self.jobs[first].to_send.count_ones())
    }
}
