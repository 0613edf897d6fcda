//! Shadow iteration counts: how many iterations each thread of a warp has to go (\[Lakshminarayana14\] section 3.3.2.4).
//!
//! ```text
//! add.s32     r28, r28, r2        loop index
//! setp.lt.s32 p1, r28, r16        (r16 - r28), saturated to 4 bits, goes to the shadow register
//! @p1 bra     loop
//! ```
//!
//! When the `setp` of a loop's test is evaluated, a modified subtraction of the same operands gives the number of
//! iterations that follow. It divides by the step of the index, which the document takes for one. A warp has one set of
//! counts: those of the loop whose test it evaluated last.

use heddle_ptx::early::LoopTest;
use heddle_ptx::exec::timed::Compared;
use heddle_ptx::exec::{LANES, Mask};

/// Bits of a count.
pub(super) const COUNT_BITS: u32 = 4;

/// Most that a shadow register counts.
const COUNT_MAX: u8 = (1 << COUNT_BITS) - 1;

/// The counts of a warp.
#[derive(Clone, Debug)]
pub(super) struct ShadowCounts {
    /// The loop that they are of.
    of_loop: usize,
    /// By lane: iterations that follow the last test.
    remaining: [u8; LANES],
}

impl ShadowCounts {
    /// Of a warp that has been in no loop.
    pub(super) fn new() -> ShadowCounts {
        ShadowCounts { of_loop: usize::MAX, remaining: [0; LANES] }
    }

    /// Lanes compare the index of a loop with its bound.
    pub(super) fn compared(&mut self, number: usize, test: &LoopTest, lanes: Mask, operands: &Compared) {
        if self.of_loop != number {
            *self = ShadowCounts { of_loop: number, ..ShadowCounts::new() };
        }
        let [index, bound] = operands;
        let mut rest = lanes;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            self.remaining[lane] = test.remaining(index[lane], bound[lane]).min(COUNT_MAX.into()) as u8;
        }
    }

    /// Lanes have left a loop.
    pub(super) fn left(&mut self, number: usize, lanes: Mask) {
        if self.of_loop == number {
            let gone = |lane: usize| lanes >> lane & 1 == 1;
            (0..LANES).filter(|&lane| gone(lane)).for_each(|lane| self.remaining[lane] = 0);
        }
    }

    /// The lanes that have at least so many iterations of a loop to go, the one that they are in included.
    pub(super) fn at_least(&self, number: usize, iterations: u32) -> Mask {
        if self.of_loop != number {
            return 0;
        }
        let more = (0..LANES).filter(|&lane| u32::from(self.remaining[lane]) >= iterations);
        more.fold(0, |more, lane| more | 1 << lane)
    }

    /// What some lanes have to go together, of a loop; none if that is not known.
    pub(super) fn sum(&self, number: usize, lanes: Mask) -> Option<u32> {
        let known = self.of_loop == number && lanes != 0;
        let counted = (0..LANES).filter(|lane| lanes >> lane & 1 == 1);
        known.then(|| counted.map(|lane| u32::from(self.remaining[lane])).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_ptx::ir::{Comparison, ScalarType};

    fn test(step: i64) -> LoopTest {
        LoopTest {
            instruction: 0,
            swapped: false,
            comparison: Comparison::Less,
            ty: ScalarType::S32,
            step,
            first: false,
        }
    }

    /// Lane n has n to its bound.
    fn staggered() -> Compared {
        [[0; LANES], std::array::from_fn(|lane| lane as u64)]
    }

    #[test]
    fn counts_saturate_at_four_bits() {
        let mut counts = ShadowCounts::new();
        counts.compared(3, &test(1), Mask::MAX, &staggered());
        assert_eq!(counts.at_least(3, 15), Mask::MAX << 15);
        assert_eq!(counts.at_least(3, 16), 0);
        assert_eq!(counts.sum(3, 0b1010), Some(1 + 3));
        assert_eq!(counts.sum(3, 1 << 31 | 1 << 20), Some(30));
    }

    #[test]
    fn only_lanes_that_compare_are_counted_and_a_step_divides() {
        let mut counts = ShadowCounts::new();
        counts.compared(0, &test(4), 0xff00, &staggered());
        assert_eq!(counts.at_least(0, 1), 0xff00);
        assert_eq!(counts.at_least(0, 3), 0xfe00, "nine are three steps of four");
    }

    #[test]
    fn a_warp_counts_one_loop_at_a_time() {
        let mut counts = ShadowCounts::new();
        counts.compared(0, &test(1), Mask::MAX, &staggered());
        counts.compared(1, &test(1), 0xf0, &staggered());
        assert_eq!((counts.at_least(0, 1), counts.at_least(1, 1)), (0, 0xf0));
        assert_eq!(counts.sum(0, 1), None);
        counts.left(1, 0x30);
        assert_eq!(counts.at_least(1, 1), 0xc0);
    }
}
