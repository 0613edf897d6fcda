//! What a cache will be asked: recorded in one run, foreseen in the next. Policies that no hardware can have decide by it,
//! and so tell how much of what is possible others reach.
//!
//! ```text
//! first run:  visits, kills, departures ─▶ Recorder ─▶ Future (by line, in order)
//! second run: Future ─▶ Oracle: what comes next of a line, counted by what has come
//! ```
//!
//! A *visit* uses a line. A *kill* is a write or an atomic that goes below and evicts it, wherever it is: until then it may
//! be worth keeping, but not across it. A *departure* is where the line left in the first run.
//!
//! A recording is of one cache and one launch. In the second run other decisions make other times, and the visits of
//! different lines interleave in another order; what is foreseen of a line is its own visits in their recorded order,
//! each used up when one comes. So an oracle errs where the order of lines has changed, and knows nothing of visits beyond
//! those that were recorded, nor of the launch after this one.

use crate::request::{LineAddress, Sectors};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Of an event in place of sectors: the line left.
const DEPARTURE: u16 = 1 << 8;
/// Of an event in place of sectors: the line is evicted by a write, if it is there.
const KILL: u16 = 1 << 9;

/// Bytes of one recorded event, while it is recorded and until it is put in order.
const BYTES_EACH: u64 = 32;

/// Bytes that recordings of a run may take.
pub const RECORDING_BYTES: u64 = 2 << 30;

/// How much may still be recorded, of all caches together.
#[derive(Clone, Debug)]
pub(crate) struct Budget(Arc<AtomicU64>);

impl Budget {
    pub(crate) fn new() -> Budget {
        Budget::of(RECORDING_BYTES / BYTES_EACH)
    }

    /// For so many events.
    pub(crate) fn of(events: u64) -> Budget {
        Budget(Arc::new(AtomicU64::new(events)))
    }

    /// Whether one more may be recorded.
    fn take(&self) -> bool {
        let less = |left: u64| left.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }

    /// Whether there was room for everything.
    pub(crate) fn is_left(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

/// Records what a cache is asked in a launch.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    lines: Vec<u64>,
    /// The sectors of a visit, or what else it is.
    events: Vec<u16>,
    budget: Budget,
}

impl Recorder {
    pub(crate) fn new(budget: &Budget) -> Recorder {
        Recorder { lines: Vec::new(), events: Vec::new(), budget: budget.clone() }
    }

    fn push(&mut self, line: LineAddress, event: u16) {
        if self.budget.take() {
            self.lines.push(line.0);
            self.events.push(event);
        }
    }

    pub(crate) fn visited(&mut self, line: LineAddress, touched: Sectors) {
        self.push(line, touched.0.into());
    }

    pub(crate) fn killed(&mut self, line: LineAddress) {
        self.push(line, KILL);
    }

    pub(crate) fn departed(&mut self, line: LineAddress) {
        self.push(line, DEPARTURE);
    }

    /// What was recorded, in order of lines.
    pub(crate) fn into_future(self) -> Future {
        let mut order: Vec<(u64, u32)> = self.lines.iter().copied().zip(0..).collect();
        order.sort_unstable();
        let mut future = Future::default();
        for (line, position) in order {
            if future.lines.last() != Some(&line) {
                future.lines.push(line);
                future.starts.push(future.positions.len() as u32);
            }
            future.positions.push(position);
            future.events.push(self.events[position as usize]);
        }
        future.starts.push(future.positions.len() as u32);
        future
    }
}

/// Everything that a cache was asked in a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Future {
    /// Ascending.
    lines: Vec<u64>,
    /// By line: where its events begin; and where the last ones end.
    starts: Vec<u32>,
    /// Of an event: its number in the launch.
    positions: Vec<u32>,
    /// Of an event: the sectors of a visit, or what else it is.
    events: Vec<u16>,
}

/// The futures of the caches of one launch, by node; none of those that foresee nothing.
pub type LaunchFutures = Vec<Option<Arc<Future>>>;

/// The futures of a run, by launch in time.
#[derive(Clone, Debug, Default)]
pub struct Foresight {
    /// In the order of the launches.
    pub launches: Vec<LaunchFutures>,
    /// Something was left out, because there was no room for it.
    pub is_cut_off: bool,
}

/// Comes never: later than every visit.
pub(crate) const NEVER: u64 = 1 << 32;

/// What is still to come in a cache.
#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    future: Arc<Future>,
    /// By line: the first of its events behind the last visit that has come.
    next: Vec<u32>,
}

impl Oracle {
    pub(crate) fn new(future: &Arc<Future>) -> Oracle {
        let lines = future.lines.len();
        Oracle { future: Arc::clone(future), next: future.starts[..lines].to_vec() }
    }

    fn number(&self, line: LineAddress) -> Option<usize> {
        self.future.lines.binary_search(&line.0).ok()
    }

    /// The events of a line behind the last visit that has come, and the place of the first.
    fn coming(&self, number: usize) -> (usize, &[u16]) {
        let (from, to) = (self.next[number] as usize, self.future.starts[number + 1] as usize);
        (from, &self.future.events[from..to])
    }

    /// A line was visited.
    pub(crate) fn visited(&mut self, line: LineAddress) {
        let Some(number) = self.number(line) else { return };
        let (from, events) = self.coming(number);
        if let Some(place) = events.iter().position(|&event| event < DEPARTURE) {
            self.next[number] = (from + place + 1) as u32;
        }
    }

    /// When a line that is here is used next, in events of all lines; [`NEVER`] if it is not, or killed before.
    pub(crate) fn next_use(&self, line: LineAddress) -> u64 {
        let Some(number) = self.number(line) else { return NEVER };
        let (from, events) = self.coming(number);
        match events.iter().position(|&event| event != DEPARTURE) {
            Some(place) if events[place] != KILL => u64::from(self.future.positions[from + place]),
            _ => NEVER,
        }
    }

    /// The sectors that visits touch from the next one on until the line leaves.
    pub(crate) fn until_departure(&self, line: LineAddress) -> Sectors {
        let Some(number) = self.number(line) else { return Sectors::NONE };
        let events = self.coming(number).1.iter();
        let visits = events.skip_while(|&&event| event >= DEPARTURE).take_while(|&&event| event < DEPARTURE);
        Sectors(visits.fold(0, |all, &touched| all | touched as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64) -> LineAddress {
        LineAddress(number * 128)
    }

    /// Lines 1, 2, 1, 3; 1 leaves; 1, 2.
    fn recorded(budget: &Budget) -> Arc<Future> {
        let mut recorder = Recorder::new(budget);
        for (number, touched) in [(1, 1), (2, 1), (1, 4), (3, 2)] {
            recorder.visited(line(number), Sectors(touched));
        }
        recorder.departed(line(1));
        for (number, touched) in [(1, 8), (2, 2)] {
            recorder.visited(line(number), Sectors(touched));
        }
        Arc::new(recorder.into_future())
    }

    #[test]
    fn the_next_use_of_a_line_is_its_next_recorded_visit() {
        let mut oracle = Oracle::new(&recorded(&Budget::new()));
        assert_eq!([1, 2, 3].map(|number| oracle.next_use(line(number))), [0, 1, 3]);
        oracle.visited(line(1));
        assert_eq!(oracle.next_use(line(1)), 2);
        oracle.visited(line(1));
        assert_eq!(oracle.next_use(line(1)), 5, "behind its departure");
        oracle.visited(line(1));
        assert_eq!((oracle.next_use(line(1)), oracle.next_use(line(9))), (NEVER, NEVER));
        oracle.visited(line(1));
        oracle.visited(line(9));
        assert_eq!(oracle.next_use(line(2)), 1, "others are as they were");
    }

    #[test]
    fn a_line_that_a_write_evicts_before_its_next_use_has_none() {
        let mut recorder = Recorder::new(&Budget::new());
        recorder.visited(line(1), Sectors(1));
        recorder.killed(line(1));
        recorder.visited(line(1), Sectors(2));
        let mut oracle = Oracle::new(&Arc::new(recorder.into_future()));
        assert_eq!(oracle.next_use(line(1)), 0);
        oracle.visited(line(1));
        assert_eq!(oracle.next_use(line(1)), NEVER, "it is not worth keeping");
        oracle.visited(line(1));
        assert_eq!((oracle.next_use(line(1)), oracle.until_departure(line(1))), (NEVER, Sectors::NONE));
    }

    #[test]
    fn sectors_are_those_that_are_touched_until_the_line_leaves() {
        let mut oracle = Oracle::new(&recorded(&Budget::new()));
        assert_eq!(oracle.until_departure(line(1)), Sectors(0b0101));
        oracle.visited(line(1));
        assert_eq!(oracle.until_departure(line(1)), Sectors(0b0100));
        oracle.visited(line(1));
        assert_eq!(oracle.until_departure(line(1)), Sectors(0b1000), "behind where it left");
        assert_eq!(oracle.until_departure(line(2)), Sectors(0b0011), "it never leaves");
        assert_eq!(oracle.until_departure(line(7)), Sectors::NONE);
    }

    #[test]
    fn what_there_is_no_room_for_is_left_out_and_known_to_be() {
        let (enough, few) = (Budget::of(8), Budget::of(3));
        assert_eq!(recorded(&enough).positions.len(), 7);
        assert!(enough.is_left());
        assert_eq!(recorded(&few).positions.len(), 3);
        assert!(!few.is_left());
    }
}
