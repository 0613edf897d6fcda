//! The test of a loop: which comparison decides whether it goes on, and how often it will.

use super::body::Body;
use crate::ir::{Comparison, Instruction, Operand, Operation, RegisterId, ScalarType};

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

/// What tells the number of iterations before a loop is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// The test itself, which is the first thing of every iteration.
    Test,
    /// A `setp` on the same values; whether the induction variable is its second operand.
    Comparison(usize, bool),
    /// Nothing: the test's comparison is made once more where the loop is entered.
    Nothing,
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

/// The test of a loop that has one.
pub(super) fn find(body: &Body<'_>) -> Option<(LoopTest, Before)> {
    body.instructions().find_map(|(branch, instruction)| {
        let (test, index, bound) = test_of(body, branch, instruction)?;
        if test.first {
            return Some((test, Before::Test));
        }
        // Values at the entry are those of a test before the first only if each test follows an update.
        let update = body.induction(index)?.update;
        body.precedes(update, test.instruction).then(|| (test, before(body, index, bound)))
    })
}

/// The test that decides about a branch out of the loop, with its operands.
fn test_of(
    body: &Body<'_>,
    branch: usize,
    instruction: &Instruction,
) -> Option<(LoopTest, RegisterId, Operand)> {
    let Instruction { guard: Some(guard), operation: Operation::Branch { target, .. } } = instruction else {
        return None;
    };
    let stays = body.is_inside(*target);
    if stays == body.goes_on_behind(branch) || !body.is_in_every_iteration(branch) {
        return None;
    }
    let place = body.definition(guard.register)?;
    let Instruction { guard: None, operation } = &body.function.instructions[place] else { return None };
    let Operation::SetPredicate { comparison, ty, destination, complement, sources, combine: None, .. } =
        operation
    else {
        return None;
    };
    if !body.precedes(place, branch) || ty.is_float() || ty.bytes() < 4 || destination == complement {
        return None;
    }
    let complemented = *complement == Some(guard.register);
    let holds = if stays ^ guard.negated ^ complemented { *comparison } else { opposite(*comparison)? };
    let bound_is_fixed = |operand: &Operand| match operand {
        Operand::Register(register) => body.is_invariant(*register),
        Operand::Immediate(_) => true,
        _ => false,
    };
    let (index, bound, swapped) = match sources {
        [Operand::Register(index), bound] if bound_is_fixed(bound) => (*index, *bound, false),
        [bound, Operand::Register(index)] if bound_is_fixed(bound) => (*index, *bound, true),
        _ => return None,
    };
    let comparison = if swapped { mirrored(holds) } else { holds };
    let step = body.induction(index)?.step;
    let first = body.instructions().all(|(index, other)| {
        !matches!(other.operation, Operation::Load { .. }) || body.precedes(place, index)
    });
    let test = LoopTest { instruction: place, swapped, comparison, ty: *ty, step, first };
    is_counting(comparison, step).then_some((test, index, bound))
}

/// Whether an induction variable with this step comes to an end of the comparison without wrapping around.
fn is_counting(comparison: Comparison, step: i64) -> bool {
    match comparison {
        Comparison::Less | Comparison::LessEqual => step > 0,
        Comparison::Greater | Comparison::GreaterEqual => step < 0,
        Comparison::NotEqual => step != 0,
        _ => false,
    }
}

/// The comparison that holds where this one does not.
fn opposite(comparison: Comparison) -> Option<Comparison> {
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
fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        other => other,
    }
}

/// The comparison before the loop that has the values of its test.
fn before(body: &Body<'_>, index: RegisterId, bound: Operand) -> Before {
    let found = (0..body.function.instructions.len()).find_map(|place| {
        let Instruction { guard: None, operation: Operation::SetPredicate { sources: [one, other], .. } } =
            &body.function.instructions[place]
        else {
            return None;
        };
        if !body.is_before(place) || !is_settled(body, bound, place) {
            return None;
        }
        let is_index = |operand: Operand| {
            operand == Operand::Register(index) && is_settled(body, operand, place)
                || copied(body, index) == Some(operand) && is_settled(body, operand, place)
        };
        match () {
            () if is_index(*one) && *other == bound => Some(Before::Comparison(place, false)),
            () if is_index(*other) && *one == bound => Some(Before::Comparison(place, true)),
            () => None,
        }
    });
    found.unwrap_or(Before::Nothing)
}

/// Whether an operand has its last value, but for the updates of the loop, before an instruction.
fn is_settled(body: &Body<'_>, operand: Operand, place: usize) -> bool {
    match operand {
        Operand::Register(register) => {
            body.definitions_outside(register).iter().all(|&write| body.precedes(write, place))
        }
        _ => true,
    }
}

/// What an induction variable starts as, if that is copied to it. A register that is copied must be one that the loop
/// leaves alone.
fn copied(body: &Body<'_>, index: RegisterId) -> Option<Operand> {
    let [place] = *body.definitions_outside(index) else { return None };
    let Instruction { guard: None, operation } = &body.function.instructions[place] else { return None };
    let Operation::Alu { operation: crate::ir::AluOperation::Move, sources, .. } = operation else {
        return None;
    };
    let [source] = sources[..] else { return None };
    let keeps = match source {
        Operand::Register(register) => body.is_invariant(register),
        Operand::Immediate(_) => true,
        _ => false,
    };
    (keeps && body.is_before(place)).then_some(source)
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
