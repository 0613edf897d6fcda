//! The sixteen barriers of a block.
//!
//! Threads arrive one by one, also those of a diverged warp. A barrier without a count is complete when every
//! thread that is alive has arrived; one with a count when so many have, where a warp of which some threads
//! have ended or were never there counts as a whole warp once any of it has arrived (PTX ISA 8.5, section
//! 9.7.12.1).

use crate::exec::lanes::Mask;

/// Barriers of a block.
const BARRIERS: usize = 16;

/// The barriers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Barriers {
    barriers: Vec<Barrier>,
}

/// One barrier, in the phase that is going on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Barrier {
    /// Threads that are expected, if a count was given.
    pub(crate) expected: Option<u32>,
    /// Lanes that have arrived, by warp.
    arrived: Vec<Mask>,
    /// Threads that had arrived of warps of which some arrived once more, which only `bar.arrive` lets them do.
    before: u32,
    /// Whether any has arrived.
    pub(crate) in_use: bool,
    /// Threads that gave a predicate, and those whose predicate was true.
    given: u32,
    truths: u32,
}

/// What threads bring to a barrier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) warp: usize,
    pub(crate) lanes: Mask,
    /// All lanes of the warp that are alive.
    pub(crate) live: Mask,
    pub(crate) expected: Option<u32>,
    /// The predicate, of a barrier that reduces.
    pub(crate) truth: Option<Mask>,
}

/// What a reducing barrier tells its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) all: bool,
    pub(crate) any: bool,
    pub(crate) count: u32,
}

impl Barriers {
    /// For a new block.
    pub(crate) fn reset(&mut self) {
        for barrier in &mut self.barriers {
            barrier.clear();
        }
    }

    /// The barrier of a number; none if there is no such barrier.
    pub(crate) fn get(&mut self, number: u32) -> Option<&mut Barrier> {
        if number as usize >= BARRIERS {
            return None;
        }
        if self.barriers.len() <= number as usize {
            self.barriers.resize_with(number as usize + 1, Barrier::default);
        }
        self.barriers.get_mut(number as usize)
    }

    /// The barriers at which threads have arrived, with their numbers.
    pub(crate) fn in_use(&self) -> impl Iterator<Item = (u32, &Barrier)> {
        self.barriers.iter().enumerate().filter(|(_, b)| b.in_use).map(|(number, b)| (number as u32, b))
    }
}

impl Barrier {
    /// Starts the next phase.
    pub(crate) fn clear(&mut self) {
        if self.in_use {
            *self = Barrier { arrived: std::mem::take(&mut self.arrived), ..Barrier::default() };
            self.arrived.fill(0);
        }
    }

    /// Lanes of a warp arrive; an error if they expect another number of threads than those before them.
    pub(crate) fn arrive(&mut self, arrival: Arrival) -> Result<(), String> {
        if self.in_use && self.expected != arrival.expected {
            let text = |expected: Option<u32>| expected.map_or("all".to_owned(), |count| count.to_string());
            return Err(format!(
                "it expects {} threads at a barrier where others expect {}",
                text(arrival.expected),
                text(self.expected)
            ));
        }
        self.in_use = true;
        self.expected = arrival.expected;
        if self.arrived.len() <= arrival.warp {
            self.arrived.resize(arrival.warp + 1, 0);
        }
        let arrived = &mut self.arrived[arrival.warp];
        if *arrived & arrival.lanes != 0 {
            let whole = std::mem::take(arrived) | !arrival.live;
            self.before = self.before.saturating_add(whole.count_ones());
        }
        *arrived |= arrival.lanes;
        if let Some(truth) = arrival.truth {
            self.given += arrival.lanes.count_ones();
            self.truths += (truth & arrival.lanes).count_ones();
        }
        Ok(())
    }

    /// How many threads have arrived, as the barrier counts them, and how many must; `live` are the lanes that
    /// are alive, by warp.
    pub(crate) fn progress(&self, live: impl Iterator<Item = Mask>) -> (u32, u32) {
        let (mut count, mut alive) = (0, 0);
        for (warp, live) in live.enumerate() {
            let arrived = self.arrived.get(warp).copied().unwrap_or_default();
            match self.expected {
                Some(_) if arrived != 0 => count += (arrived | !live).count_ones(),
                Some(_) => {}
                None => {
                    count += (arrived & live).count_ones();
                    alive += live.count_ones();
                }
            }
        }
        (self.before.saturating_add(count), self.expected.unwrap_or(alive))
    }

    /// What the threads said together.
    pub(crate) fn verdict(&self) -> Verdict {
        Verdict { all: self.truths == self.given, any: self.truths > 0, count: self.truths }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(warp: usize, lanes: Mask, expected: Option<u32>) -> Arrival {
        let live = if warp == 0 { Mask::MAX } else { 0xff };
        Arrival { warp, lanes, live, expected, truth: None }
    }

    #[test]
    fn a_full_barrier_waits_for_live_threads_only() {
        let mut barrier = Barrier::default();
        barrier.arrive(arrival(0, 0xffff, None)).expect("first");
        assert_eq!(barrier.progress([Mask::MAX, 0xff].into_iter()), (16, 40));
        barrier.arrive(arrival(1, 0xff, None)).expect("second");
        assert_eq!(barrier.progress([0xffff, 0xff].into_iter()), (24, 24));
    }

    #[test]
    fn a_partial_warp_counts_as_a_whole_one_where_a_count_is_given() {
        let mut barrier = Barrier::default();
        barrier.arrive(arrival(1, 0xff, Some(64))).expect("first");
        assert_eq!(barrier.progress([Mask::MAX, 0xff].into_iter()), (32, 64));
        barrier.arrive(arrival(0, Mask::MAX, Some(64))).expect("second");
        assert_eq!(barrier.progress([Mask::MAX, 0xff].into_iter()), (64, 64));
    }

    #[test]
    fn a_warp_that_arrives_twice_counts_twice() {
        let mut barrier = Barrier::default();
        barrier.arrive(arrival(1, 0xff, Some(96))).expect("first");
        barrier.arrive(arrival(1, 0x0f, Some(96))).expect("some again");
        barrier.arrive(arrival(1, 0xf0, Some(96))).expect("the others again");
        assert_eq!(barrier.progress([Mask::MAX, 0xff].into_iter()), (64, 96));
        barrier.clear();
        barrier.arrive(arrival(0, Mask::MAX, Some(96))).expect("the next phase");
        assert_eq!(barrier.progress([Mask::MAX, 0xff].into_iter()), (32, 96));
    }

    #[test]
    fn threads_must_agree_on_the_count() {
        let mut barrier = Barrier::default();
        barrier.arrive(arrival(0, 1, Some(64))).expect("first");
        assert!(barrier.arrive(arrival(1, 1, None)).is_err());
    }
}
