//! What the controllers have counted by the time at which it is asked for, what they have captured, and what waits.
//!
//! Channels lag behind until something depends on them ([`super::catch_up`]). A sample lets a copy catch up, so that
//! it does not change what the channel itself does.

use super::Controllers;
use super::capture::Captured;
use crate::dram::DramCounters;
use crate::ids::ChannelId;
use heddle_engine::{CounterGroup, Cycle, Tick, Wheel};

/// What the controllers have counted.
pub(crate) struct Counts {
    pub(crate) dram: DramCounters,
    /// Ticks that jobs have waited in queues.
    pub(crate) queue_ticks: u64,
    pub(crate) fetches: u64,
    pub(crate) fetch_ticks: u64,
    pub(crate) data_flits: u64,
}

impl Controllers {
    /// The counts up to now.
    pub(crate) fn counts(&mut self, now: Tick) -> Counts {
        let cycle = self.clock.at_or_after(now);
        let jobs_wait = self.queues.iter().any(|queue| queue.jobs.len() > 0)
            || self.channels.iter().any(|side| !side.deferred.is_empty());
        let copy = jobs_wait.then(|| self.caught_up(cycle));
        let seen = copy.as_ref().unwrap_or(self);
        let counted = seen.channels.iter().map(|side| {
            let mut channel = side.channel.clone();
            channel.catch_up(cycle, &mut Vec::new());
            channel.settle(cycle);
            channel.counters
        });
        Counts {
            dram: DramCounters::sum(counted),
            queue_ticks: seen.queue_ticks,
            fetches: self.fetches,
            fetch_ticks: self.fetch_ticks,
            data_flits: self.data_flits,
        }
    }

    /// A copy in which all jobs that have come before this cycle have entered their channels, as far as there was room.
    fn caught_up(&mut self, cycle: Cycle) -> Controllers {
        // What is captured is long, and not asked for.
        let capture = self.capture.take();
        let mut copy = self.clone();
        self.capture = capture;
        // Nobody hears of what the copy does.
        let mut wheel = Wheel::new(1);
        for channel in 0..copy.channels.len() as u16 {
            copy.catch_up(cycle, ChannelId(channel), &mut wheel);
        }
        copy
    }

    /// Starts or ends the capture of DRAM transactions.
    pub(crate) fn capture(&mut self, on: bool) {
        self.capture = on.then(|| self.capture.take().unwrap_or_default());
    }

    /// The DRAM transactions captured so far, in the order of the cycles in which they came to their channels, up
    /// to the first that is not done. Each is given once.
    pub(crate) fn take_captured(&mut self, now: Tick) -> Vec<Captured> {
        let now = self.clock.during(now).0;
        // What has not entered a channel that lags behind may still do so in a cycle that is past.
        let now = self.jobs_enter_from().map_or(now, |cycle| cycle.min(now));
        self.capture.as_mut().map(|capture| capture.take(now)).unwrap_or_default()
    }

    /// All that has been captured and is done.
    pub(crate) fn take_all_captured(&mut self) -> Vec<Captured> {
        self.capture.as_mut().map(|capture| capture.take(u64::MAX)).unwrap_or_default()
    }

    /// The cycle from which on jobs may still enter a channel that lags behind, if there are any.
    fn jobs_enter_from(&self) -> Option<u64> {
        let queued = self.queues.iter().filter(|queue| self.lag && queue.jobs.len() > 0);
        queued.map(|queue| self.channels[queue.channel.index()].reached.0).min()
    }

    /// One line for every job: where it is and what it waits for. `name` names the caches above.
    pub(crate) fn describe_jobs(&self, name: impl Fn(crate::ids::NodeId) -> String, lines: &mut Vec<String>) {
        if self.jobs.taken() == 0 {
            return;
        }
        for number in 0..=self.highest_job {
            let job = &self.jobs[number];
            if job.over {
                continue;
            }
            let verb = if job.write { "write" } else { "fetch" };
            let (cache, line) = (name(self.queues[job.queue.index()].node), job.line.0);
            let place = match (job.to_send, job.pending) {
                (0, 0) => format!("its data is on the way to {cache}"),
                (0, pending) => {
                    let place = self.map.place(line);
                    format!(
                        "{pending} atoms in the queue of channel {}, bank {}",
                        place.channel, place.bank.0
                    )
                }
                (to_send, _) => format!(
                    "in the queue of {cache}, {} atoms for room in channel {}",
                    to_send.count_ones(),
                    self.map.channel(line)
                ),
            };
            lines.push(format!("{cache}, line {line:#x}: {verb}: {place}"));
        }
    }
}
