//! A fetch or a write of a cache, on its way to memory.

use super::Controllers;
use crate::dram::Place;
use crate::ids::{FeederId, NodeId};
use crate::message::{Linked, NONE};
use crate::request::{LineAddress, Sectors};
use heddle_engine::{Cycle, Tick};

/// Atoms of a line at most; a DRAM transaction is named by its job and its atom.
pub(crate) const ATOMS: u32 = 32;

/// A fetch or a write of a cache: one DRAM transaction for each atom that it touches, or for each sector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    /// The line.
    pub(super) line: LineAddress,
    /// Where its first atom lies.
    pub(super) place: Place,
    sectors: Sectors,
    pub(super) feeder: FeederId,
    pub(super) write: bool,
    /// Atoms that have not been sent yet.
    pub(super) to_send: u32,
    /// Atoms that are not done yet.
    pub(super) pending: u32,
    /// Whether its number is free.
    pub(super) over: bool,
    /// When the last that is done is done.
    pub(super) done_at: u64,
    next: u32,
    /// When it came to its queue, and the first cycle of DRAM in which it can leave it.
    since: u64,
    pub(super) from: Cycle,
    /// Its number among all jobs.
    pub(super) sequence: u64,
}

impl Linked for Job {
    #[inline(always)]
    fn next(&mut self) -> &mut u32 {
        &mut self.next
    }
}

/// A fetch whose data has come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fetched {
    pub(crate) node: NodeId,
    pub(crate) line: LineAddress,
    pub(crate) sectors: Sectors,
}

impl Controllers {
    /// Makes a job of a fetch or a write and puts it into its queue. Returns its number.
    #[inline]
    pub(super) fn queue_job(
        &mut self,
        now: Tick,
        feeder: FeederId,
        line: LineAddress,
        sectors: Sectors,
        write: bool,
    ) -> u32 {
        let side = &mut self.feeders[feeder.index()];
        self.data_flits += u64::from(side.sector_flits[sectors.count() as usize]);
        let atoms = self.bursts[side.lines][usize::from(write)].of(sectors.0);
        let number = self.jobs.insert(Job {
            line,
            place: self.map.place(line.0),
            sectors,
            feeder,
            write,
            to_send: atoms,
            pending: atoms.count_ones(),
            over: false,
            done_at: 0,
            next: NONE,
            since: now.0,
            from: self.clock.at_or_after(now),
            sequence: self.jobs_started,
        });
        self.jobs_started += 1;
        self.highest_job = self.highest_job.max(number);
        side.queue.push(number, &mut self.jobs);
        number
    }

    /// Ends the job of a fetch all of whose data has come.
    #[inline(always)]
    pub(crate) fn take_fetched(&mut self, now: Tick, number: u32) -> Fetched {
        let Job { line, sectors, feeder, since, .. } = self.jobs[number];
        self.jobs[number].over = true;
        self.jobs.release(number);
        self.fetches += 1;
        self.fetch_ticks += now.0.saturating_sub(since);
        Fetched { node: self.feeders[feeder.index()].node, line, sectors }
    }
}
