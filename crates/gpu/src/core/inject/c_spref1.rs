//! C-SPREF1: prefetching into spare registers, one iteration ahead, with the compiler's help (\[Lakshminarayana14\]
//! section 3.3.2.6).
//!
//! The compiler has found the loads and the comparison that tells how many iterations are left, also the one before
//! the loop, so that prefetches begin with the first iteration. A load is followed by its prefetch for the lanes that
//! have another iteration; what was prefetched replaces the load of the next one.
//!
//! ```text
//! iteration 0: ld a   [ld a']   ld b   [address of b', ld b']   setp
//! iteration 1: mov a  [ld a']   mov b  [address of b', ld b']   setp
//! ```
//!
//! Two things were chosen where the document is silent. A bit for each lane and load says whether the spare register
//! holds what the lane's next iteration will load: lanes may leave a loop with a prefetch made, and come back. And
//! a load whose lanes do not all have that bit is executed as it stands.

use super::{Loops, TargetNumber};
use crate::spec::CoreSpec;
use heddle_ptx::exec::timed::Compared;
use heddle_ptx::exec::{LANES, Mask};

/// Most that a shadow register counts: four bits.
const COUNT_MAX: u8 = 15;

/// What the mechanism knows of all warps of a core.
#[derive(Clone, Debug)]
pub(crate) struct CSpref1 {
    loops: Loops,
    /// By warp and lane: iterations that follow the last test.
    remaining: Vec<[u8; LANES]>,
    /// By warp and target: lanes whose next iteration is in the spare register.
    prefetched: Vec<Mask>,
}

impl CSpref1 {
    /// Bits that the mechanism takes on every core: table 2 of the document without tags, for lists of one entry, which
    /// need no pointers, and with what was chosen in addition.
    ///
    /// Strides are immediate operands of the instructions that the compiler has made, and temporaries take spare registers
    /// that no warp uses otherwise. A bit for each lane takes the place of the counter of prefetched iterations.
    pub(super) fn bits(core: &CoreSpec) -> u64 {
        let register = u64::from((core.registers_per_thread + 1).next_power_of_two().ilog2());
        let warps = u64::from(core.warps);
        let limits = 2 * register;
        let shadows = warps * LANES as u64 * u64::from((COUNT_MAX + 1).ilog2());
        let loads = 2 * u64::from(core.prefetch_pairs);
        let lists = warps * loads * (register + LANES as u64);
        let instructions = u64::from(core.prefetch_instructions) * 8 * u64::from(core.instruction_bytes);
        limits + shadows + lists + instructions
    }

    /// For a kernel with these loops.
    pub(super) fn new(loops: Loops, warps: usize) -> CSpref1 {
        let targets = loops.targets.len();
        CSpref1 { loops, remaining: vec![[0; LANES]; warps], prefetched: vec![0; warps * targets] }
    }

    fn prefetched(&mut self, warp: usize, target: TargetNumber) -> &mut Mask {
        &mut self.prefetched[warp * self.loops.targets.len() + usize::from(target.0)]
    }

    /// A warp begins.
    pub(super) fn began(&mut self, warp: usize) {
        let targets = self.loops.targets.len();
        self.remaining[warp] = [0; LANES];
        self.prefetched[warp * targets..(warp + 1) * targets].fill(0);
    }

    /// Lanes enter a loop: what they prefetched when they were in it before is of no use.
    pub(super) fn entered(&mut self, warp: usize, number: usize, lanes: Mask) {
        for target in 0..self.loops.targets.len() {
            if self.loops.targets[target].in_loop == number {
                *self.prefetched(warp, TargetNumber(target as u16)) &= !lanes;
            }
        }
    }

    /// Lanes compare the induction variable of a loop with its bound.
    pub(super) fn compared(&mut self, warp: usize, number: usize, lanes: Mask, [index, bound]: &Compared) {
        let test = self.loops.tests[number];
        let mut rest = lanes;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let remaining = test.remaining(index[lane], bound[lane]);
            self.remaining[warp][lane] = remaining.min(COUNT_MAX.into()) as u8;
        }
    }

    /// Whether a load is to become a move.
    pub(super) fn converts(&self, warp: usize, target: TargetNumber, lanes: Mask) -> bool {
        let prefetched = self.prefetched[warp * self.loops.targets.len() + usize::from(target.0)];
        lanes & !prefetched == 0
    }

    /// A load was issued, as itself or as a move: the lanes for which its prefetch follows.
    pub(super) fn loaded(&mut self, warp: usize, target: TargetNumber, lanes: Mask) -> Mask {
        *self.prefetched(warp, target) &= !lanes;
        // This iteration and another one.
        let more = (0..LANES).filter(|&lane| self.remaining[warp][lane] >= 2);
        let more = more.fold(0, |more, lane| more | 1 << lane);
        let indexed = match self.loops.targets[usize::from(target.0)].head {
            Some(head) => *self.prefetched(warp, head),
            None => Mask::MAX,
        };
        lanes & more & indexed
    }

    /// The prefetch of a load was issued for some lanes.
    pub(super) fn issued(&mut self, warp: usize, target: TargetNumber, lanes: Mask) {
        *self.prefetched(warp, target) |= lanes;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Target;
    use super::*;
    use heddle_ptx::analysis::LoopTest;
    use heddle_ptx::ir::{Comparison, ScalarType};

    const HEAD: TargetNumber = TargetNumber(0);
    const TAIL: TargetNumber = TargetNumber(1);

    fn pair() -> CSpref1 {
        let test = LoopTest {
            instruction: 0,
            swapped: false,
            comparison: Comparison::Less,
            ty: ScalarType::U32,
            step: 1,
            first: false,
        };
        let targets = vec![Target { in_loop: 0, head: None }, Target { in_loop: 0, head: Some(HEAD) }];
        CSpref1::new(Loops { tests: vec![test], targets }, 2)
    }

    /// Lane n has n iterations to go.
    fn staggered() -> Compared {
        [[0; LANES], std::array::from_fn(|lane| lane as u64)]
    }

    #[test]
    fn lanes_in_their_last_iteration_prefetch_nothing() {
        let mut policy = pair();
        policy.compared(0, 0, Mask::MAX, &staggered());
        assert_eq!(policy.loaded(0, HEAD, Mask::MAX << 1), Mask::MAX << 2);
        assert_eq!(policy.loaded(0, HEAD, 0b110), 0b100, "of those that take part");
        assert_eq!(policy.loaded(1, HEAD, Mask::MAX), 0, "warps count for themselves");
    }

    #[test]
    fn a_tail_follows_the_lanes_of_its_head() {
        let mut policy = pair();
        policy.compared(0, 0, Mask::MAX, &[[0; LANES], [9; LANES]]);
        assert_eq!(policy.loaded(0, TAIL, Mask::MAX), 0, "without an index");
        policy.issued(0, HEAD, 0xff);
        assert_eq!(policy.loaded(0, TAIL, Mask::MAX), 0xff);
    }

    #[test]
    fn a_load_becomes_a_move_once_for_each_prefetch_and_for_all_lanes_or_none() {
        let mut policy = pair();
        policy.issued(0, HEAD, 0xff);
        assert!(policy.converts(0, HEAD, 0xf0) && policy.converts(0, HEAD, 0xff));
        assert!(!policy.converts(0, HEAD, 0x1ff) && !policy.converts(1, HEAD, 1));
        policy.loaded(0, HEAD, 0x0f);
        assert!(policy.converts(0, HEAD, 0xf0) && !policy.converts(0, HEAD, 1));
        policy.entered(0, 0, 0xc0);
        assert!(policy.converts(0, HEAD, 0x30) && !policy.converts(0, HEAD, 0xf0));
        policy.began(0);
        assert!(!policy.converts(0, HEAD, 0x10));
    }
}
