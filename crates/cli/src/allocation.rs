//! What a thread has allocated: by this, a sweep learns how much memory its points need.
//!
//! Every thread counts for itself, so that points which run side by side are told apart. What one thread allocates and
//! another frees is counted where it happens, so that counts may be negative.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // Neither is dropped, so that they can be counted with until the thread is over.
    static LIVE_BYTES: Cell<i64> = const { Cell::new(0) };
    static PEAK_BYTES: Cell<i64> = const { Cell::new(0) };
}

/// The system's allocator, counted.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Counts that a thread has so many bytes more.
fn count(bytes: i64) {
    let live = LIVE_BYTES.get() + bytes;
    LIVE_BYTES.set(live);
    if live > PEAK_BYTES.get() {
        PEAK_BYTES.set(live);
    }
}

#[allow(
    unsafe_code,
    reason = "an allocator is unsafe by its nature; this one hands everything on to the system's"
)]
// SAFETY: every call is handed on to the system's allocator as it is; counting neither allocates nor panics.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promises are those of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promises are those of the system's allocator.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller's promises are those of the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        // SAFETY: the caller's promises are those of the system's allocator.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Measures what this thread allocates from now on.
pub(crate) struct Meter {
    before: i64,
}

impl Meter {
    /// Begins; one at a time by thread.
    pub(crate) fn begin() -> Meter {
        let before = LIVE_BYTES.get();
        PEAK_BYTES.set(before);
        Meter { before }
    }

    /// The most that this thread held since then, beyond what it had.
    pub(crate) fn peak_bytes(&self) -> u64 {
        u64::try_from(PEAK_BYTES.get() - self.before).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_sees_the_peak_of_its_own_thread_alone() {
        let before = vec![1u8; 1 << 20];
        let meter = Meter::begin();
        let large = vec![1u8; 3 << 20];
        drop((large, before));
        std::thread::scope(|scope| drop(scope.spawn(|| drop(vec![1u8; 64 << 20])).join()));
        let peak = meter.peak_bytes();
        assert!((3 << 20..4 << 20).contains(&peak), "{peak}");
        let mut grown = vec![0u8; 1 << 20];
        grown.resize(8 << 20, 0);
        assert!(meter.peak_bytes() >= 6 << 20, "{}", meter.peak_bytes());
    }
}
