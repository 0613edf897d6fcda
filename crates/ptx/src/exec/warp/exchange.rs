//! What operations among lanes compute (PTX ISA 8.5, sections 9.7.8.6 `shfl.sync` and 9.7.12.8 to 9.7.12.11
//! `vote`, `match`, `redux`, `elect`).
//!
//! A shuffle that reads a lane which does not take part, which the ISA leaves undefined, gives the reader's own
//! value.

use crate::exec::CollectiveAction;
use crate::exec::lanes::{LANES, Mask};
use crate::ir::{Reduction, ScalarType, ShuffleMode, VoteMode};

/// What each lane brings, or takes away.
#[derive(Clone, Debug)]
pub(super) struct Inputs {
    /// The value.
    pub(super) values: [u64; LANES],
    /// Lane operand of a shuffle.
    pub(super) lanes: [u32; LANES],
    /// Clamp operand of a shuffle.
    pub(super) clamps: [u32; LANES],
    /// The predicate.
    pub(super) truth: Mask,
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs { values: [0; LANES], lanes: [0; LANES], clamps: [0; LANES], truth: 0 }
    }
}

impl Inputs {
    /// Takes the lanes of `mask` from another.
    pub(super) fn join(&mut self, other: &Inputs, mask: Mask) {
        for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
            self.values[lane] = other.values[lane];
            self.lanes[lane] = other.lanes[lane];
            self.clamps[lane] = other.clamps[lane];
        }
        self.truth |= other.truth & mask;
    }
}

/// Computes an operation among these lanes. Outputs are values and predicates.
pub(super) fn exchange(action: CollectiveAction, inputs: &Inputs, mask: Mask) -> Inputs {
    let mut outputs = Inputs::default();
    match action {
        CollectiveAction::Barrier => {}
        CollectiveAction::Shuffle(mode) => shuffle(mode, inputs, mask, &mut outputs),
        CollectiveAction::Vote(mode) => {
            let truth = inputs.truth & mask;
            let answer = match mode {
                VoteMode::All => truth == mask,
                VoteMode::Any => truth != 0,
                VoteMode::Uniform => truth == 0 || truth == mask,
                VoteMode::Ballot => false,
            };
            outputs.truth = if answer { Mask::MAX } else { 0 };
            outputs.values = [u64::from(truth); LANES];
        }
        CollectiveAction::Match { all } => find_equal(all, inputs, mask, &mut outputs),
        CollectiveAction::Reduce(operation, ty) => {
            let values = lanes_of(mask).map(|lane| inputs.values[lane] as u32);
            let result = values.reduce(|a, b| reduce(operation, ty, a, b)).unwrap_or_default();
            outputs.values = [u64::from(result); LANES];
        }
        CollectiveAction::Elect => {
            let leader = mask.trailing_zeros();
            outputs.truth = mask & mask.wrapping_neg();
            outputs.values = [u64::from(leader); LANES];
        }
        CollectiveAction::ActiveMask => outputs.values = [u64::from(mask); LANES],
    }
    outputs
}

fn lanes_of(mask: Mask) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}

fn shuffle(mode: ShuffleMode, inputs: &Inputs, mask: Mask, outputs: &mut Inputs) {
    for lane in 0..LANES as u32 {
        let index = lane as usize;
        let (operand, clamp) = (inputs.lanes[index] & 31, inputs.clamps[index] & 31);
        let segment = inputs.clamps[index] >> 8 & 31;
        let last = lane & segment | clamp & !segment;
        let first = lane & segment;
        let (from, in_range) = match mode {
            // Signed, as a lane below zero is out of range.
            ShuffleMode::Up => (lane.wrapping_sub(operand), lane as i32 - operand as i32 >= last as i32),
            ShuffleMode::Down => (lane + operand, lane + operand <= last),
            ShuffleMode::Butterfly => (lane ^ operand, lane ^ operand <= last),
            ShuffleMode::Index => {
                let from = first | operand & !segment & 31;
                (from, from <= last)
            }
        };
        let takes_part = in_range && mask.checked_shr(from).unwrap_or_default() & 1 == 1;
        let from = if takes_part { from as usize } else { index };
        outputs.values[index] = inputs.values[from];
        outputs.truth |= Mask::from(in_range) << lane;
    }
}

fn find_equal(all: bool, inputs: &Inputs, mask: Mask, outputs: &mut Inputs) {
    for lane in lanes_of(mask) {
        let equal = lanes_of(mask).filter(|&other| inputs.values[other] == inputs.values[lane]);
        let equal = equal.fold(0, |lanes: Mask, other| lanes | 1 << other);
        let answer = !all || equal == mask;
        outputs.values[lane] = if answer { u64::from(equal) } else { 0 };
        outputs.truth |= Mask::from(answer) << lane;
    }
}

fn reduce(operation: Reduction, ty: ScalarType, a: u32, b: u32) -> u32 {
    match (operation, ty.is_signed()) {
        (Reduction::Add, _) => a.wrapping_add(b),
        (Reduction::Minimum, false) => a.min(b),
        (Reduction::Minimum, true) => (a as i32).min(b as i32) as u32,
        (Reduction::Maximum, false) => a.max(b),
        (Reduction::Maximum, true) => (a as i32).max(b as i32) as u32,
        (Reduction::And, _) => a & b,
        (Reduction::Or, _) => a | b,
        (Reduction::Xor, _) => a ^ b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(lane: u32, clamp: u32) -> Inputs {
        Inputs {
            values: std::array::from_fn(|lane| 100 + lane as u64),
            lanes: [lane; LANES],
            clamps: [clamp; LANES],
            truth: 0,
        }
    }

    fn shuffled(mode: ShuffleMode, lane: u32, clamp: u32, mask: Mask) -> Inputs {
        exchange(CollectiveAction::Shuffle(mode), &inputs(lane, clamp), mask)
    }

    #[test]
    fn shuffles_read_the_lane_that_the_mode_names() {
        assert_eq!(shuffled(ShuffleMode::Down, 4, 0x1f, Mask::MAX).values[3], 107);
        assert_eq!(shuffled(ShuffleMode::Up, 4, 0, Mask::MAX).values[7], 103);
        assert_eq!(shuffled(ShuffleMode::Butterfly, 1, 0x1f, Mask::MAX).values[6], 107);
        assert_eq!(shuffled(ShuffleMode::Index, 9, 0x1f, Mask::MAX).values[30], 109);
    }

    #[test]
    fn lanes_out_of_range_keep_their_value_and_say_so() {
        let down = shuffled(ShuffleMode::Down, 4, 0x1f, Mask::MAX);
        assert_eq!((down.values[29], down.truth), (129, 0x0fff_ffff));
        let up = shuffled(ShuffleMode::Up, 4, 0, Mask::MAX);
        assert_eq!((up.values[2], up.truth), (102, 0xffff_fff0));
    }

    #[test]
    fn segments_of_eight_lanes_stay_among_themselves() {
        let down = shuffled(ShuffleMode::Down, 4, 0x181f, Mask::MAX);
        assert_eq!((down.values[9], down.values[13]), (113, 113));
        let index = shuffled(ShuffleMode::Index, 2, 0x181f, Mask::MAX);
        assert_eq!(index.values[29], 126);
    }

    #[test]
    fn a_lane_that_does_not_take_part_is_not_read() {
        assert_eq!(shuffled(ShuffleMode::Index, 9, 0x1f, 0xff).values[3], 103);
    }
}
