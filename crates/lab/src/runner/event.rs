//! What the runner tells while it works.

use std::path::Path;
use std::time::Duration;

/// Something that happened. Tasks are numbers of the list that is run.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The store has been looked through; the totals tell what there is.
    Scanned,
    /// Records of other builds were dropped, as asked for.
    Dropped {
        /// How many.
        records: usize,
    },
    /// A finished point of another build is run again, to see whether this build gives the same.
    Checking {
        /// The point.
        task: usize,
        /// The other build.
        build: &'a str,
    },
    /// A point begins.
    Started {
        /// The point.
        task: usize,
    },
    /// A point is finished and in the store.
    Finished {
        /// The point.
        task: usize,
        /// How long it took.
        wall: Duration,
    },
    /// A point failed, which is in the store.
    Failed {
        /// The point.
        task: usize,
        /// Why.
        error: &'a str,
        /// Whether it took longer than the limit.
        timed_out: bool,
    },
    /// Another runner finished a point meanwhile.
    Skipped {
        /// The point.
        task: usize,
    },
    /// Nothing is left but points that other runners have.
    Waiting {
        /// How many points.
        points: usize,
        /// Who has the first of them.
        runner: &'a str,
    },
    /// The runner that had a point is gone; this one runs it.
    TakenOver {
        /// The point.
        task: usize,
        /// Who had it.
        runner: &'a str,
    },
    /// A file that is not what was written was set aside; its point runs again.
    SetAside {
        /// The point.
        task: usize,
        /// Where the file is now.
        path: &'a Path,
        /// What is wrong with it.
        why: &'a str,
    },
    /// The heartbeat could not be written: other runners may take this one for gone, and run its points too.
    Unheard {
        /// Why.
        error: &'a str,
    },
}

/// Where the sweep is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Points in all.
    pub points: usize,
    /// Points that are finished, by whomever.
    pub finished: usize,
    /// Points that failed.
    pub failed: usize,
    /// Points that run here at this moment.
    pub running: usize,
    /// Points that ended here, finished or failed: what a rate is made of.
    pub ended_here: usize,
}

impl Totals {
    /// Points that are neither finished nor failed.
    pub fn left(&self) -> usize {
        self.points.saturating_sub(self.finished + self.failed)
    }
}

/// Hears what happens.
pub trait Listener {
    /// Something happened.
    fn hear(&mut self, event: &Event<'_>, totals: &Totals);
}

impl<F: FnMut(&Event<'_>, &Totals)> Listener for F {
    fn hear(&mut self, event: &Event<'_>, totals: &Totals) {
        self(event, totals);
    }
}
