//! Values that points share and that take memory: made on first use, kept while there is room.

use crate::error::LabError;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Something that takes memory.
pub(super) trait TakesMemory {
    /// How much, about.
    fn bytes(&self) -> u64;
}

type Slot<V> = Arc<OnceLock<Result<Arc<V>, LabError>>>;

/// Values by what was asked for.
///
/// The threads of a sweep ask, and never from inside the parallel work that makes a value, so nobody waits for itself.
#[derive(Debug)]
pub(super) struct Kept<K, V> {
    held: Mutex<Held<K, V>>,
    bytes_max: u64,
}

#[derive(Debug)]
struct Held<K, V> {
    slots: BTreeMap<K, (u64, Slot<V>)>,
    /// Counts requests: the least recently used value is the first that goes.
    clock: u64,
}

impl<K: Ord + Clone, V: TakesMemory> Kept<K, V> {
    pub(super) fn new(bytes_max: u64) -> Kept<K, V> {
        Kept { held: Mutex::new(Held { slots: BTreeMap::new(), clock: 0 }), bytes_max }
    }

    /// A value that is there.
    pub(super) fn get(&self, key: &K) -> Option<Arc<V>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.clock += 1;
        let now = held.clock;
        let (used, slot) = held.slots.get_mut(key)?;
        let made = slot.get()?.as_ref().ok().cloned()?;
        *used = now;
        Some(made)
    }

    /// Drops a value; whoever uses it keeps it meanwhile.
    pub(super) fn forget(&self, key: &K) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).slots.remove(key);
    }

    /// A value, made now if it is not there. One that could not be made is tried again when it is asked for again.
    pub(super) fn get_or_make(
        &self,
        key: K,
        make: impl FnOnce() -> Result<V, LabError>,
    ) -> Result<Arc<V>, LabError> {
        let slot = {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            held.clock += 1;
            let now = held.clock;
            let (used, slot) = held.slots.entry(key.clone()).or_default();
            *used = now;
            Arc::clone(slot)
        };
        let made = slot.get_or_init(|| make().map(Arc::new)).clone();
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if made.is_err() {
            held.slots.remove(&key);
        }
        held.trim(self.bytes_max);
        made
    }
}

impl<K: Ord + Clone, V: TakesMemory> Held<K, V> {
    /// Drops values that no point uses, the least recently used first, until the others fit.
    fn trim(&mut self, bytes_max: u64) {
        let value = |slot: &Slot<V>| slot.get().and_then(|made| made.as_ref().ok().cloned());
        let mut total: u64 = self.slots.values().filter_map(|(_, slot)| Some(value(slot)?.bytes())).sum();
        while total > bytes_max {
            // One count is the slot's own, one is that of `value`.
            let idle = self.slots.iter().filter_map(|(key, (used, slot))| {
                let value = value(slot).filter(|value| Arc::strong_count(value) <= 2)?;
                Some((*used, key.clone(), value.bytes()))
            });
            let Some((_, key, bytes)) = idle.min() else { return };
            self.slots.remove(&key);
            total -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl TakesMemory for u64 {
        fn bytes(&self) -> u64 {
            *self
        }
    }

    #[test]
    fn what_is_not_used_goes_when_there_is_no_room_the_least_recently_used_first() {
        let kept: Kept<&str, u64> = Kept::new(100);
        let used = kept.get_or_make("used", || Ok(60)).unwrap();
        kept.get_or_make("first", || Ok(30)).unwrap();
        kept.get_or_make("second", || Ok(40)).unwrap();
        let again = |key| *kept.get_or_make(key, || Ok(1)).unwrap();
        assert_eq!(again("used"), 60, "it is in use");
        assert_eq!(again("second"), 40, "there is room for it");
        assert_eq!(again("first"), 1, "it went first");
        drop(used);
    }

    #[test]
    fn what_could_not_be_made_is_tried_again() {
        let kept: Kept<u8, u64> = Kept::new(1);
        assert!(kept.get_or_make(1, || Err(LabError::new("no"))).is_err());
        assert_eq!(kept.get_or_make(1, || Ok(7)).map(|value| *value), Ok(7));
    }
}
