//! What each instruction reads, writes and needs for a moment, in values that want a register.

use super::placement::{Placement, placements, special_placement};
use crate::analysis::liveness::Effect;
use crate::analysis::operands::{Source, for_each_source, registers_read, registers_written};
use crate::ir::{
    AddressBase, AluOperation, Function, Operand, Operation, RegisterId, ScalarType, StateSpace,
};

/// The values of a function. A value's number is that of its PTX register.
#[derive(Debug)]
pub(super) struct Demand {
    /// By instruction.
    pub(super) effects: Vec<Effect>,
    /// By instruction: 32-bit units of operands that are brought into registers for it alone, one entry each.
    pub(super) temporaries: Vec<Vec<u32>>,
    /// Instructions that copy one value to another.
    pub(super) copies: Vec<Option<(u32, u32)>>,
}

/// 32-bit units of a value; none for predicates, which have a file of their own.
pub(super) fn units(ty: ScalarType) -> u32 {
    if ty == ScalarType::Pred { 0 } else { ty.bytes().div_ceil(4) }
}

impl Demand {
    pub(super) fn new(function: &Function) -> Demand {
        let placements = placements(function);
        let length = function.instructions.len();
        let mut demand = Demand {
            effects: Vec::with_capacity(length),
            temporaries: vec![Vec::new(); length],
            copies: vec![None; length],
        };
        for index in 0..length {
            let effect = demand.effect(function, &placements, index);
            demand.effects.push(effect);
        }
        demand
    }

    fn effect(&mut self, function: &Function, placements: &[Placement], index: usize) -> Effect {
        let instruction = &function.instructions[index];
        let mut effect = Effect { kills: instruction.guard.is_none(), ..Effect::default() };
        let (mut written, mut elsewhere) = (false, false);
        registers_written(instruction, |register| {
            written = true;
            match placements[register.0 as usize] {
                Placement::Register => effect.writes.push(register.0),
                _ => elsewhere = true,
            }
        });
        // What is computed elsewhere has no instruction here.
        if written && elsewhere {
            return Effect { kills: true, ..Effect::default() };
        }
        registers_read(instruction, |register| match placements[register.0 as usize] {
            Placement::Register => effect.reads.push(register.0),
            Placement::Folded(source) => effect.reads.push(source.0),
            Placement::Zero | Placement::Constant | Placement::Special => {}
        });
        self.temporaries[index] = temporaries(function, placements, index);
        self.copies[index] = copy(function, placements, index);
        effect
    }
}

/// The operands that an instruction cannot take where they are.
///
/// An arithmetic operation or a comparison takes one constant (in the instruction or from constant memory);
/// a zero is always at hand; what is stored, and an address in global memory, must be in registers; special
/// registers must be moved first.
fn temporaries(function: &Function, placements: &[Placement], index: usize) -> Vec<u32> {
    let operation = &function.instructions[index].operation;
    let mut constants_left = constants_taken(operation);
    let mut found = Vec::new();
    for_each_source(operation, |source| {
        let (placement, units) = match source {
            Source::Value(operand) => value(function, placements, operand, operation),
            Source::Address(address) => match address.base {
                AddressBase::Register(register) => register_value(function, placements, register),
                AddressBase::Symbol(_) | AddressBase::Absolute if is_global(operation) => {
                    (Placement::Constant, 2)
                }
                AddressBase::Symbol(_) | AddressBase::Absolute => (Placement::Register, 0),
            },
        };
        match placement {
            Placement::Constant if constants_left > 0 && matches!(source, Source::Value(_)) => {
                constants_left -= 1;
            }
            Placement::Constant | Placement::Special => found.push(units),
            Placement::Register | Placement::Zero | Placement::Folded(_) => {}
        }
    });
    found
}

fn value(
    function: &Function,
    placements: &[Placement],
    operand: &Operand,
    operation: &Operation,
) -> (Placement, u32) {
    let unit = match operation {
        Operation::Alu { ty, .. } | Operation::SetPredicate { ty, .. } => units(*ty).max(1),
        Operation::Store { access, .. } => units(access.ty).max(1),
        _ => 1,
    };
    match operand {
        Operand::Register(register) => register_value(function, placements, *register),
        Operand::Immediate(0) => (Placement::Zero, 0),
        Operand::Immediate(_) => (Placement::Constant, unit),
        Operand::Symbol(..) => (Placement::Constant, unit),
        Operand::Special(special) => (special_placement(*special), unit),
    }
}

fn register_value(function: &Function, placements: &[Placement], register: RegisterId) -> (Placement, u32) {
    let unit = units(function.registers[register.0 as usize].ty);
    (placements[register.0 as usize].clone(), unit)
}

fn is_global(operation: &Operation) -> bool {
    let space = match operation {
        Operation::Load { access, .. } | Operation::Store { access, .. } => access.space,
        Operation::Atomic { atomic, .. } => atomic.space,
        Operation::Prefetch { space, .. } => *space,
        _ => StateSpace::Global,
    };
    matches!(space, StateSpace::Global | StateSpace::Generic)
}

/// How many constants an operation takes as they are.
fn constants_taken(operation: &Operation) -> u32 {
    match operation {
        Operation::Alu { .. } | Operation::SetPredicate { .. } => 1,
        // Parameters of calls are stored to memory or moved to registers one after the other.
        Operation::Store { access, .. } if access.space == StateSpace::Parameter => u32::MAX,
        Operation::Load { .. } | Operation::Store { .. } | Operation::Atomic { .. } => 0,
        // Lanes, masks, barrier numbers are part of the instruction.
        _ => u32::MAX,
    }
}

/// The values that an instruction copies: to, from.
fn copy(function: &Function, placements: &[Placement], index: usize) -> Option<(u32, u32)> {
    let instruction = &function.instructions[index];
    let Operation::Alu { operation, destination, sources, .. } = &instruction.operation else { return None };
    let ([Operand::Register(source)], None) = (sources.as_slice(), instruction.guard) else { return None };
    let ty = |register: RegisterId| function.registers[register.0 as usize].ty;
    let copies = match operation {
        AluOperation::Move | AluOperation::FromGeneric(StateSpace::Global) => true,
        AluOperation::ToGeneric(space) => *space == StateSpace::Global,
        AluOperation::Convert(to) => !to.is_float() && !ty(*source).is_float() && to.bytes() >= 4,
        _ => false,
    };
    let same =
        units(ty(*source)) == units(ty(*destination)) && ty(*source).bytes() == ty(*destination).bytes();
    let in_register = placements[source.0 as usize] == Placement::Register;
    (copies && same && in_register).then_some((destination.0, source.0))
}
