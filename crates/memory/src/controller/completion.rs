//! What channels have done: bursts that end jobs, and fetches that fill their caches.

use super::Controllers;
use super::job::{ATOMS, CompletedFetch, Job};
use crate::dram::Completion;
use crate::event::Event;
use crate::ids::ChannelId;
use crate::order;
use heddle_engine::{Cycle, Tick, Wheel};

impl Controllers {
    /// Bursts of a channel are done, or will be.
    pub(super) fn complete_all(&mut self, channel: ChannelId, wheel: &mut Wheel<Event>) {
        let mut completions = std::mem::take(&mut self.completions);
        for completion in &completions {
            self.complete(channel, completion, wheel);
        }
        completions.clear();
        self.completions = completions;
    }

    /// A burst is done, or will be, or several of one job.
    #[inline(always)]
    pub(super) fn complete(&mut self, channel: ChannelId, completion: &Completion, wheel: &mut Wheel<Event>) {
        if let Some(capture) = &mut self.capture {
            capture.done(completion);
        }
        let number = completion.id / ATOMS;
        let job = &mut self.jobs[number];
        job.done_at = job.done_at.max(completion.at.0);
        job.pending -= completion.bursts;
        if job.pending > 0 {
            return;
        }
        if job.write {
            // Nobody waits for a write.
            job.over = true;
            self.jobs.release(number);
            return;
        }
        let queue = &self.queues[job.queue.index()];
        let at = queue.clock.edge(self.clock.start_of(Cycle(job.done_at)));
        self.expected.push((queue.node, job.line));
        let side = &mut self.channels[channel.index()];
        side.fetches = side.fetches.wrapping_add(1);
        wheel.schedule(at, order::fill(queue.node, channel, side.fetches), Event::Filled(number));
    }

    /// Ends the job of a fetch all of whose data has come.
    #[inline(always)]
    pub(crate) fn take_fetched(&mut self, now: Tick, number: u32) -> CompletedFetch {
        let Job { line, sectors, queue, since, .. } = self.jobs[number];
        self.jobs[number].over = true;
        self.jobs.release(number);
        self.fetches += 1;
        self.fetch_ticks += now.0.saturating_sub(since);
        CompletedFetch { node: self.queues[queue.index()].node, line, sectors }
    }
}
