//! What the channels of DRAM have done by the time at which counts are asked for.
//!
//! Channels lag behind until something depends on them ([`super::channel_side`]). A sample lets a copy catch up, so that
//! it does not change what the channel itself does.

use super::Hierarchy;
use crate::dram::DramCounters;
use heddle_engine::{CounterGroup, Cycle, Statistics, Tick};

impl Hierarchy {
    /// Adds the counts of the channels. Returns how long jobs that have left the queues of slices by now have waited
    /// there, in ticks.
    pub(super) fn add_channels(&mut self, now: Tick, statistics: &mut Statistics) -> u64 {
        let cycle = self.clocks.dram.at_or_after(now);
        let copy = self.jobs_wait_for_channels().then(|| self.caught_up(cycle));
        let seen = copy.as_ref().unwrap_or(self);
        let counted = seen.channels.iter().map(|side| {
            let mut channel = side.channel.clone();
            channel.catch_up(cycle, &mut Vec::new());
            channel.settle(cycle);
            channel.counters
        });
        statistics.add_group("dram", &DramCounters::sum(counted));
        seen.queueing.dram_queue_ticks
    }

    /// Whether jobs may enter a channel when it catches up.
    fn jobs_wait_for_channels(&self) -> bool {
        self.slices.iter().any(|slice| slice.to_dram.len() > 0)
    }

    /// A copy in which all jobs that have come before this cycle have entered their channels, as far as there was room.
    fn caught_up(&mut self, cycle: Cycle) -> Hierarchy {
        // What is captured is long, and not asked for.
        let capture = self.capture.take();
        let mut copy = self.clone();
        self.capture = capture;
        for which in 0..copy.channels.len() as u16 {
            copy.catch_up(cycle, which);
        }
        copy
    }
}
