//! The contents of a region.
//!
//! Programs touch large regions at random, and with pages of 4 KiB the host misses its address translation at nearly
//! every access. Large regions are mapped on their own and the host is asked for huge pages; if it has none to give,
//! nothing but the time is different.

use memmap2::MmapMut;
use std::ops::{Deref, DerefMut};

/// From this length on a region has pages of its own: two huge pages of most hosts, so that at least one is whole.
const LARGE: usize = 4 << 20;

/// Bytes that begin as zeros.
#[derive(Debug)]
pub(crate) enum Bytes {
    Small(Vec<u8>),
    Large(MmapMut),
}

impl Bytes {
    /// None where the host has no room for them.
    pub(crate) fn zeros(length: usize) -> Option<Bytes> {
        if length < LARGE {
            Some(Bytes::Small(vec![0; length]))
        } else {
            Bytes::mapped(length).map(Bytes::Large)
        }
    }

    pub(crate) fn nothing() -> Bytes {
        Bytes::Small(Vec::new())
    }

    fn mapped(length: usize) -> Option<MmapMut> {
        let pages = MmapMut::map_anon(length).ok()?;
        #[cfg(target_os = "linux")]
        // Hosts without huge pages refuse, and the pages do as they are.
        let _ = pages.advise(memmap2::Advice::HugePage);
        Some(pages)
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Small(bytes) => bytes,
            Bytes::Large(pages) => pages,
        }
    }
}

impl DerefMut for Bytes {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Bytes::Small(bytes) => bytes,
            Bytes::Large(pages) => pages,
        }
    }
}

impl Clone for Bytes {
    fn clone(&self) -> Bytes {
        match Bytes::zeros(self.len()) {
            Some(mut copy) => {
                copy.copy_from_slice(self);
                copy
            }
            None => Bytes::Small(self.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_regions_begin_as_zeros_and_are_copied_whole() {
        for length in [0, 1, LARGE - 1, LARGE, LARGE + 4097] {
            let mut bytes = Bytes::zeros(length).unwrap();
            assert_eq!(bytes.len(), length);
            assert!(bytes.iter().all(|&byte| byte == 0));
            if let Some(last) = bytes.last_mut() {
                *last = 7;
            }
            let copy = bytes.clone();
            assert_eq!(copy[..], bytes[..]);
            assert_eq!(matches!(copy, Bytes::Large(_)), length >= LARGE);
        }
    }

    #[test]
    fn what_the_host_cannot_give_is_no_abort() {
        assert!(Bytes::zeros(isize::MAX as usize).is_none());
    }
}
