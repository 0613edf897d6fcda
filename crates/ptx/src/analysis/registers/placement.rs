//! Which PTX registers need a register of the machine at all.

use crate::analysis::operands::{registers_read, registers_written};
use crate::ir::{AluOperation, Function, Instruction, Operand, Operation, RegisterId, ScalarType, Special};

/// Where the value of a PTX register is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// In a register, or in a predicate.
    Register,
    /// In the instruction or in constant memory: a constant, the address of a variable, the size of the block.
    Constant,
    /// Nowhere: zero, which every operation can have.
    Zero,
    /// In a special register that must be moved to a register before an operation can take it.
    Special,
    /// Computed by the addition that takes it, from this register.
    Folded(RegisterId),
}

/// The placement of every register of a function.
pub(super) fn placements(function: &Function) -> Vec<Placement> {
    let survey = Survey::new(function);
    let mut placements = vec![Placement::Register; function.registers.len()];
    // A copy of a constant is a constant: the second round sees copies that stand before their source.
    for _ in 0..2 {
        for (register, definition) in survey.definition.iter().enumerate() {
            let Definition::One(index) = *definition else { continue };
            if let Some(placement) = constant(&function.instructions[index], &placements) {
                placements[register] = placement;
            }
        }
    }
    for (register, definition) in survey.definition.iter().enumerate() {
        let Definition::One(index) = *definition else { continue };
        if let Some(source) = survey.folded(function, register, index)
            && placements[register] == Placement::Register
            && placements[source.0 as usize] == Placement::Register
        {
            placements[register] = Placement::Folded(source);
        }
    }
    placements
}

/// How often a register is written, all lanes at once or not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Definition {
    None,
    /// By this unguarded instruction alone.
    One(usize),
    Other,
}

struct Survey {
    definition: Vec<Definition>,
    readers: Vec<Vec<usize>>,
}

impl Survey {
    fn new(function: &Function) -> Survey {
        let count = function.registers.len();
        let mut survey =
            Survey { definition: vec![Definition::None; count], readers: vec![Vec::new(); count] };
        for (index, instruction) in function.instructions.iter().enumerate() {
            registers_read(instruction, |register| survey.readers[register.0 as usize].push(index));
            registers_written(instruction, |register| {
                let definition = &mut survey.definition[register.0 as usize];
                *definition = match definition {
                    Definition::None if instruction.guard.is_none() => Definition::One(index),
                    _ => Definition::Other,
                };
            });
        }
        survey
    }

    /// The 32-bit register that a widened index comes from, if every reader is a 64-bit addition (which then
    /// is a multiply-add, or adds a zero above the index), directly or through a shift that is one as well.
    fn folded(&self, function: &Function, register: usize, index: usize) -> Option<RegisterId> {
        let source = match alu(&function.instructions[index])? {
            (AluOperation::MultiplyWide, _, [Operand::Register(source), Operand::Immediate(_)]) => *source,
            (AluOperation::Convert(to), ScalarType::U32, [Operand::Register(source)]) if to.bytes() == 8 => {
                *source
            }
            (AluOperation::ShiftLeft, ty, [Operand::Register(wide), Operand::Immediate(_)])
                if ty.bytes() == 8 =>
            {
                self.zero_extended(function, *wide)?
            }
            _ => return None,
        };
        // The source must still have its value where the addition stands.
        let settled = matches!(self.definition[source.0 as usize], Definition::One(_));
        let added = |&reader: &usize| self.is_address_arithmetic(function, reader, register);
        (settled && self.readers[register].iter().all(added)).then_some(source)
    }

    /// The 32-bit register that a 64-bit one was zero-extended from.
    fn zero_extended(&self, function: &Function, wide: RegisterId) -> Option<RegisterId> {
        let Definition::One(index) = self.definition[wide.0 as usize] else { return None };
        match alu(&function.instructions[index])? {
            (AluOperation::Convert(to), ScalarType::U32, [Operand::Register(source)]) if to.bytes() == 8 => {
                Some(*source)
            }
            _ => None,
        }
    }

    fn is_address_arithmetic(&self, function: &Function, reader: usize, register: usize) -> bool {
        let instruction = &function.instructions[reader];
        match alu(instruction) {
            Some((AluOperation::Add, ty, sources)) => {
                let is_it = |source: &&Operand| **source == Operand::Register(RegisterId(register as u32));
                ty.bytes() == 8 && !ty.is_float() && sources.iter().filter(is_it).count() == 1
            }
            // A shift of a zero-extended index is folded itself if its own readers are additions.
            Some((AluOperation::ShiftLeft, _, _)) => {
                let mut folds = false;
                registers_written(instruction, |shifted| {
                    folds = self.definition[shifted.0 as usize] == Definition::One(reader)
                        && self.folded(function, shifted.0 as usize, reader).is_some();
                });
                folds
            }
            _ => false,
        }
    }
}

fn alu(instruction: &Instruction) -> Option<(AluOperation, ScalarType, &[Operand])> {
    match &instruction.operation {
        Operation::Alu { operation, ty, sources, .. } => Some((*operation, *ty, sources)),
        _ => None,
    }
}

/// The placement of what this instruction writes, if that need not be a register.
fn constant(instruction: &Instruction, placements: &[Placement]) -> Option<Placement> {
    match &instruction.operation {
        Operation::Alu { operation: AluOperation::Move, ty, sources, .. } if *ty != ScalarType::Pred => {
            copied(sources.first()?, placements)
        }
        // A global or constant address is the same number in generic space; the windows of shared and local
        // memory are constants as well.
        Operation::Alu {
            operation: AluOperation::FromGeneric(_) | AluOperation::ToGeneric(_),
            sources,
            ..
        } => copied(sources.first()?, placements),
        _ => None,
    }
}

fn copied(source: &Operand, placements: &[Placement]) -> Option<Placement> {
    match source {
        Operand::Immediate(0) => Some(Placement::Zero),
        Operand::Immediate(_) | Operand::Symbol(..) => Some(Placement::Constant),
        Operand::Special(special) => Some(special_placement(*special)),
        Operand::Register(register) => match &placements[register.0 as usize] {
            placement @ (Placement::Zero | Placement::Constant | Placement::Special) => {
                Some(placement.clone())
            }
            Placement::Register | Placement::Folded(_) => None,
        },
    }
}

/// The sizes of block and grid are in constant memory beside the parameters.
pub(super) fn special_placement(special: Special) -> Placement {
    match special {
        Special::BlockSize(_) | Special::GridSize(_) | Special::WarpSize => Placement::Constant,
        _ => Placement::Special,
    }
}
