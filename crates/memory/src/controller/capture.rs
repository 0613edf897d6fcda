//! The stream of DRAM transactions of a run, to be replayed.

use crate::dram::{Completion, Transaction};
use heddle_engine::Cycle;

/// One DRAM transaction of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captured {
    /// Byte address.
    pub address: u64,
    /// Its channel.
    pub channel: u32,
    /// Whether it writes.
    pub write: bool,
    /// DRAM clock at which it came to its channel.
    pub cycle: u64,
    /// DRAM clocks until it was done.
    pub latency: u64,
}

/// Stands for a latency that is not known yet.
const PENDING: u64 = u64::MAX;

/// What has been captured so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Capture {
    /// In the order of arrival at the channels.
    stream: Vec<Captured>,
    /// How many have been taken away before the first of `stream`.
    taken: usize,
    /// By the name of a transaction under way: its number in the whole stream.
    numbers: Vec<usize>,
}

impl Capture {
    /// A burst is sent to its channel.
    #[cold]
    pub(super) fn sent(&mut self, atom: &Transaction, address: u64, arrival: Cycle) {
        let (id, write, cycle) = (atom.id as usize, atom.write, arrival.0);
        if self.numbers.len() <= id {
            self.numbers.resize(id + 1, usize::MAX);
        }
        self.numbers[id] = self.taken + self.stream.len();
        let channel = atom.place.channel;
        self.stream.push(Captured { address, channel, write, cycle, latency: PENDING });
    }

    pub(super) fn done(&mut self, completion: &Completion) {
        let number = self.numbers.get(completion.id as usize).copied().unwrap_or(usize::MAX);
        // One that was sent before the capture began has no number, or an old one.
        let place = number.wrapping_sub(self.taken);
        if let Some(captured) = self.stream.get_mut(place)
            && captured.latency == PENDING
        {
            captured.latency = completion.at.0 - captured.cycle;
        }
    }

    /// Those that are done, in the order of their cycles, of one cycle by channel, up to the cycle of the first that is not, and to that of
    /// the next that can come.
    ///
    /// A channel may lag behind others, so that what comes to it is noted later than what comes to them in later
    /// cycles; or it may have written what was left of a launch before the next one began. A replay needs the order of cycles.
    pub(super) fn take(&mut self, now: u64) -> Vec<Captured> {
        let done = |captured: &Captured| captured.latency != PENDING;
        let count = self.stream.iter().position(|captured| !done(captured)).unwrap_or(self.stream.len());
        let (ended, rest) = self.stream.split_at_mut(count);
        let bound = rest.iter().map(|captured| captured.cycle).fold(now, u64::min);
        ended.sort_by_key(|captured| (captured.cycle, captured.channel));
        let count = ended.partition_point(|captured| captured.cycle < bound);
        self.taken += count;
        self.stream.drain(..count).collect()
    }
}
