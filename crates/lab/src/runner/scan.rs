//! What a store has of the tasks, before anything runs.

use super::task::{Options, Task};
use crate::hash::Key;
use crate::store::{Found, Store, StoreError};
use std::collections::{BTreeSet, VecDeque};

/// What is looked through.
#[derive(Clone, Copy)]
pub(super) struct Scan<'a> {
    pub(super) store: &'a Store,
    pub(super) tasks: &'a [Task],
    pub(super) options: &'a Options,
}

/// What there is.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    /// Finished tasks, with the builds that made their records.
    pub(super) finished: Vec<(usize, Key, String)>,
    /// Tasks that failed earlier, and are not to be run again.
    pub(super) failed: Vec<usize>,
    /// Tasks to be run, in order.
    pub(super) open: VecDeque<usize>,
}

impl Scan<'_> {
    /// This build.
    pub(super) fn build(&self) -> &str {
        self.tasks.first().map_or("", |task| &task.made.build)
    }

    /// Looks every point up once, however many tasks it has. Every file is verified.
    pub(super) fn scan(&self) -> Result<Scanned, StoreError> {
        let (mut scanned, mut keys) = (Scanned::default(), BTreeSet::new());
        for (index, task) in self.tasks.iter().enumerate().filter(|(_, task)| keys.insert(&task.key)) {
            match self.store.find(&task.key)? {
                Found::Done(record) => scanned.finished.push((index, record.key, record.made.build)),
                Found::Failed(_) if self.options.retry_failed => {
                    self.store.forget_failure(&task.key)?;
                    scanned.open.push_back(index);
                }
                Found::Failed(_) => scanned.failed.push(index),
                // What is corrupt is set aside by who has the lease.
                Found::Corrupt { .. } | Found::Missing => scanned.open.push_back(index),
            }
        }
        Ok(scanned)
    }
}
