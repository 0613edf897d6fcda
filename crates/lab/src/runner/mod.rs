//! Runs the points of a sweep: a pool of threads over a store that other runners may share.
//!
//! ```text
//! tasks ─ scan the store ─ check other builds ─┬─ claim a lease ─ execute ─ keep the record ─ give the lease back
//!                                              └─ held by another: wait for its record, or until it is gone
//! ```
//!
//! One thread, the caller's, decides and tells the listener; each point has a thread of its own, whose panic is that
//! point's failure. Records are written and forgotten but for as many as tables begin with, so that memory does not grow
//! with the sweep.

mod check;
mod drain;
mod event;
mod pool;
mod scan;
mod task;
mod worker;

pub use check::{BuildDifference, Difference, differences};
pub use event::{Event, Listener, Totals};
pub use task::{Cost, Ended, Execute, Executed, Host, Options, Stop, Task};

use crate::store::{History, HostLog, Leases, Recent, Store, StoreError};
use pool::Pool;
use scan::Scan;

/// What came of a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Points that have a record now, whoever ran them.
    pub finished: usize,
    /// Points that this runner finished.
    pub ran: usize,
    /// Points that failed, now or earlier: their tasks.
    pub failed: Vec<usize>,
    /// Points of which nothing is known, because the sweep was interrupted: their tasks.
    pub missing: Vec<usize>,
    /// Points of other builds that were run again, with equal figures.
    pub checked: usize,
    /// Whether an interrupt ended it.
    pub interrupted: bool,
    /// Records that this runner wrote, as many as there is room for.
    pub recent: Recent,
}

/// Why a sweep did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store has points of a build that gives other figures.
    #[error(transparent)]
    Build(#[from] Box<BuildDifference>),
}

impl RunError {
    /// What the user can do about it.
    pub fn help(&self) -> String {
        match self {
            RunError::Store(error) => error.help.clone(),
            RunError::Build(difference) => difference.help(),
        }
    }
}

/// Runs every task of which the store has no record. Tasks with the same key are one point, called as the first of them.
///
/// All that is finished is in the store when this ends, whichever way it ends.
pub fn run(
    store: &Store,
    tasks: &[Task],
    execute: &Execute<'_>,
    options: &Options,
    host: &Host<'_>,
    listener: &mut dyn Listener,
) -> Result<Summary, RunError> {
    let history = History::of(store)?;
    let mut leases = Leases::join(store, &options.name, options.timing, (host.clock)())?;
    let host_log = HostLog::new(store, leases.member().number());
    let scan = Scan { store, tasks, options };
    let mut pool = Pool::new(scan, execute, host, listener, leases, history, &host_log);
    let result = pool.sweep();
    let left = pool.leave();
    let summary = result?;
    left?;
    Ok(summary)
}

/// Which of these points have no record, by their place in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// Nothing is known of them.
    pub missing: Vec<usize>,
    /// They failed; why.
    pub failed: Vec<(usize, String)>,
}

/// Finds out which points have no record.
pub fn gaps(store: &Store, tasks: &[Task]) -> Result<Gaps, StoreError> {
    use crate::record::Outcome;
    use crate::store::Found;
    let mut gaps = Gaps::default();
    for (index, task) in tasks.iter().enumerate() {
        match store.find(&task.key)? {
            Found::Done(_) => {}
            Found::Failed(record) => {
                let error = match record.outcome {
                    Outcome::Failed { error, .. } => error,
                    Outcome::Done { .. } => String::new(),
                };
                gaps.failed.push((index, error));
            }
            Found::Corrupt { .. } | Found::Missing => gaps.missing.push(index),
        }
    }
    Ok(gaps)
}
