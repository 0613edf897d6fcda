//! Requests under way, and what they took when they have been answered.

use super::FabricReplay;
use crate::dram::Latencies;
use crate::fabric::FabricSpec;
use crate::ids::CoreId;
use crate::request::{Access, Answerer};
use std::cmp::Reverse;

/// Latencies in cycles of the requesters' clock.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Of all reads.
    pub reads: Latencies,
    /// Of reads, by the number of who answered ([`FabricSpec::answerers`] has the names).
    pub reads_by_answerer: Vec<Latencies>,
    /// Of writes, until they are acknowledged.
    pub writes: Latencies,
    /// Of atomics.
    pub atomics: Latencies,
}

impl Answered {
    pub(super) fn new(spec: &FabricSpec) -> Answered {
        Answered {
            reads: Latencies::default(),
            reads_by_answerer: vec![Latencies::default(); spec.answerers().len()],
            writes: Latencies::default(),
            atomics: Latencies::default(),
        }
    }

    /// How many requests.
    pub fn count(&self) -> u64 {
        self.reads.count() + self.writes.count() + self.atomics.count()
    }

    fn add(&mut self, access: Access, answerer: Answerer, cycles: u64) {
        match access {
            Access::Read | Access::Prefetch => {
                self.reads.add(cycles);
                self.reads_by_answerer[answerer.index()].add(cycles);
            }
            Access::Write => self.writes.add(cycles),
            Access::Atomic => self.atomics.add(cycles),
        }
    }
}

/// A request that has been offered, at least in part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) requester: CoreId,
    pub(super) access: Access,
    /// When it came.
    pub(super) came: u64,
    /// Pieces that have not been answered; those that have not been offered are among them.
    pub(super) pieces: u32,
    /// When the latest answer was there, and the farthest from the requester who gave one.
    pub(super) done: u64,
    pub(super) answerer: Answerer,
}

impl FabricReplay {
    /// A piece of a request is answered, its data being there in this cycle.
    pub(super) fn answer(&mut self, number: u32, answerer: Answerer, at: u64) {
        let pending = &mut self.pending[number];
        pending.done = pending.done.max(at);
        pending.answerer = pending.answerer.farther(answerer);
        pending.pieces -= 1;
        if pending.pieces == 0 {
            let Pending { requester, access, came, done, answerer, .. } = *pending;
            self.pending.release(number);
            self.answered.add(access, answerer, done - came);
            self.last = self.last.max(done);
            self.ends.push(Reverse((done, requester)));
        }
    }
}
