//! First in, first out: the victim is the line that was inserted first.

use crate::cache::foresight::Future;
use crate::request::LineAddress;
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) struct Fifo {
    /// When each place got its line, in insertions; 0 if it is empty.
    stamps: Vec<u64>,
    now: u64,
}

impl Fifo {
    pub(super) fn new(places: usize) -> Fifo {
        Fifo { stamps: vec![0; places], now: 0 }
    }

    /// A use changes nothing.
    #[inline(always)]
    pub(super) fn touch(&mut self, _place: u32) {}

    #[inline(always)]
    pub(super) fn insert(&mut self, place: u32, _line: LineAddress) {
        self.now += 1;
        self.stamps[place as usize] = self.now;
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

    /// Cost in bits: the way that came first.
    pub(super) fn bits_of_set(_ways: u64, bits_of_way: u64) -> u64 {
        bits_of_way
    }
}
