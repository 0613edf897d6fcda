//! Channels of DRAM that run ahead.
//!
//! While jobs of all slices of a channel wait for room in its queue, and other jobs behind them, what comes meanwhile has
//! to queue up: nothing that is still unknown can change what the channel does next. So it goes on beyond the time that
//! the rest of the machine has reached, and issues in one go what would otherwise be a few commands now and a few then.
//! The host likes that: it is the code of the channels, time and again, that displaces all other code from its cache.
//!
//! - Every column command makes room for one burst, and takes at most one job from a slice. That a slice with n jobs,
//!   all of which have come by now, goes on to have one is known for n − 1 column commands.
//! - A channel does not run further ahead than data takes to come, nor beyond the last data that it has sent for: a
//!   launch does not end before that, so that its counts hold nothing that happens after its end.
//! - Until their time comes, jobs that have left are still in the way of others: see [`super::dram_queue`].

use super::Hierarchy;
use super::memory_side::ATOMS;
use crate::dram::{Completion, Transaction as Atom};
use heddle_engine::Cycle;

impl Hierarchy {
    /// Goes on with a channel that has come up to a cycle, as far as it is known what it will do.
    #[inline(never)]
    pub(super) fn run_ahead(&mut self, reached: Cycle, which: u16) {
        let limit = reached + self.channels[usize::from(which)].channel.reaction();
        loop {
            let known = self.bursts_to_come(which);
            if known == 0 {
                return;
            }
            for _ in 0..known {
                let Some((command, done)) = self.next_column(limit, which) else { return };
                self.complete(&done);
                self.replace_burst(command + 1, which);
            }
        }
    }

    /// For how many bursts it is known that each slice of a channel has one that waits for room, and another behind it.
    fn bursts_to_come(&self, which: u16) -> u32 {
        let slices = self.slices[usize::from(which)..].iter().step_by(self.channels.len());
        let jobs = slices.map(|slice| if slice.stuck { slice.to_dram.len() } else { 0 });
        let full = self.channels[usize::from(which)].channel.is_full();
        if full { jobs.min().unwrap_or(0).saturating_sub(1) } else { 0 }
    }

    /// Issues the commands of a channel up to its next column command, unless that comes too late.
    #[inline(always)]
    fn next_column(&mut self, limit: Cycle, which: u16) -> Option<(Cycle, Completion)> {
        loop {
            let side = &mut self.channels[usize::from(which)];
            let command = side.channel.next_command();
            if command >= limit.min(side.data_until) {
                return None;
            }
            if command >= side.keep_at {
                self.keep_for_samples(which, command);
            }
            let side = &mut self.channels[usize::from(which)];
            if let Some(done) = side.channel.issue() {
                if !done.write {
                    side.data_until = done.at;
                }
                return Some((command, done));
            }
        }
    }

    /// The slice whose turn it is sends one burst, for which a column command has made room.
    #[inline(always)]
    fn replace_burst(&mut self, cycle: Cycle, which: u16) {
        let Hierarchy { channels, slices, jobs, bursts, map, capture, .. } = self;
        let side = &mut channels[usize::from(which)];
        let Some(&slice) = side.waiting.first() else { return };
        let Some(number) = slices[usize::from(slice)].to_dram.front() else { return };
        let job = &mut jobs[number];
        let bursts = &bursts[usize::from(job.write)];
        let burst = job.to_send.trailing_zeros();
        let place = bursts.place(map, job.line.0, job.place, burst);
        let atom = Atom { id: number * ATOMS + burst, place, write: job.write };
        if let Some(capture) = capture {
            capture.sent(&atom, bursts.address(job.line.0, burst), side.channel.arrival(cycle));
        }
        side.channel.enter(cycle, atom);
        side.move_to_end(0);
        job.to_send &= job.to_send - 1;
        if job.to_send == 0 {
            self.job_left(cycle, slice);
        }
    }
}
