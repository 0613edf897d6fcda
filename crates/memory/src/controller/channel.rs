//! The state of one channel's controller: how far its channel has come, and who waits for it.

use crate::dram::Channel;
use crate::ids::CacheQueueId;
use heddle_engine::Cycle;

/// A channel, and the queues that wait for it.
#[derive(Clone, Debug)]
pub(super) struct ChannelController {
    pub(super) channel: Channel,
    /// The cycle of the event that counts; others are out of date.
    pub(super) wake_at: Cycle,
    /// Commands before this cycle have been issued.
    pub(super) reached: Cycle,
    /// Queues whose first job found no room, in order.
    pub(super) waiting: Vec<CacheQueueId>,
    /// Jobs that enter when the channel catches up, in order, and their bursts: see [`super::deferred`].
    pub(super) deferred: Vec<u32>,
    pub(super) deferred_bursts: u32,
    /// Queues of caches that have no other channel, where caches have one.
    pub(super) queues: Vec<CacheQueueId>,
    /// Fetches that it has completed.
    pub(super) fetches: u32,
}

/// Of a channel that has nothing to do.
pub(super) const NEVER: Cycle = Cycle(u64::MAX);

impl ChannelController {
    pub(super) fn new(channel: Channel, queues: Vec<CacheQueueId>) -> ChannelController {
        ChannelController {
            channel,
            wake_at: NEVER,
            reached: Cycle(0),
            waiting: Vec::new(),
            deferred: Vec::new(),
            deferred_bursts: 0,
            queues,
            fetches: 0,
        }
    }

    /// A queue in the list goes to its end.
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
    pub(super) fn due(&self, noticed: Option<u32>) -> Cycle {
        let data = self.channel.notable().unwrap_or(NEVER);
        let room = noticed.and_then(|bursts| self.channel.room_at_the_earliest(bursts));
        data.min(room.unwrap_or(NEVER))
    }
}
