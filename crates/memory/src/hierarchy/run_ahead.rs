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
use crate::dram::Completion;
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
                // The slice whose turn it is takes the room that the command has made.
                let Some(&slice) = self.channels[usize::from(which)].waiting.first() else { return };
                self.send_burst(command + 1, which, slice);
                self.channels[usize::from(which)].move_to_end(0);
            }
        }
    }

    /// For how many bursts it is known that each slice of a channel has one that waits for room, and another behind it.
    fn bursts_to_come(&self, which: u16) -> u32 {
        let slices = self.slices[usize::from(which)..].iter().step_by(self.channels.len());
        let jobs = slices.map(|slice| if slice.stuck { slice.to_dram.len() } else { 0 });
        // Only channels with one queue for all requests say that they are full: there a command makes room for anybody.
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
            if let Some(done) = self.channels[usize::from(which)].issue() {
                return Some((command, done));
            }
        }
    }
}
