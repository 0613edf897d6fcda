//! Records in the order in which they are asked for, read by several threads.

use super::{Found, Recent, Store, StoreError};
use crate::hash::Key;
use std::sync::mpsc::{self, Receiver};
use std::thread;

/// Records that a thread is ahead at most, so that memory stays flat.
const AHEAD: usize = 8;

impl Store {
    /// What there is of each point, in order; `recent` was written a moment ago, and is not read again. `prepare` is
    /// called by the threads that read, `visit` by the caller's.
    pub fn in_order<T: Send>(
        &self,
        keys: &[&Key],
        recent: &Recent,
        threads: usize,
        prepare: impl Fn(usize, Found) -> T + Sync,
        mut visit: impl FnMut(usize, T),
    ) -> Result<(), StoreError> {
        let threads = threads.clamp(1, keys.len().max(1));
        let prepare = &prepare;
        thread::scope(|scope| {
            let reader = |first: usize| {
                let (sender, receiver) = mpsc::sync_channel(AHEAD);
                scope.spawn(move || {
                    for index in (first..keys.len()).step_by(threads) {
                        let found = match recent.get(keys[index]) {
                            Some(record) => Ok(Found::Done(Box::new(record))),
                            None => self.find(keys[index]),
                        };
                        let found = found.map(|found| prepare(index, found));
                        // Who visits may have ended with an error; then nobody listens.
                        if sender.send(found).is_err() {
                            break;
                        }
                    }
                });
                receiver
            };
            let readers: Vec<Receiver<_>> = (0..threads).map(reader).collect();
            for index in 0..keys.len() {
                // A reader that panicked has no more; the scope tells.
                let Ok(found) = readers[index % threads].recv() else { break };
                visit(index, found?);
            }
            Ok(())
        })
    }
}
