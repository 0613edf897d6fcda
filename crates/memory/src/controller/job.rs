//! A fetch or a write of a cache, on its way to memory.

use crate::dram::Place;
use crate::ids::{CacheQueueId, NodeId};
use crate::message::Linked;
use crate::request::{LineAddress, Sectors};
use heddle_engine::Cycle;

/// Atoms of a line at most; a DRAM transaction is named by its job and its atom.
pub(crate) const ATOMS: u32 = 32;

/// What a cache asks of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobKind {
    /// Sectors of a line, which it is filled with.
    Fetch,
    /// That sectors of a line be written.
    Write,
}

/// A fetch or a write of a cache: one DRAM transaction for each atom that it touches, or for each sector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    /// The line.
    pub(super) line: LineAddress,
    /// Where its first atom lies.
    pub(super) place: Place,
    pub(super) sectors: Sectors,
    pub(super) queue: CacheQueueId,
    pub(super) write: bool,
    /// Atoms that have not been sent yet.
    pub(super) to_send: u32,
    /// Atoms that are not done yet.
    pub(super) pending: u32,
    /// Whether its number is free.
    pub(super) over: bool,
    /// When the last that is done is done.
    pub(super) done_at: u64,
    pub(super) next: u32,
    /// When it came to its queue, and the first cycle of DRAM in which it can leave it.
    pub(super) since: u64,
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
pub(crate) struct CompletedFetch {
    pub(crate) node: NodeId,
    pub(crate) line: LineAddress,
    pub(crate) sectors: Sectors,
}
