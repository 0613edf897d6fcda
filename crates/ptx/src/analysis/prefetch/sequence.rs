//! The instructions that prefetch a load, over registers of the kernel and temporaries.

use crate::analysis::operands::{registers_read, registers_written};
use crate::ir::{
    Address, AddressBase, AluMode, AluOperation, Function, Instruction, Operand, Operation, RegisterId,
    ScalarType,
};

/// An induction variable that a slice reads, and what it is advanced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Advance {
    pub(super) register: RegisterId,
    pub(super) step: i64,
    pub(super) ty: ScalarType,
}

/// A sequence whose own registers have no numbers in the register file yet: behind those of the kernel come its
/// temporaries, then what it loads, by element, then what its head loaded, by element.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    pub(super) instructions: Vec<Instruction>,
    pub(super) temporaries: Vec<ScalarType>,
    pub(super) loaded: Vec<Option<ScalarType>>,
    /// Registers of 32 bits that the temporaries take at once.
    pub(super) temporary_registers: u32,
}

/// Registers of 32 bits that a value takes.
pub(super) fn registers_of(ty: ScalarType) -> u32 {
    ty.bytes().div_ceil(4)
}

impl Sequence {
    pub(super) fn new(
        function: &Function,
        load: usize,
        head: Option<usize>,
        slice: &[usize],
        advances: &[Advance],
    ) -> Sequence {
        let own = function.registers.len() as u32;
        let (instructions, temporaries) = match fold(function, load, slice, advances) {
            Some(instruction) => (vec![instruction], Vec::new()),
            None => copied(function, load, slice, advances),
        };
        let destinations = |index: usize| match &function.instructions[index].operation {
            Operation::Load { destinations, .. } => destinations.as_slice(),
            _ => &[],
        };
        let ty = |register: &RegisterId| function.registers[register.0 as usize].ty;
        let loaded: Vec<Option<ScalarType>> =
            destinations(load).iter().map(|register| register.as_ref().map(ty)).collect();
        let first_loaded = own + temporaries.len() as u32;
        let first_of_head = first_loaded + loaded.len() as u32;
        let of_head: Vec<Option<RegisterId>> = head.map_or(Vec::new(), |head| destinations(head).to_vec());
        let mut sequence = Sequence { instructions, temporaries, loaded, temporary_registers: 0 };
        for instruction in &mut sequence.instructions {
            rename_reads(instruction, |register| {
                let element = of_head.iter().position(|&brought| brought == Some(register));
                element.map_or(register, |element| RegisterId(first_of_head + element as u32))
            });
        }
        if let Some(Instruction { operation: Operation::Load { destinations, .. }, .. }) =
            sequence.instructions.last_mut()
        {
            for (element, destination) in destinations.iter_mut().enumerate() {
                *destination = destination.map(|_| RegisterId(first_loaded + element as u32));
            }
        }
        sequence.temporary_registers = sequence.live_at_once(own);
        sequence
    }

    /// Registers of 32 bits that temporaries take where most are live. A result may take the place of an operand
    /// that is read for the last time.
    fn live_at_once(&self, own: u32) -> u32 {
        let temporaries = own..own + self.temporaries.len() as u32;
        let size = |number: u32| registers_of(self.temporaries[(number - own) as usize]);
        let mut last = vec![0; self.temporaries.len()];
        for (place, instruction) in self.instructions.iter().enumerate() {
            registers_read(instruction, |register| {
                if temporaries.contains(&register.0) {
                    last[(register.0 - own) as usize] = place;
                }
            });
        }
        let (mut live, mut most) = (0, 0);
        for (place, instruction) in self.instructions.iter().enumerate() {
            let dead = (0..last.len()).filter(|&number| last[number] == place);
            live -= dead.map(|number| size(own + number as u32)).sum::<u32>();
            registers_written(instruction, |register| {
                if temporaries.contains(&register.0) {
                    live += size(register.0);
                }
            });
            most = most.max(live);
        }
        most
    }

    /// The instructions with the numbers that the sequence's own registers get.
    pub(super) fn renamed(&self, name: impl Fn(RegisterId) -> RegisterId) -> Vec<Instruction> {
        let mut instructions = self.instructions.clone();
        for instruction in &mut instructions {
            rename_reads(instruction, &name);
            match &mut instruction.operation {
                Operation::Alu { destination, .. } => *destination = name(*destination),
                Operation::Load { destinations, .. } => {
                    destinations.iter_mut().flatten().for_each(|register| *register = name(*register));
                }
                _ => {}
            }
        }
        instructions
    }
}

/// A load whose address is an induction variable: the step is part of its offset, and nothing has to be computed.
fn fold(function: &Function, load: usize, slice: &[usize], advances: &[Advance]) -> Option<Instruction> {
    let [Advance { register, step, .. }] = *advances else { return None };
    let mut instruction = function.instructions[load].clone();
    let Operation::Load { address, .. } = &mut instruction.operation else { return None };
    if !slice.is_empty() || address.base != AddressBase::Register(register) {
        return None;
    }
    address.offset = address.offset.wrapping_add(step);
    Some(instruction)
}

/// The slice with its induction variables advanced, and its results in temporaries.
fn copied(
    function: &Function,
    load: usize,
    slice: &[usize],
    advances: &[Advance],
) -> (Vec<Instruction>, Vec<ScalarType>) {
    let own = function.registers.len() as u32;
    let mut names: Vec<(RegisterId, RegisterId)> = Vec::new();
    let mut temporaries = Vec::new();
    let mut instructions = Vec::new();
    for &Advance { register, step, ty } in advances {
        let destination = RegisterId(own + temporaries.len() as u32);
        temporaries.push(function.registers[register.0 as usize].ty);
        let sources = vec![Operand::Register(register), Operand::Immediate(step as u64)];
        let (operation, mode) = (AluOperation::Add, AluMode::default());
        let operation = Operation::Alu { operation, ty, mode, destination, sources };
        instructions.push(Instruction { guard: None, operation });
        names.push((register, destination));
    }
    for &index in slice.iter().chain([&load]) {
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
