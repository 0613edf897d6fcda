//! How a register changes from one iteration of a loop to the next.

use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::Dominators;
use crate::analysis::loops::Loops;
use crate::analysis::operands::{registers_read, registers_written};
use crate::ir::{AluOperation, Function, Operand, Operation, RegisterId};

/// The change of a value per iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing is known yet.
    Open,
    /// By this constant; 0 for what the loop does not change.
    Constant(i64),
    /// By the same amount each time, which is not a constant of the program.
    Invariant,
    /// By no fixed amount.
    Varies,
}

/// What is known of the registers in one loop.
#[derive(Debug)]
pub(super) struct Steps {
    /// By register.
    pub(super) step: Vec<Step>,
    /// By register: the first instruction of the loop that loads something the value depends on.
    pub(super) depends_on: Vec<Option<usize>>,
}

/// The function around a loop.
pub(super) struct Context<'a> {
    pub(super) function: &'a Function,
    pub(super) cfg: &'a Cfg,
    pub(super) dominators: &'a Dominators,
    pub(super) loops: &'a Loops,
}

/// Copies and additions between a definition and the register that it updates; longer chains are not followed.
const CHAIN_MAX: usize = 16;

impl Steps {
    /// Of the loop with this number.
    pub(super) fn new(context: &Context<'_>, number: usize) -> Steps {
        let function = context.function;
        let blocks = context.loops.blocks(number);
        let instructions: Vec<usize> =
            blocks.iter().flat_map(|&block| context.cfg.blocks[block].instructions.clone()).collect();
        let mut definitions: Vec<Vec<usize>> = vec![Vec::new(); function.registers.len()];
        for &index in &instructions {
            registers_written(&function.instructions[index], |register| {
                definitions[register.0 as usize].push(index);
            });
        }
        let mut step = vec![Step::Constant(0); function.registers.len()];
        for register in (0..step.len()).filter(|&register| !definitions[register].is_empty()) {
            step[register] = match induction(context, number, &definitions, register) {
                // One definition that is no update of the old value is an expression of other values.
                Step::Varies if definitions[register].len() == 1 => Step::Open,
                step => step,
            };
        }
        settle(function, &instructions, &definitions, &mut step);
        let depends_on = dependences(function, &instructions);
        Steps { step, depends_on }
    }
}

/// Follows copies and additions of constants from a definition back to the register that it updates; gives the
/// sum of the constants.
fn walk(function: &Function, definitions: &[Vec<usize>], register: usize, index: usize) -> Option<i64> {
    let (mut at, mut sum) = (index, 0i64);
    for _ in 0..CHAIN_MAX {
        let (source, constant) = increment(function, at)?;
        sum = sum.wrapping_add(constant);
        if source.0 as usize == register {
            return Some(sum);
        }
        let [next] = definitions[source.0 as usize][..] else { return None };
        at = next;
    }
    None
}

/// The register and the constant of an unguarded `d = register + constant`.
fn increment(function: &Function, index: usize) -> Option<(RegisterId, i64)> {
    let instruction = &function.instructions[index];
    let Operation::Alu { operation, sources, .. } = &instruction.operation else { return None };
    if instruction.guard.is_some() {
        return None;
    }
    match (operation, sources.as_slice()) {
        (AluOperation::Move | AluOperation::Convert(_), [Operand::Register(source)]) => Some((*source, 0)),
        (AluOperation::FromGeneric(_) | AluOperation::ToGeneric(_), [Operand::Register(source)]) => {
            Some((*source, 0))
        }
        (AluOperation::Add, [Operand::Register(source), Operand::Immediate(constant)])
        | (AluOperation::Add, [Operand::Immediate(constant), Operand::Register(source)]) => {
            Some((*source, *constant as i64))
        }
        (AluOperation::Subtract, [Operand::Register(source), Operand::Immediate(constant)]) => {
            Some((*source, (*constant as i64).wrapping_neg()))
        }
        _ => None,
    }
}

/// The step of a register that the loop updates from its own old value.
fn induction(context: &Context<'_>, number: usize, definitions: &[Vec<usize>], register: usize) -> Step {
    let block_of = |index: usize| context.cfg.block_of[index];
    let own = &definitions[register];
    // A definition in an inner loop is executed any number of times per iteration.
    if own.iter().any(|&index| context.loops.innermost[block_of(index)] != Some(number)) {
        return Step::Varies;
    }
    let latches = &context.loops.loops[number].latches;
    let covers = |index: usize, latch: usize| context.dominators.dominates(block_of(index), latch);
    let every_iteration = |&index: &usize| latches.iter().all(|&latch| covers(index, latch));
    let amounts: Vec<Option<i64>> =
        own.iter().map(|&index| walk(context.function, definitions, register, index)).collect();
    if own.iter().all(every_iteration) {
        let direct = |&index: &usize| {
            increment(context.function, index).is_some_and(|(source, _)| source.0 as usize == register)
        };
        if own.len() == 1 || own.iter().all(direct) {
            let sum = amounts.iter().try_fold(0i64, |sum, amount| Some(sum.wrapping_add((*amount)?)));
            return sum.map_or_else(|| invariant_update(context, definitions, register), Step::Constant);
        }
        return Step::Varies;
    }
    // One definition on each way back, all by the same amount.
    let exactly_one = |&latch: &usize| own.iter().filter(|&&index| covers(index, latch)).count() == 1;
    match amounts.first() {
        Some(Some(amount)) if latches.iter().all(exactly_one) && own.len() == latches.len() => {
            let same = amounts.iter().all(|other| *other == Some(*amount));
            if same { Step::Constant(*amount) } else { Step::Varies }
        }
        _ => Step::Varies,
    }
}

/// `r = r + s` where the loop does not change `s`: an unknown but fixed step.
fn invariant_update(context: &Context<'_>, definitions: &[Vec<usize>], register: usize) -> Step {
    let own = Operand::Register(RegisterId(register as u32));
    let is_fixed = |operand: &Operand| match operand {
        Operand::Register(other) => definitions[other.0 as usize].is_empty(),
        _ => true,
    };
    let mut at = match definitions[register][..] {
        [index] => index,
        _ => return Step::Varies,
    };
    for _ in 0..CHAIN_MAX {
        let instruction = &context.function.instructions[at];
        let Operation::Alu { operation, sources, .. } = &instruction.operation else { return Step::Varies };
        if instruction.guard.is_some() {
            return Step::Varies;
        }
        match (operation, sources.as_slice()) {
            (AluOperation::Add, [one, other]) if *one == own && is_fixed(other) => return Step::Invariant,
            (AluOperation::Add, [one, other]) if *other == own && is_fixed(one) => return Step::Invariant,
            (AluOperation::Subtract, [one, other]) if *one == own && is_fixed(other) => {
                return Step::Invariant;
            }
            (AluOperation::Move | AluOperation::Convert(_), [Operand::Register(source)]) => {
                match definitions[source.0 as usize][..] {
                    [next] => at = next,
                    _ => return Step::Varies,
                }
            }
            _ => return Step::Varies,
        }
    }
    Step::Varies
}

/// Carries steps through the arithmetic of the loop until nothing changes.
fn settle(function: &Function, instructions: &[usize], definitions: &[Vec<usize>], step: &mut [Step]) {
    // A definition stands before its uses in the text but for what a branch turns around, so that a round
    // settles nearly everything.
    for _ in 0..CHAIN_MAX {
        let mut changed = false;
        for &index in instructions {
            let instruction = &function.instructions[index];
            registers_written(instruction, |register| {
                let register = register.0 as usize;
                if step[register] == Step::Open && definitions[register] == [index] {
                    let result = match instruction.guard {
                        None => result_step(&instruction.operation, step),
                        Some(_) => Step::Varies,
                    };
                    changed |= result != Step::Open;
                    step[register] = result;
                }
            });
        }
        if !changed {
            break;
        }
    }
    step.iter_mut().filter(|step| **step == Step::Open).for_each(|step| *step = Step::Varies);
}

/// The step of what an operation computes.
fn result_step(operation: &Operation, step: &[Step]) -> Step {
    let Operation::Alu { operation, sources, .. } = operation else { return Step::Varies };
    let of = |operand: &Operand| match operand {
        Operand::Register(register) => step[register.0 as usize],
        _ => Step::Constant(0),
    };
    let steps: Vec<Step> = sources.iter().map(of).collect();
    if steps.contains(&Step::Open) {
        return Step::Open;
    }
    if steps.iter().all(|&step| step == Step::Constant(0)) {
        return Step::Constant(0);
    }
    use AluOperation as Alu;
    match (operation, sources.as_slice(), steps.as_slice()) {
        (Alu::Move | Alu::Convert(_) | Alu::FromGeneric(_) | Alu::ToGeneric(_), _, [one]) => *one,
        (Alu::Add, _, [one, other]) => sum(*one, *other),
        (Alu::Subtract, _, [one, other]) => sum(*one, scale(*other, Some(-1))),
        (Alu::Multiply | Alu::MultiplyWide | Alu::Multiply24, [a, b], [one, other]) => {
            product(a, *one, b, *other)
        }
        (Alu::MultiplyAdd | Alu::MultiplyAddWide | Alu::MultiplyAdd24, [a, b, _], [one, other, third]) => {
            sum(product(a, *one, b, *other), *third)
        }
        (Alu::ShiftLeft, [_, Operand::Immediate(by)], [one, _]) => {
            scale(*one, u32::try_from(*by).ok().and_then(|by| 1i64.checked_shl(by)))
        }
        (Alu::ShiftLeft, _, [one, Step::Constant(0)]) => scale(*one, None),
        (Alu::Negate, _, [one]) => scale(*one, Some(-1)),
        _ => Step::Varies,
    }
}

fn sum(one: Step, other: Step) -> Step {
    match (one, other) {
        (Step::Constant(one), Step::Constant(other)) => Step::Constant(one.wrapping_add(other)),
        (Step::Varies | Step::Open, _) | (_, Step::Varies | Step::Open) => Step::Varies,
        _ => Step::Invariant,
    }
}

/// A step times a factor that the loop does not change; none if it is no constant of the program.
fn scale(step: Step, factor: Option<i64>) -> Step {
    match (step, factor) {
        (Step::Constant(0), _) => Step::Constant(0),
        (Step::Constant(step), Some(factor)) => Step::Constant(step.wrapping_mul(factor)),
        (Step::Constant(_) | Step::Invariant, _) => Step::Invariant,
        (Step::Varies | Step::Open, _) => Step::Varies,
    }
}

fn product(a: &Operand, one: Step, b: &Operand, other: Step) -> Step {
    let constant = |operand: &Operand| match operand {
        Operand::Immediate(value) => Some(*value as i64),
        _ => None,
    };
    match (one, other) {
        (step, Step::Constant(0)) => scale(step, constant(b)),
        (Step::Constant(0), step) => scale(step, constant(a)),
        _ => Step::Varies,
    }
}

/// For each register the first load of the loop that it depends on, through anything that computes.
fn dependences(function: &Function, instructions: &[usize]) -> Vec<Option<usize>> {
    let mut depends: Vec<Option<usize>> = vec![None; function.registers.len()];
    loop {
        let mut changed = false;
        for &index in instructions {
            let instruction = &function.instructions[index];
            let mut source: Option<usize> = None;
            match &instruction.operation {
                Operation::Load { .. } | Operation::Atomic { .. } | Operation::Texture { .. } => {
                    source = Some(index);
                }
                _ => registers_read(instruction, |register| {
                    source = least(source, depends[register.0 as usize]);
                }),
            }
            registers_written(instruction, |register| {
                let known = &mut depends[register.0 as usize];
                let better = least(*known, source);
                changed |= better != *known;
                *known = better;
            });
        }
        if !changed {
            return depends;
        }
    }
}

fn least(one: Option<usize>, other: Option<usize>) -> Option<usize> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        _ => one.or(other),
    }
}
