//! Telling the host's processor which memory will be used soon.
//!
//! A simulated machine touches its memory at random, and knows what a request wants long before it takes the value.
//! Without this hint the host waits for its own memory at every such access.

/// Bytes of a cache line of the host, at least.
const LINE: usize = 64;

/// Asks for the bytes of `memory` from `first` to `last`; what lies outside is left alone.
#[inline(always)]
pub(crate) fn fetch_ahead(memory: &[u8], first: usize, last: usize) {
    if let Some(byte) = memory.get(first) {
        hint(byte);
    }
    if last / LINE != first / LINE
        && let Some(byte) = memory.get(last)
    {
        hint(byte);
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code, reason = "the standard library has no safe hint of this kind yet")]
fn hint(byte: &u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch reads nothing that a program can see, and faults nowhere; the address is that of a reference.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn hint(_: &u8) {}

#[cfg(test)]
mod tests {
    use super::fetch_ahead;

    #[test]
    fn any_range_may_be_asked_for_and_nothing_changes() {
        for length in [0, 1, 63, 64, 4096] {
            let memory: Vec<u8> = (0..length).map(|byte| byte as u8).collect();
            for first in [0, 1, length / 2, length, usize::MAX] {
                for last in [0, first, length, usize::MAX] {
                    fetch_ahead(&memory, first, last);
                }
            }
            assert!(memory.iter().enumerate().all(|(place, &byte)| byte == place as u8));
        }
    }
}
