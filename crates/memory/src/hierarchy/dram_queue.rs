//! The queues of slices to DRAM: how full they are, and which tags wait for room.
//!
//! A channel that lags behind catches up before a queue is found to be full, and while tags wait for room, as soon as
//! it can have made some.

use super::Hierarchy;
use super::slice::Tags;
use heddle_engine::{Cycle, Tick};

impl Hierarchy {
    /// All bursts of a slice's first job have been sent: it leaves its queue in this cycle.
    pub(super) fn job_left(&mut self, cycle: Cycle, which: u16) {
        let slice = &mut self.slices[usize::from(which)];
        let Some(number) = slice.to_dram.pop(&mut self.jobs) else { return };
        let waited = self.clocks.dram.ticks(cycle - self.jobs[number].from);
        self.queueing.dram_queue_ticks += waited;
        if slice.tags == Tags::DramQueue && slice.to_dram.len() < self.l2_shape.dram_queue {
            self.wake_tags(self.clocks.dram.start_of(cycle), which, |tags| tags == Tags::DramQueue);
        }
    }

    /// Whether the queue of a slice to DRAM is full now.
    #[inline(always)]
    pub(super) fn dram_queue_is_full(&mut self, now: Tick, which: u16) -> bool {
        let most = self.l2_shape.dram_queue;
        if self.slices[usize::from(which)].to_dram.len() < most {
            return false;
        }
        let cycle = self.clocks.dram.at_or_after(now);
        if let Some(channel) = self.channel_of_next(cycle, which) {
            self.catch_up(cycle, channel);
            self.see_to_channel(channel);
        }
        self.slices[usize::from(which)].to_dram.len() >= most
    }

    /// The tags of a slice wait for room in its queue to DRAM: the channel must not lag behind any more.
    pub(super) fn tags_wait_for_dram(&mut self, which: u16) {
        let slice = &mut self.slices[usize::from(which)];
        slice.tags = Tags::DramQueue;
        if self.channels_lag {
            self.see_to_channel(self.slices[usize::from(which)].channel);
        }
    }

    /// How many bursts of a slice must have left its queue before its tags can take a request again, if they wait for
    /// that.
    #[inline(always)]
    pub(super) fn bursts_until_noticed(&self, slice: u16) -> Option<u32> {
        let side = &self.slices[usize::from(slice)];
        let first = side.to_dram.front().filter(|_| side.tags == Tags::DramQueue)?;
        Some(self.jobs[first].to_send.count_ones())
    }
}
