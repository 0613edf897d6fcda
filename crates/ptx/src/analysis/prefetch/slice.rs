//! The loads of a loop that can be prefetched, with the slices that compute their addresses.

use super::body::Body;
use super::test::Before;
use crate::analysis::loads::{Region, regions};
use crate::early::{Advance, Candidate, LoopTest, Step};
use crate::ir::{
    Access, Address, AddressBase, AluOperation, Instruction, Operand, Operation, Ordering, RegisterId,
    StateSpace,
};

/// Instructions of a slice; longer ones are not worth their issue slots.
const SLICE_MAX: usize = 16;

/// What a slice consists of.
#[derive(Default)]
struct Slice {
    /// Its instructions, each behind those whose results it reads.
    instructions: Vec<usize>,
    /// Instructions that were looked at.
    visited: usize,
    /// Induction variables that it reads, and where they are updated.
    advances: Vec<Advance>,
    updates: Vec<usize>,
    /// The load that it takes an index from.
    head: Option<usize>,
    /// Whether iterations may leave the load out.
    conditional: bool,
}

/// The loads of a loop that can be prefetched, heads first.
pub(super) fn loads(body: &Body<'_>, test: &LoopTest, before: &Before) -> Vec<Candidate> {
    let regions = regions(body.function);
    let written = written_regions(body, &regions);
    let forward = body.goes_forward();
    let mut found: Vec<(usize, Slice)> = Vec::new();
    for (load, instruction) in body.instructions() {
        let Instruction { guard: None, operation: Operation::Load { access, address, destinations } } =
            instruction
        else {
            continue;
        };
        let conditional = !body.is_in_every_iteration(load);
        let behind = |place: usize| match conditional {
            true => load < place,
            false => body.precedes(load, place),
        };
        let counted = *before == Before::Test || behind(test.instruction);
        let region = region_of(address, &regions);
        let read_only = is_read_only(access) && region.is_none_or(|region| !written.contains(&region));
        // A move has one destination.
        let single = matches!(destinations[..], [Some(_)]);
        if !single || !counted || !read_only || conditional && !forward {
            continue;
        }
        let AddressBase::Register(base) = address.base else { continue };
        let mut slice = Slice { conditional, ..Slice::default() };
        // What does not change from iteration to iteration needs no prefetch.
        let complete = slice.follow(body, base, load, load).is_some();
        if complete && (!slice.advances.is_empty() || slice.head.is_some()) {
            found.push((load, slice));
        }
    }
    candidates(found, body.range())
}

/// Heads, and tails of heads.
fn candidates(found: Vec<(usize, Slice)>, range: (usize, usize)) -> Vec<Candidate> {
    let is_head = |load: usize| found.iter().any(|(other, slice)| *other == load && slice.head.is_none());
    let heads: Vec<usize> = found.iter().map(|(load, _)| *load).filter(|&load| is_head(load)).collect();
    let candidate = |(load, slice): &(usize, Slice)| {
        let head = match slice.head {
            None => None,
            Some(head) => Some(heads.iter().position(|&other| other == head)?),
        };
        let conditional = slice.conditional.then(|| slice.window(*load, range));
        let (slice, advances) = (slice.instructions.clone(), slice.advances.clone());
        Some(Candidate { load: *load, head, conditional, slice, advances })
    };
    let (first, second): (Vec<_>, Vec<_>) = found.iter().partition(|(_, slice)| slice.head.is_none());
    first.into_iter().chain(second).filter_map(candidate).collect()
}

impl Slice {
    /// Where lanes that leave the load out wait with the values that it would be executed with: behind the updates
    /// before it, and before those behind it.
    fn window(&self, load: usize, range: (usize, usize)) -> (usize, usize) {
        let before = self.updates.iter().filter(|&&update| update < load).max();
        let behind = self.updates.iter().filter(|&&update| update > load).min();
        (before.map_or(range.0, |update| update + 1), behind.copied().unwrap_or(range.1))
    }

    /// Adds what computes a register that `reader` reads, for a sequence that is executed behind `load`; nothing if
    /// its value in the next iteration cannot be known.
    fn follow(&mut self, body: &Body<'_>, register: RegisterId, reader: usize, load: usize) -> Option<()> {
        if body.is_invariant(register) {
            return Some(());
        }
        if let Some(induction) = body.induction(register) {
            let update = induction.update;
            let apart = match self.conditional {
                true => update < reader || load < update,
                false => body.precedes(update, reader) || body.precedes(load, update),
            };
            // In between, the register would have its next value already.
            if !apart {
                return None;
            }
            let advance = Advance { register, step: Step::Constant(induction.step), ty: induction.ty };
            if !self.advances.contains(&advance) {
                self.advances.push(advance);
                self.updates.push(update);
            }
            return Some(());
        }
        let place = body.definition(register)?;
        if !body.precedes(place, reader) {
            return None;
        }
        let Instruction { guard: None, operation } = &body.function.instructions[place] else { return None };
        match operation {
            Operation::Load { .. } if self.head.is_none_or(|head| head == place) => {
                self.head = Some(place);
                Some(())
            }
            Operation::Alu { operation, ty, mode, sources, .. } => {
                let plain = !ty.is_float() && !mode.carry_in && !mode.carry_out;
                self.visited += 1;
                if !plain || !is_address_arithmetic(*operation) || self.visited > SLICE_MAX {
                    return None;
                }
                sources.iter().try_for_each(|source| match source {
                    Operand::Register(register) => self.follow(body, *register, place, load),
                    Operand::Immediate(_) => Some(()),
                    Operand::Special(_) | Operand::Symbol(..) => None,
                })?;
                if !self.instructions.contains(&place) {
                    self.instructions.push(place);
                }
                Some(())
            }
            _ => None,
        }
    }
}

/// Operations that addresses are computed with; each gives the same value for the same operands.
fn is_address_arithmetic(operation: AluOperation) -> bool {
    use AluOperation as Alu;
    match operation {
        Alu::Convert(to) => !to.is_float(),
        Alu::Move
        | Alu::Add
        | Alu::Subtract
        | Alu::Multiply
        | Alu::MultiplyWide
        | Alu::MultiplyAdd
        | Alu::MultiplyAddWide
        | Alu::And
        | Alu::Or
        | Alu::Xor
        | Alu::ShiftLeft
        | Alu::ShiftRight
        | Alu::ToGeneric(_)
        | Alu::FromGeneric(_) => true,
        _ => false,
    }
}

/// Whether the program promises that nobody writes what is loaded while the kernel runs.
fn is_read_only(access: &Access) -> bool {
    access.non_coherent && access.space == StateSpace::Global && access.ordering == Ordering::Weak
}

/// What the kernel is known to write: a promise that it breaks itself is not relied on.
fn written_regions(body: &Body<'_>, regions: &[Option<Region>]) -> Vec<Region> {
    let written = |instruction: &Instruction| match &instruction.operation {
        Operation::Store { address, .. } | Operation::Atomic { address, .. } => region_of(address, regions),
        _ => None,
    };
    body.function.instructions.iter().filter_map(written).collect()
}

fn region_of(address: &Address, regions: &[Option<Region>]) -> Option<Region> {
    match address.base {
        AddressBase::Register(register) => regions[register.0 as usize],
        AddressBase::Symbol(crate::ir::Symbol::Variable(variable)) => Some(Region::Variable(variable)),
        _ => None,
    }
}
