//! Samples of a run: counts every so many core cycles of a launch, and at its end.
//!
//! A run has at most so many samples as memory holds. Where there would be more, every second one is left out, in all
//! launches so far, and the interval is twice as long from then on: neighbouring intervals become one. What is left is
//! what a run with the longer interval would have sampled.

use crate::launch::Launching;
use crate::record::{IntervalSample, LaunchTiming};
use heddle_engine::Statistics;

/// Most samples of a run, beside those at the ends of launches. Each holds every statistic, some ten kilobytes.
const MOST_SAMPLES: u64 = 1 << 13;

/// Samples of finished launches, without those at their ends.
pub(crate) fn sampled(launches: &[LaunchTiming]) -> u64 {
    launches.iter().map(|launch| launch.intervals.len().saturating_sub(1) as u64).sum()
}

/// Puts the last sample of a launch where the launch ends.
pub(crate) fn close(samples: &mut Vec<IntervalSample>, cycle: u64, counted: &Statistics) {
    samples.retain(|sample| sample.cycle < cycle);
    samples.push(IntervalSample { cycle, statistics: counted.clone() });
}

impl Launching<'_, '_> {
    /// Takes the samples that are due by a cycle.
    #[cold]
    pub(crate) fn sample(&mut self, now: u64) {
        let mut interval = self.gpu.settings.interval.unwrap_or(u64::MAX).max(1);
        while self.samples_at(now, interval) > MOST_SAMPLES {
            interval = interval.saturating_mul(2);
            self.widen(interval);
        }
        while self.next_sample <= now && self.next_sample != u64::MAX {
            let statistics = self.counted(self.next_sample, Some(self.start));
            let sample = IntervalSample { cycle: self.next_sample - self.start, statistics };
            self.intervals.push(sample);
            self.next_sample = self.next_sample.saturating_add(interval);
        }
    }

    /// All samples when those that are due by a cycle have been taken.
    fn samples_at(&self, now: u64, interval: u64) -> u64 {
        let due = now.checked_sub(self.next_sample).map_or(0, |late| late / interval + 1);
        due.saturating_add(self.sampled).saturating_add(self.intervals.len() as u64)
    }

    /// Leaves out what an interval twice as long would not have sampled.
    fn widen(&mut self, interval: u64) {
        self.gpu.settings.interval = Some(interval);
        self.intervals.retain(|sample| sample.cycle.is_multiple_of(interval));
        let since = self.next_sample - self.start;
        let next = since.checked_next_multiple_of(interval).and_then(|since| self.start.checked_add(since));
        self.next_sample = next.unwrap_or(u64::MAX);
        let mut record = self.gpu.record.borrow_mut();
        record.interval = Some(interval);
        for launch in &mut record.launches {
            let end = launch.cycles;
            launch.intervals.retain(|sample| sample.cycle.is_multiple_of(interval) || sample.cycle == end);
        }
        self.sampled = sampled(&record.launches);
    }
}
