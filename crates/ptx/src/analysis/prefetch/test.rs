//! The test of a loop: which comparison decides whether it goes on, and how often it will.

use super::body::Body;
use crate::early::{LoopTest, is_counting, mirrored, opposite};
use crate::ir::{Instruction, Operand, Operation, RegisterId};

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
