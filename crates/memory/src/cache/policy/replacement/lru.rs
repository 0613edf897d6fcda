//! The victim is the least recently used line.

use crate::cache::foresight::Future;
use crate::request::LineAddress;
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) struct Lru {
    /// When each place was touched last, in touches; 0 if it is empty.
    stamps: Vec<u64>,
    now: u64,
}

impl Lru {
    pub(super) fn new(places: usize) -> Lru {
        Lru { stamps: vec![0; places], now: 0 }
    }

    #[inline(always)]
    pub(super) fn touch(&mut self, place: u32) {
        self.now += 1;
        self.stamps[place as usize] = self.now;
    }

    #[inline(always)]
    pub(super) fn insert(&mut self, place: u32, _line: LineAddress) {
        self.touch(place);
    }

    #[inline(always)]
    pub(super) fn visited(&mut self, _set: Range<u32>, _line: LineAddress) {}

    pub(super) fn foresee(&mut self, _future: &Arc<Future>) {}

    pub(super) fn clear(&mut self, place: u32) {
        self.stamps[place as usize] = 0;
    }

    #[inline(always)]
    pub(super) fn stamps(&self) -> &[u64] {
        &self.stamps
    }

    /// Cost in bits: an order of the ways.
    pub(super) fn bits_of_set(ways: u64, bits_of_way: u64) -> u64 {
        ways * bits_of_way
    }
}
