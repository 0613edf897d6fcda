//! Fetches that enter their channel when it catches up.
//!
//! Where caches have several channels or reads may be answered from waiting writes, jobs enter as they come
//! ([`super::catch_up`]). Most of them are fetches that surely find room and no write to be answered from, so that nothing
//! depends on their entry before their data can come. They leave the queue of their cache at once, and enter the channel
//! when it catches up for whatever reason, each in its own cycle: one batch for some twenty lines of a busy channel. A job
//! that cannot wait makes the channel catch up first, so that all enter in order.

use super::Controllers;
use super::job::ATOMS;
use crate::dram::Transaction as Atom;
use crate::ids::{CacheQueueId, ChannelId};

impl Controllers {
    /// Defers the entry of a job that has just come to its queue, if it may. Returns its channel then.
    #[inline(always)]
    pub(super) fn defer(&mut self, queue: CacheQueueId, number: u32) -> Option<ChannelId> {
        let Controllers { channels, queues, jobs, bursts, capture, defers, .. } = self;
        let queue = &mut queues[queue.index()];
        let job = &jobs[number];
        // What is captured is captured in the order in which it comes.
        let may_wait = *defers && !job.write && capture.is_none() && !queue.awaited && queue.jobs.len() == 1;
        if !may_wait || !bursts[queue.lines][0].are_columns() {
            return None;
        }
        let channel = ChannelId(job.place.channel as u16);
        let side = &mut channels[channel.index()];
        let expected = side.deferred_bursts + job.pending;
        if !side.waiting.is_empty() || !side.channel.surely_takes(&job.place, expected) {
            return None;
        }
        side.deferred.push(number);
        side.deferred_bursts = expected;
        queue.jobs.pop(jobs);
        Some(channel)
    }

    /// Lets the jobs enter whose entry was deferred. What the channel does meanwhile is left in `completions`.
    #[inline(never)]
    pub(super) fn enter_deferred(&mut self, channel: ChannelId) {
        let Controllers { channels, queues, jobs, bursts, map, completions, .. } = self;
        let side = &mut channels[channel.index()];
        for number in side.deferred.drain(..) {
            let job = &mut jobs[number];
            let bursts = &bursts[queues[job.queue.index()].lines][0];
            side.channel.catch_up(job.from, completions);
            while job.to_send != 0 {
                let burst = job.to_send.trailing_zeros();
                let place = bursts.place(map, job.line.0, job.place, burst);
                let consecutive = (job.to_send >> burst).trailing_ones();
                let run = consecutive.min(side.channel.room_for_run(&place, false));
                side.channel.enter_run(
                    job.from,
                    Atom { id: number * ATOMS + burst, place, write: false },
                    run,
                );
                job.to_send &= u32::MAX.checked_shl(burst + run).unwrap_or(0);
            }
        }
        side.deferred_bursts = 0;
    }
}
