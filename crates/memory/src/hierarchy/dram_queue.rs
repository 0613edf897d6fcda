//! The queues of slices to DRAM: how full they are, and who waits for room.
//!
//! A channel that runs ahead takes jobs out of these queues before their time. Until then they are in the way of others:
//! a slice keeps the cycles in which jobs will have left, and its tags, where they wait for room, wait for the first.
//! How long jobs have waited is counted when they are taken out; samples leave out those that are still to leave.

use super::Hierarchy;
use super::slice::{Slice, Tags};
use heddle_engine::{Cycle, Tick};

/// A job that was taken out of its queue ahead of time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Departure {
    /// When it will have left.
    at: Cycle,
    /// How long it will have waited, in ticks.
    waited: u64,
}

impl Slice {
    /// Jobs in the queue to DRAM, with those that have been taken out ahead of time.
    #[inline(always)]
    fn jobs_in_queue(&self) -> u32 {
        self.to_dram.len() + self.departures.len() as u32
    }

    /// Jobs that have left by this cycle are not in the way any more.
    #[inline(always)]
    fn see_off(&mut self, cycle: Cycle) {
        while self.departures.front().is_some_and(|job| job.at <= cycle) {
            self.departures.pop_front();
        }
    }
}

impl Hierarchy {
    /// All bursts of a slice's first job have been sent: it leaves its queue in this cycle.
    pub(super) fn job_left(&mut self, cycle: Cycle, which: u16) {
        let slice = &mut self.slices[usize::from(which)];
        let Some(number) = slice.to_dram.pop(&mut self.jobs) else { return };
        let waited = self.clocks.dram.ticks(cycle - self.jobs[number].from);
        self.queueing.dram_queue_ticks += waited;
        if self.channels_lag && cycle > self.channels[usize::from(slice.channel)].reached {
            slice.departures.push_back(Departure { at: cycle, waited });
        }
        // Where it is known when others leave before, the tags do not wait for this one.
        if slice.tags == Tags::DramQueue && slice.to_dram.len() < self.l2_shape.dram_queue {
            self.wake_tags(self.clocks.dram.start_of(cycle), which, |tags| tags == Tags::DramQueue);
        }
    }

    /// Whether the queue of a slice to DRAM is full now.
    #[inline(always)]
    pub(super) fn dram_queue_is_full(&mut self, now: Tick, which: u16) -> bool {
        let most = self.l2_shape.dram_queue;
        if self.slices[usize::from(which)].jobs_in_queue() < most {
            return false;
        }
        let cycle = self.clocks.dram.at_or_after(now);
        let slice = &mut self.slices[usize::from(which)];
        slice.see_off(cycle);
        if self.channels_lag && slice.departures.is_empty() {
            let channel = slice.channel;
            self.catch_up(cycle, channel);
        }
        self.slices[usize::from(which)].jobs_in_queue() >= most
    }

    /// The tags of a slice wait for room in its queue to DRAM. Where it is not known when there will be some, the channel
    /// must not lag behind any more.
    pub(super) fn tags_wait_for_dram(&mut self, which: u16) {
        let slice = &mut self.slices[usize::from(which)];
        slice.tags = Tags::DramQueue;
        if let Some(&Departure { at, .. }) = slice.departures.front() {
            self.wake_tags(self.clocks.dram.start_of(at), which, |_| true);
        } else if self.channels_lag {
            self.see_to_channel(self.slices[usize::from(which)].channel);
        }
    }

    /// How long all jobs have waited that have left by this cycle, in ticks.
    pub(super) fn waited_by(&self, cycle: Cycle) -> u64 {
        let departures = self.slices.iter().flat_map(|slice| &slice.departures);
        let early: u64 = departures.filter(|job| job.at > cycle).map(|job| job.waited).sum();
        self.queueing.dram_queue_ticks - early
    }

    /// How many bursts of a slice must have left its queue before its tags can go on, if they wait for that.
    #[inline(always)]
    pub(super) fn bursts_until_noticed(&self, slice: u16) -> Option<u32> {
        let side = &self.slices[usize::from(slice)];
        let first = side.to_dram.front().filter(|_| side.tags == Tags::DramQueue)?;
        Some(self.jobs[first].to_send.count_ones())
    }
}
