//! Which of the warps that could issue does.
//!
//! A policy sees the warps of its scheduler as bits and chooses one; the core does the rest. Adding a policy is
//! one file here, one variant of [`SchedulerKind`] and one line in each function below.

mod greedy_then_oldest;
mod loose_round_robin;
mod round_robin;

use crate::spec::SchedulerKind;

/// What a policy sees.
pub(super) struct Candidates<'a> {
    /// Warps that could issue now; not zero.
    pub(super) ready: u64,
    /// All warps of the scheduler.
    pub(super) resident: u64,
    /// By warp: smaller is older.
    pub(super) ages: &'a [u64],
}

/// The state of a scheduler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scheduler {
    kind: SchedulerKind,
    /// The last warp that issued, or was looked at.
    last: u32,
}

impl Scheduler {
    pub(super) fn new(kind: SchedulerKind) -> Scheduler {
        Scheduler { kind, last: 0 }
    }

    /// The warp that issues; none if the policy lets the slot pass.
    #[inline(always)]
    pub(super) fn pick(&mut self, candidates: &Candidates<'_>) -> Option<usize> {
        let pick = match self.kind {
            SchedulerKind::RoundRobin => return round_robin::pick(candidates, &mut self.last),
            SchedulerKind::LooseRoundRobin => loose_round_robin::pick(candidates, self.last),
            SchedulerKind::GreedyThenOldest => greedy_then_oldest::pick(candidates, self.last),
        };
        self.last = pick as u32;
        Some(pick)
    }
}

/// The first bit after `last`, around the end.
#[inline(always)]
fn next_after(mask: u64, last: u32) -> usize {
    let after = mask & u64::MAX.checked_shl(last + 1).unwrap_or(0);
    (if after != 0 { after } else { mask }).trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(kind: SchedulerKind, rounds: &[(u64, u64)]) -> Vec<Option<usize>> {
        let mut scheduler = Scheduler::new(kind);
        let ages = [9, 1, 5, 3];
        rounds
            .iter()
            .map(|&(ready, resident)| scheduler.pick(&Candidates { ready, resident, ages: &ages }))
            .collect()
    }

    #[test]
    fn loose_round_robin_skips_what_is_not_ready() {
        let rounds = [(0b1101, 0b1111), (0b1101, 0b1111), (0b1101, 0b1111), (0b0010, 0b1111)];
        assert_eq!(order(SchedulerKind::LooseRoundRobin, &rounds), [Some(2), Some(3), Some(0), Some(1)]);
    }

    #[test]
    fn round_robin_waits_for_the_one_whose_turn_it_is() {
        let rounds = [(0b1101, 0b1111), (0b1101, 0b1111), (0b1101, 0b1111), (0b1101, 0b1101)];
        assert_eq!(order(SchedulerKind::RoundRobin, &rounds), [None, Some(2), Some(3), Some(0)]);
    }

    #[test]
    fn greedy_stays_and_then_takes_the_oldest() {
        let rounds = [(0b1101, 0b1111), (0b1101, 0b1111), (0b0101, 0b1111), (0b1111, 0b1111)];
        assert_eq!(order(SchedulerKind::GreedyThenOldest, &rounds), [Some(0), Some(0), Some(0), Some(0)]);
        let rounds = [(0b1100, 0b1111), (0b1111, 0b1111), (0b0111, 0b1111)];
        assert_eq!(order(SchedulerKind::GreedyThenOldest, &rounds), [Some(3), Some(3), Some(1)]);
    }
}
