//! How many iterations a loop has to go, by the operands of its test.

use crate::ir::{Comparison, ScalarType};

/// A comparison of an induction variable with a bound that the loop does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopTest {
    /// The `setp`.
    pub instruction: usize,
    /// Whether the induction variable is its second operand.
    pub swapped: bool,
    /// The loop goes on as long as the induction variable compares so with the bound.
    pub comparison: Comparison,
    /// Type of the comparison.
    pub ty: ScalarType,
    /// Change of the induction variable from one test to the next.
    pub step: i64,
    /// Whether it stands before the loads of the iteration that it decides about.
    pub first: bool,
}

impl LoopTest {
    /// How many iterations follow a test with these operands.
    #[inline]
    pub fn remaining(&self, index: u64, bound: u64) -> u64 {
        let wide = self.ty.bytes() == 8;
        let signed = self.ty.is_signed();
        // Shifted so that unsigned order is the order of the type.
        let ordered = |value: u64| match (wide, signed) {
            (true, true) => value ^ 1 << 63,
            (true, false) => value,
            (false, true) => u64::from(value as u32 ^ 1 << 31),
            (false, false) => u64::from(value as u32),
        };
        let (index, bound) = (ordered(index), ordered(bound));
        let step = self.step.unsigned_abs();
        match self.comparison {
            Comparison::Less if index < bound => (bound - index).div_ceil(step),
            Comparison::LessEqual if index <= bound => ((bound - index) / step).saturating_add(1),
            Comparison::Greater if index > bound => (index - bound).div_ceil(step),
            Comparison::GreaterEqual if index >= bound => ((index - bound) / step).saturating_add(1),
            Comparison::NotEqual => {
                let away = if self.step > 0 { bound.wrapping_sub(index) } else { index.wrapping_sub(bound) };
                let away = if wide { away } else { u64::from(away as u32) };
                // One that jumps over the bound comes round again some time.
                if away % step == 0 { away / step } else { u64::MAX }
            }
            _ => 0,
        }
    }
}

/// Whether an induction variable with this step comes to an end of the comparison without wrapping around.
pub fn is_counting(comparison: Comparison, step: i64) -> bool {
    match comparison {
        Comparison::Less | Comparison::LessEqual => step > 0,
        Comparison::Greater | Comparison::GreaterEqual => step < 0,
        Comparison::NotEqual => step != 0,
        _ => false,
    }
}

/// The comparison that holds where this one does not.
pub fn opposite(comparison: Comparison) -> Option<Comparison> {
    Some(match comparison {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
        _ => return None,
    })
}

/// The comparison with its operands exchanged.
pub fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(comparison: Comparison, ty: ScalarType, step: i64) -> LoopTest {
        LoopTest { instruction: 0, swapped: false, comparison, ty, step, first: false }
    }

    /// Counts by running the loop.
    fn counted(test: &LoopTest, mut index: i64, bound: i64) -> u64 {
        let holds = |index: i64| match test.comparison {
            Comparison::Less => index < bound,
            Comparison::LessEqual => index <= bound,
            Comparison::Greater => index > bound,
            Comparison::GreaterEqual => index >= bound,
            _ => index != bound,
        };
        let mut count = 0;
        while holds(index) {
            index += test.step;
            count += 1;
        }
        count
    }

    #[test]
    fn remaining_iterations_are_those_that_the_loop_makes() {
        use Comparison as C;
        for (comparison, steps) in [
            (C::Less, [1, 3]),
            (C::LessEqual, [1, 3]),
            (C::Greater, [-1, -3]),
            (C::GreaterEqual, [-1, -3]),
            (C::NotEqual, [1, -1]),
        ] {
            for step in steps {
                for (ty, low) in [(ScalarType::S32, -9), (ScalarType::S64, -9), (ScalarType::U32, 5)] {
                    let test = test(comparison, ty, step);
                    for (index, bound) in (low..low + 14).flat_map(|a| (low..low + 14).map(move |b| (a, b))) {
                        let ends = comparison != C::NotEqual || (bound - index) * step >= 0;
                        if ends {
                            let expected = counted(&test, index, bound);
                            assert_eq!(
                                test.remaining(index as u64, bound as u64),
                                expected,
                                "{test:?} {index} {bound}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_bound_that_is_jumped_over_is_far_away() {
        assert_eq!(test(Comparison::NotEqual, ScalarType::U32, 2).remaining(0, 3), u64::MAX);
        assert_eq!(test(Comparison::Less, ScalarType::U32, 1).remaining(u64::from(u32::MAX), 3), 0);
    }
}
