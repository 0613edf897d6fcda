//! What the mechanisms share that prefetch into spare registers (\[Lakshminarayana14\] section 3.3.2): which load
//! becomes a `mov`, and which lanes prefetch.
//!
//! A load of a loop is followed by its prefetch, for the lanes that have as many further iterations as the distance.
//! What was prefetched replaces the load of the iteration that it was made for.
//!
//! ```text
//! iteration 0: ld a   [ld a']   ld b   [address of b', ld b']   setp
//! iteration 1: mov a  [ld a']   mov b  [address of b', ld b']   setp         (distance one)
//! ```
//!
//! It is told of plain data: operands of comparisons, iterations that end, loads that were issued. It answers with
//! masks of lanes and numbers of registers; the core acts.
//!
//! What was chosen where the document is silent:
//!
//! - a load whose lanes do not all have their values is executed as it stands;
//! - a load that iterations may leave out is no target unless `core.prefetch_conditional` says so, as shadow counts do
//!   not tell which lanes will make it; then it is prefetched for all lanes that are in the loop, whenever lanes of the
//!   warp execute it;
//! - the average of the dynamic distance is that of the lanes that execute the first load of an invocation whose counts
//!   are known.

use super::allocated_reg::AllocatedReg;
use super::distance::Distance;
use super::shadow_counts::ShadowCounts;
use super::{LoopFacts, TargetFacts, TargetNumber};
use heddle_ptx::exec::Mask;
use heddle_ptx::exec::timed::Compared;

/// An invocation of a loop by a warp.
#[derive(Clone, Copy, Debug, Default)]
struct Invocation {
    /// The distance; 0 before it is chosen.
    distance: u8,
    /// That of the invocation before.
    last: u8,
    /// Lanes that have been seen in it and may still be there.
    lanes: Mask,
}

/// A prefetch that is to follow a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) lanes: Mask,
    pub(super) distance: u8,
    /// The spare register that it goes to, by number among those of the load.
    pub(super) register: u8,
    /// Whether the distance was chosen just now.
    pub(super) begins: bool,
}

/// What is known of all warps of a core.
#[derive(Clone, Debug)]
pub(super) struct Prefetcher {
    distance: Distance,
    warps: usize,
    loops: Vec<LoopFacts>,
    targets: Vec<TargetFacts>,
    /// By warp.
    counts: Vec<ShadowCounts>,
    /// By loop and warp.
    invocations: Vec<Invocation>,
    /// By target and warp.
    lists: Vec<AllocatedReg>,
}

impl Prefetcher {
    pub(super) fn new(distance: Distance, warps: usize) -> Prefetcher {
        Prefetcher {
            distance,
            warps,
            loops: Vec::new(),
            targets: Vec::new(),
            counts: vec![ShadowCounts::new(); warps],
            invocations: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// Loops become known.
    pub(super) fn extend(&mut self, loops: &[LoopFacts], targets: &[TargetFacts]) {
        self.loops.extend_from_slice(loops);
        self.targets.extend_from_slice(targets);
        self.invocations.resize(self.loops.len() * self.warps, Invocation::default());
        self.lists.resize(self.targets.len() * self.warps, AllocatedReg::default());
    }

    /// How many loops and targets are known.
    pub(super) fn known(&self) -> (usize, usize) {
        (self.loops.len(), self.targets.len())
    }

    fn list(&mut self, warp: usize, target: TargetNumber) -> &mut AllocatedReg {
        &mut self.lists[usize::from(target.0) * self.warps + warp]
    }

    /// Changes the lists of a loop.
    fn each_list(&mut self, warp: usize, number: usize, mut change: impl FnMut(&mut AllocatedReg)) {
        let LoopFacts { first_target, targets, .. } = self.loops[number];
        for target in first_target..first_target + targets {
            change(&mut self.lists[target * self.warps + warp]);
        }
    }

    /// A warp begins.
    pub(super) fn began(&mut self, warp: usize) {
        self.counts[warp] = ShadowCounts::new();
        for number in 0..self.loops.len() {
            self.invocations[number * self.warps + warp] = Invocation::default();
            self.each_list(warp, number, |list| *list = AllocatedReg::default());
        }
    }

    /// Lanes enter a loop, or have left it: what was prefetched for them before is of no use.
    pub(super) fn outside(&mut self, warp: usize, number: usize, lanes: Mask) {
        self.each_list(warp, number, |list| list.drop(lanes));
        self.remain(warp, number, |now| now & !lanes);
    }

    /// Lanes have left a loop, and their counts are void as well.
    pub(super) fn left(&mut self, warp: usize, number: usize, lanes: Mask) {
        self.outside(warp, number, lanes);
        self.counts[warp].left(number, lanes);
    }

    fn remain(&mut self, warp: usize, number: usize, lanes: impl Fn(Mask) -> Mask) {
        let invocation = &mut self.invocations[number * self.warps + warp];
        invocation.lanes = lanes(invocation.lanes);
        if invocation.lanes == 0 {
            invocation.distance = 0;
        }
    }

    /// Lanes compare the index of a loop with its bound.
    pub(super) fn compared(&mut self, warp: usize, number: usize, lanes: Mask, operands: &Compared) {
        self.counts[warp].compared(number, &self.loops[number].test, lanes, operands);
    }

    /// Lanes end an iteration, and go on with the next.
    pub(super) fn stepped(&mut self, warp: usize, number: usize, going_on: Mask) {
        let distance = self.invocations[number * self.warps + warp].last.max(1);
        self.each_list(warp, number, |list| list.stepped(going_on, distance));
        self.remain(warp, number, |_| going_on);
    }

    /// The spare register that a load is to become a move from, if it is.
    pub(super) fn converts(&self, warp: usize, target: TargetNumber, lanes: Mask) -> Option<u8> {
        let list = &self.lists[usize::from(target.0) * self.warps + warp];
        list.for_mov(lanes).filter(|_| !self.targets[usize::from(target.0)].in_cache)
    }

    /// Whether a load that is executed was prefetched into the caches.
    pub(super) fn is_in_cache(&self, warp: usize, target: TargetNumber, lanes: Mask) -> bool {
        let list = &self.lists[usize::from(target.0) * self.warps + warp];
        self.targets[usize::from(target.0)].in_cache && list.for_mov(lanes).is_some()
    }

    /// A load was issued for some lanes, as itself or as a move: the prefetch that follows. Lanes that are in the loop
    /// are `within`.
    pub(super) fn loaded(
        &mut self,
        warp: usize,
        target: TargetNumber,
        lanes: Mask,
        within: impl FnOnce() -> Mask,
    ) -> Option<Wanted> {
        let TargetFacts { in_loop, head, conditional, .. } = self.targets[usize::from(target.0)];
        self.list(warp, target).consumed(lanes);
        let place = in_loop * self.warps + warp;
        self.invocations[place].lanes |= lanes;
        let mut begins = false;
        if self.invocations[place].distance == 0 {
            let iterations = self.counts[warp].sum(in_loop, lanes).filter(|&sum| sum > 0)?;
            let most = self.loops[in_loop].distance;
            let chosen = self.distance.of(iterations, lanes.count_ones(), most);
            let last = self.invocations[place].last;
            (self.invocations[place].distance, self.invocations[place].last) = (chosen as u8, chosen as u8);
            if last != chosen as u8 {
                // Lists have another length now.
                self.each_list(warp, in_loop, |list| *list = AllocatedReg::default());
            }
            begins = true;
        }
        let distance = self.invocations[place].distance;
        let mut wanted = self.counts[warp].at_least(in_loop, u32::from(distance) + 1);
        wanted &= match conditional {
            true => lanes | within() & self.invocations[place].lanes,
            false => lanes,
        };
        if let Some(head) = head {
            wanted &= self.list(warp, head).for_tail();
        }
        let (register, made) = self.list(warp, target).for_prefetch();
        wanted &= !made;
        (wanted != 0 || begins).then_some(Wanted { lanes: wanted, distance, register, begins })
    }

    /// The prefetch of a load was issued for some lanes.
    pub(super) fn issued(&mut self, warp: usize, target: TargetNumber, lanes: Mask) {
        self.list(warp, target).written(lanes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_ptx::early::LoopTest;
    use heddle_ptx::exec::LANES;
    use heddle_ptx::ir::{Comparison, ScalarType};

    const HEAD: TargetNumber = TargetNumber(0);
    const TAIL: TargetNumber = TargetNumber(1);

    fn pair(distance: Distance) -> Prefetcher {
        let test = LoopTest {
            instruction: 0,
            swapped: false,
            comparison: Comparison::Less,
            ty: ScalarType::U32,
            step: 1,
            first: false,
        };
        let target = |head| TargetFacts { in_loop: 0, head, conditional: false, in_cache: false };
        let mut prefetcher = Prefetcher::new(distance, 2);
        let facts = LoopFacts { test, distance: 3, first_target: 0, targets: 2 };
        prefetcher.extend(&[facts], &[target(None), target(Some(HEAD))]);
        prefetcher
    }

    /// Lane n has n iterations to go.
    fn staggered() -> Compared {
        [[0; LANES], std::array::from_fn(|lane| lane as u64)]
    }

    fn to_go(iterations: u64) -> Compared {
        [[0; LANES], [iterations; LANES]]
    }

    fn lanes(wanted: Option<Wanted>) -> Mask {
        wanted.map_or(0, |wanted| wanted.lanes)
    }

    #[test]
    fn lanes_in_their_last_iteration_prefetch_nothing() {
        let mut policy = pair(Distance::One);
        policy.compared(0, 0, Mask::MAX, &staggered());
        assert_eq!(lanes(policy.loaded(0, HEAD, Mask::MAX << 1, || 0)), Mask::MAX << 2);
        assert_eq!(lanes(policy.loaded(0, HEAD, 0b110, || 0)), 0b100, "of those that take part");
        assert_eq!(lanes(policy.loaded(1, HEAD, Mask::MAX, || 0)), 0, "warps count for themselves");
    }

    #[test]
    fn a_tail_follows_the_lanes_of_its_head() {
        let mut policy = pair(Distance::One);
        policy.compared(0, 0, Mask::MAX, &to_go(9));
        assert_eq!(lanes(policy.loaded(0, TAIL, Mask::MAX, || 0)), 0, "without an index");
        policy.issued(0, HEAD, 0xff);
        assert_eq!(lanes(policy.loaded(0, TAIL, Mask::MAX, || 0)), 0xff);
    }

    #[test]
    fn a_load_becomes_a_move_once_for_each_prefetch_and_for_all_lanes_or_none() {
        let mut policy = pair(Distance::One);
        policy.compared(0, 0, Mask::MAX, &to_go(9));
        policy.loaded(0, HEAD, 0xff, || 0);
        policy.issued(0, HEAD, 0xff);
        assert_eq!(policy.converts(0, HEAD, 0xff), None, "in the same iteration");
        policy.stepped(0, 0, 0xff);
        assert!(policy.converts(0, HEAD, 0xf0).is_some() && policy.converts(0, HEAD, 0xff).is_some());
        assert!(policy.converts(0, HEAD, 0x1ff).is_none() && policy.converts(1, HEAD, 1).is_none());
        policy.loaded(0, HEAD, 0x0f, || 0);
        assert!(policy.converts(0, HEAD, 0xf0).is_some() && policy.converts(0, HEAD, 1).is_none());
        policy.outside(0, 0, 0xc0);
        assert!(policy.converts(0, HEAD, 0x30).is_some() && policy.converts(0, HEAD, 0xf0).is_none());
        policy.began(0);
        assert!(policy.converts(0, HEAD, 0x10).is_none());
    }

    #[test]
    fn the_distance_is_chosen_once_for_each_invocation() {
        let mut policy = pair(Distance::Dynamic);
        policy.compared(0, 0, 0xff, &to_go(5));
        let first = policy.loaded(0, HEAD, 0xff, || 0).unwrap();
        assert_eq!((first.distance, first.begins, first.lanes), (2, true, 0xff));
        policy.compared(0, 0, 0xff, &to_go(15));
        let again = policy.loaded(0, HEAD, 0xff, || 0).unwrap();
        assert_eq!((again.distance, again.begins), (2, false));
        policy.stepped(0, 0, 0);
        policy.compared(0, 0, 0xff, &to_go(15));
        assert_eq!(policy.loaded(0, HEAD, 0xff, || 0).unwrap().distance, 3, "another invocation");
    }

    #[test]
    fn loads_that_iterations_leave_out_are_prefetched_for_all_that_are_in_the_loop() {
        let mut policy = pair(Distance::One);
        policy.targets[0].conditional = true;
        policy.compared(0, 0, 0xff, &to_go(9));
        policy.loaded(0, HEAD, 0x01, || 0);
        policy.stepped(0, 0, 0xff);
        assert_eq!(
            lanes(policy.loaded(0, HEAD, 0x03, || 0xf0f)),
            0x0f,
            "those that have left are not within"
        );
        policy.issued(0, HEAD, 0x0f);
        assert_eq!(lanes(policy.loaded(0, HEAD, 0x0c, || 0x0f)), 0, "prefetched already");
    }

    #[test]
    fn counts_of_lanes_that_have_left_are_void() {
        let mut policy = pair(Distance::One);
        policy.compared(0, 0, 0xff, &to_go(9));
        policy.left(0, 0, 0x0f);
        assert_eq!(lanes(policy.loaded(0, HEAD, 0xff, || 0)), 0xf0);
    }
}
