//! Values that the points of a sweep share, each made once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Values by key, made on first use; whoever asks for one that is being made waits for it.
///
/// The threads of a sweep ask, and nothing else does: a value is made of files and graphs, whose parallel work never
/// asks for another value, so nobody waits for itself.
#[derive(Debug)]
pub(super) struct Shared<K, V> {
    made: Mutex<Cells<K, V>>,
}

/// Values by key, each made or being made.
type Cells<K, V> = BTreeMap<K, Arc<OnceLock<V>>>;

impl<K, V> Default for Shared<K, V> {
    fn default() -> Shared<K, V> {
        Shared { made: Mutex::default() }
    }
}

impl<K: Ord + Clone, V, E: Clone> Shared<K, Result<Arc<V>, E>> {
    /// A value. One that could not be made is tried again when it is asked for again.
    pub(super) fn get_or_make(&self, key: K, make: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        let cell = Arc::clone(self.lock().entry(key.clone()).or_default());
        let made = cell.get_or_init(|| make().map(Arc::new)).clone();
        if made.is_err() {
            self.lock().remove(&key);
        }
        made
    }

    fn lock(&self) -> MutexGuard<'_, Cells<K, Result<Arc<V>, E>>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
