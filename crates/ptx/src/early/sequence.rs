//! The instructions that make a load early, over registers of the kernel and temporaries.

use super::{Advance, Candidate, Step};
use crate::analysis::operands::{registers_read, registers_written};
use crate::ir::{
    Address, AddressBase, AluMode, AluOperation, Function, Instruction, Operand, Operation, RegisterId,
    ScalarType,
};

/// A sequence whose own registers have no numbers in the register file yet: behind those of the kernel come its
/// temporaries, then what it loads, then what its head loaded.
#[derive(Clone, Debug)]
pub struct Sequence {
    pub(super) instructions: Vec<Instruction>,
    pub(super) temporaries: Vec<ScalarType>,
    pub(super) loaded: ScalarType,
    /// Registers of 32 bits that the temporaries take at once.
    pub(super) temporary_registers: u32,
}

/// Registers of 32 bits that a value takes.
pub(super) fn registers_of(ty: ScalarType) -> u32 {
    ty.bytes().div_ceil(4)
}

impl Sequence {
    /// What makes a load so many iterations early; `head` is the load that brings its index.
    pub(super) fn new(
        function: &Function,
        candidate: &Candidate,
        head: Option<usize>,
        distance: u32,
    ) -> Sequence {
        let own = function.registers.len() as u32;
        let (instructions, temporaries) = match fold(function, candidate, distance) {
            Some(instruction) => (vec![instruction], Vec::new()),
            None => copied(function, candidate, distance),
        };
        let brought = |load: usize| match &function.instructions[load].operation {
            Operation::Load { destinations, .. } => destinations.iter().flatten().next().copied(),
            _ => None,
        };
        let loaded = brought(candidate.load)
            .map_or(ScalarType::B32, |register| function.registers[register.0 as usize].ty);
        let first_loaded = own + temporaries.len() as u32;
        let of_head = head.and_then(brought);
        let mut sequence = Sequence { instructions, temporaries, loaded, temporary_registers: 0 };
        for instruction in &mut sequence.instructions {
            rename_reads(instruction, |register| match of_head == Some(register) {
                true => RegisterId(first_loaded + 1),
                false => register,
            });
        }
        if let Some(Instruction { operation: Operation::Load { destinations, .. }, .. }) =
            sequence.instructions.last_mut()
        {
            destinations.iter_mut().flatten().for_each(|register| *register = RegisterId(first_loaded));
        }
        sequence.temporary_registers = sequence.live_at_once(own);
        sequence
    }

    /// Registers of 32 bits that temporaries take where most are live. A result may take the place of an operand
    /// that is read for the last time.
    fn live_at_once(&self, own: u32) -> u32 {
        let temporaries = own..own + self.temporaries.len() as u32;
        let size = |number: usize| registers_of(self.temporaries[number]);
        let mut last = vec![0; self.temporaries.len()];
        for (place, instruction) in self.instructions.iter().enumerate() {
            registers_read(instruction, |register| {
                if temporaries.contains(&register.0) {
                    last[(register.0 - own) as usize] = place;
                }
            });
        }
        let mut live = vec![false; self.temporaries.len()];
        let mut most = 0;
        for (place, instruction) in self.instructions.iter().enumerate() {
            (0..last.len()).filter(|&number| last[number] == place).for_each(|number| live[number] = false);
            registers_written(instruction, |register| {
                if temporaries.contains(&register.0) {
                    live[(register.0 - own) as usize] = true;
                }
            });
            most = most.max((0..live.len()).filter(|&number| live[number]).map(size).sum());
        }
        most
    }

    /// The instructions with the numbers that the sequence's own registers get; without a number for what is loaded,
    /// it goes to the caches alone.
    pub(super) fn renamed(
        &self,
        own: u32,
        temporaries: &[RegisterId],
        loaded: Option<RegisterId>,
        of_head: Option<RegisterId>,
    ) -> Vec<Instruction> {
        let name = |register: RegisterId| {
            let Some(place) = register.0.checked_sub(own) else { return register };
            match (place as usize).checked_sub(temporaries.len()) {
                None => temporaries[place as usize],
                Some(0) => loaded.unwrap_or(register),
                Some(_) => of_head.unwrap_or(register),
            }
        };
        let mut instructions = self.instructions.clone();
        for instruction in &mut instructions {
            rename_reads(instruction, name);
            match &mut instruction.operation {
                Operation::Alu { destination, .. } => *destination = name(*destination),
                Operation::Load { destinations, .. } => {
                    destinations.iter_mut().for_each(|to| *to = to.and(loaded));
                }
                _ => {}
            }
        }
        instructions
    }
}

/// A load whose address is advanced by a constant: the step is part of its offset, and nothing has to be computed.
fn fold(function: &Function, candidate: &Candidate, distance: u32) -> Option<Instruction> {
    let [Advance { register, step: Step::Constant(step), .. }] = candidate.advances[..] else { return None };
    let mut instruction = function.instructions[candidate.load].clone();
    let Operation::Load { address, .. } = &mut instruction.operation else { return None };
    if !candidate.slice.is_empty() || address.base != AddressBase::Register(register) {
        return None;
    }
    address.offset = address.offset.wrapping_add(step.wrapping_mul(distance.into()));
    Some(instruction)
}

/// The slice with its registers advanced, and its results in temporaries.
fn copied(function: &Function, candidate: &Candidate, distance: u32) -> (Vec<Instruction>, Vec<ScalarType>) {
    let own = function.registers.len() as u32;
    let mut names: Vec<(RegisterId, RegisterId)> = Vec::new();
    let mut temporaries = Vec::new();
    let mut instructions = Vec::new();
    for &Advance { register, step, ty } in &candidate.advances {
        let destination = RegisterId(own + temporaries.len() as u32);
        temporaries.push(function.registers[register.0 as usize].ty);
        let add = |from: RegisterId, by: Operand| {
            let sources = vec![Operand::Register(from), by];
            let (operation, mode) = (AluOperation::Add, AluMode::default());
            let operation = Operation::Alu { operation, ty, mode, destination, sources };
            Instruction { guard: None, operation }
        };
        match step {
            Step::Constant(step) => {
                let whole = step.wrapping_mul(distance.into());
                instructions.push(add(register, Operand::Immediate(whole as u64)));
            }
            // The loop's own update, as often as it will be made.
            Step::Register(by) => {
                let again = (1..distance).map(|_| destination);
                let from = std::iter::once(register).chain(again);
                instructions.extend(from.map(|from| add(from, Operand::Register(by))));
            }
        }
        names.push((register, destination));
    }
    for &index in candidate.slice.iter().chain([&candidate.load]) {
        let mut instruction = function.instructions[index].clone();
        rename_reads(&mut instruction, |register| {
            names.iter().find(|(old, _)| *old == register).map_or(register, |(_, new)| *new)
        });
        if let Operation::Alu { destination, .. } = &mut instruction.operation {
            let name = RegisterId(own + temporaries.len() as u32);
            temporaries.push(function.registers[destination.0 as usize].ty);
            names.push((*destination, name));
            *destination = name;
        }
        instructions.push(instruction);
    }
    (instructions, temporaries)
}

/// Renames the registers that an instruction of a sequence reads.
fn rename_reads(instruction: &mut Instruction, name: impl Fn(RegisterId) -> RegisterId) {
    match &mut instruction.operation {
        Operation::Alu { sources, .. } => {
            for source in sources {
                if let Operand::Register(register) = source {
                    *register = name(*register);
                }
            }
        }
        Operation::Load { address: Address { base: AddressBase::Register(register), .. }, .. } => {
            *register = name(*register);
        }
        _ => {}
    }
}
