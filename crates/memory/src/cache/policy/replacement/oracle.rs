//! Belady's choice: the victim is the line whose next use is farthest away (\[Belady66\]), as a recorded run tells
//! (`foresight`). No hardware can have it; it shows what replacement could give.
//!
//! In the run that records, it is LRU.

use crate::cache::foresight::{Future, NEVER, Oracle};
use crate::request::LineAddress;
use std::ops::Range;
use std::sync::Arc;

/// Above every stamp of a line: what is used next has the largest.
const NEXT: u64 = NEVER + 1;

#[derive(Clone, Debug)]
pub(crate) struct OptimalReplacement {
    /// The least is evicted first; 0 if the place is empty.
    stamps: Vec<u64>,
    lines: Vec<LineAddress>,
    now: u64,
    oracle: Option<Oracle>,
}

impl OptimalReplacement {
    pub(super) fn new(places: usize) -> OptimalReplacement {
        OptimalReplacement {
            stamps: vec![0; places],
            lines: vec![LineAddress(0); places],
            now: 0,
            oracle: None,
        }
    }

    /// A use changes nothing for who knows of it; without a recording the order is that of uses.
    #[inline(always)]
    pub(super) fn touch(&mut self, place: u32) {
        if self.oracle.is_none() {
            self.now += 1;
            self.stamps[place as usize] = self.now;
        }
    }

    pub(super) fn insert(&mut self, place: u32, line: LineAddress) {
        self.lines[place as usize] = line;
        match &self.oracle {
            None => self.touch(place),
            Some(oracle) => self.stamps[place as usize] = NEXT - oracle.next_use(line),
        }
    }

    pub(super) fn visited(&mut self, set: Range<u32>, line: LineAddress) {
        let Some(oracle) = &mut self.oracle else { return };
        oracle.visited(line);
        let is_it = |&place: &usize| self.stamps[place] != 0 && self.lines[place] == line;
        if let Some(place) = (set.start as usize..set.end as usize).find(is_it) {
            self.stamps[place] = NEXT - oracle.next_use(line);
        }
    }

    /// What is there is ranked anew.
    pub(super) fn foresee(&mut self, future: &Arc<Future>) {
        let oracle = Oracle::new(future);
        for (stamp, &line) in self.stamps.iter_mut().zip(&self.lines) {
            if *stamp != 0 {
                *stamp = NEXT - oracle.next_use(line);
            }
        }
        self.oracle = Some(oracle);
    }

    pub(super) fn clear(&mut self, place: u32) {
        self.stamps[place as usize] = 0;
    }

    #[inline(always)]
    pub(super) fn stamps(&self) -> &[u64] {
        &self.stamps
    }

    /// None that could be built; counted as the order that it stands in for.
    pub(super) fn bits_of_set(ways: u64, bits_of_way: u64) -> u64 {
        ways * bits_of_way
    }
}
