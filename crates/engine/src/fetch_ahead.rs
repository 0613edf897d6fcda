//! Telling the host's processor which memory will be used soon.
//!
//! A simulated machine touches its memory, and the state of its caches, at random, and knows what a request wants long
//! before it takes it. Without this hint the host waits for its own memory at every such access.

/// Asks for an item that will be used soon. Nothing changes but the time that this takes; a place outside is ignored.
#[inline(always)]
pub fn fetch_ahead<T>(items: &[T], place: usize) {
    if let Some(item) = items.get(place) {
        hint(item);
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code, reason = "the standard library has no safe hint of this kind yet")]
fn hint<T>(item: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch reads nothing that a program can see, and faults nowhere; the address is that of a reference.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn hint<T>(_: &T) {}

#[cfg(test)]
mod tests {
    use super::fetch_ahead;

    #[test]
    fn any_place_may_be_asked_for_and_nothing_changes() {
        for length in [0, 1, 63, 64, 4096] {
            let items: Vec<u16> = (0..length).collect();
            for place in [0, 1, items.len() / 2, items.len(), usize::MAX] {
                fetch_ahead(&items, place);
            }
            assert!((0..length).eq(items));
        }
    }
}
