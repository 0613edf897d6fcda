//! What the channels of DRAM have done by the time at which counts are asked for.
//!
//! Channels lag behind until somebody needs them, or run ahead ([`super::channel_side`]). To hurry one or to hold it back
//! would change the order of events, and with it the run. So what one that lags will have done is asked of a copy, and
//! one that runs ahead keeps what it was like at the samples that it passes.

use super::Hierarchy;
use super::channel_side::{ChannelSide, NEVER};
use crate::dram::Channel;
use heddle_engine::{Cycle, Statistics, Tick};

impl ChannelSide {
    /// The channel as it was when it came to this cycle, if it was kept, or as it is.
    fn as_of(&self, cycle: Cycle) -> &Channel {
        let kept = self.kept.iter().find(|(sample, _)| *sample == cycle);
        kept.map_or(&self.channel, |(_, channel)| channel)
    }
}

impl Hierarchy {
    /// Counts will be asked for at this time, and so many ticks after that again and again; or at no time that is known.
    pub fn expect_samples(&mut self, samples: Option<(Tick, u64)>) {
        self.samples = samples;
        let first = samples.map_or(NEVER, |(next, _)| self.clocks.dram.at_or_after(next));
        for which in 0..self.channels.len() {
            self.channels[which].kept.retain(|(sample, _)| *sample >= first);
            let kept = self.channels[which].kept.last().map(|(sample, _)| *sample);
            self.channels[which].keep_at = self.next_sample_after(kept);
        }
    }

    /// The cycle of the first sample after this one, or of the first of all.
    fn next_sample_after(&self, kept: Option<Cycle>) -> Cycle {
        let Some((first, every)) = self.samples else { return NEVER };
        let cycle = |tick: u64| self.clocks.dram.at_or_after(Tick(tick));
        let Some(kept) = kept else { return cycle(first.0) };
        let mut tick = first.0;
        while cycle(tick) <= kept {
            match tick.checked_add(every.max(1)) {
                Some(next) => tick = next,
                None => return NEVER,
            }
        }
        cycle(tick)
    }

    /// A channel is about to issue a command at this cycle, ahead of time: keeps it for the samples that this passes.
    #[cold]
    pub(super) fn keep_for_samples(&mut self, which: u16, command: Cycle) {
        let which = usize::from(which);
        while command >= self.channels[which].keep_at {
            let side = &mut self.channels[which];
            let sample = side.keep_at;
            side.kept.push((sample, side.channel.clone()));
            self.channels[which].keep_at = self.next_sample_after(Some(sample));
        }
    }

    /// Adds the counts of the channels. Returns how long jobs that have left the queues of slices by now have waited
    /// there, in ticks.
    pub(super) fn add_channels(&mut self, now: Tick, statistics: &mut Statistics) -> u64 {
        let cycle = self.clocks.dram.at_or_after(now);
        let copy = self.jobs_wait_for_channels().then(|| self.caught_up(now, cycle));
        let seen = copy.as_ref().unwrap_or(self);
        for side in &seen.channels {
            let mut channel = side.as_of(cycle).clone();
            channel.catch_up(cycle, &mut Vec::new());
            channel.settle(cycle);
            statistics.add_group("dram", &channel.counters);
        }
        seen.waited_by(cycle)
    }

    /// Whether jobs may not have entered a channel that lags behind, although they have come.
    fn jobs_wait_for_channels(&self) -> bool {
        self.channels_lag && self.slices.iter().any(|slice| slice.to_dram.len() > 0)
    }

    /// A copy in which all jobs that have come before this cycle have entered their channels, as far as there was room.
    fn caught_up(&mut self, now: Tick, cycle: Cycle) -> Hierarchy {
        // What is captured is long, and not asked for.
        let capture = self.capture.take();
        let mut copy = self.clone();
        self.capture = capture;
        if copy.samples.is_none_or(|(next, _)| next != now) {
            copy.expect_samples(Some((now, u64::MAX)));
        }
        for which in 0..copy.channels.len() as u16 {
            copy.catch_up(cycle, which);
        }
        copy
    }
}
