//! The body of a loop whose target loads tags have found, looked through once, instruction by instruction from its first
//! to its last: whether prefetches would be right in *every* iteration, and the slices that compute their addresses.
//!
//! "The tag-based mechanism has to ensure that the prefetched addresses will be always correct" (\[Lakshminarayana14\]
//! section 3.3.2.1), but tags tell of the ways that the watched iterations took. What must hold on all ways, told from
//! places of instructions and targets of branches alone:
//!
//! - every register of a slice has one writer in the body, which no branch leads around to the reader; or none; or it
//!   is advanced by a constant, or by a register without a writer, once in every iteration;
//! - a load is made once in an iteration or left out; it stands in no loop inside of the loop;
//! - the closing branch has a predicate, set by one `setp` of such an index, whose step is a power of two, and a bound
//!   without a writer: then the modified subtraction of `shadow_counts` tells the iterations to go.
//!
//! Loops with calls or computed branches, or with a second way back to their start, are left alone.

use super::decoded::{AddressOpcode, address_arithmetic, read_only_load, written};
use heddle_ptx::early::{Advance, Candidate, LoopTest, Step, is_counting, mirrored, opposite};
use heddle_ptx::ir::{AluOperation, Function, Instruction, Operand, Operation, RegisterId};

/// Instructions of a slice; longer ones are not worth their issue slots.
const SLICE_MAX: usize = 16;

/// Copies between an index and its update.
const COPIES_MAX: u32 = 4;

/// A loop whose loads can be prefetched.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FoundLoop {
    /// Its first instruction, and the branch that closes it.
    pub(crate) range: (usize, usize),
    pub(crate) test: LoopTest,
    /// The first instructions outside of it that lanes come to.
    pub(crate) exits: Vec<usize>,
    pub(crate) candidates: Vec<Candidate>,
}

/// Looks through a loop with these heads, and tails with their heads.
pub(super) fn look_through(
    kernel: &Function,
    range: (usize, usize),
    heads: &[usize],
    tails: &[(usize, usize)],
) -> Option<FoundLoop> {
    let body = LoopBody::new(kernel, range)?;
    let test = body.test()?;
    let mut candidates: Vec<Candidate> =
        heads.iter().filter_map(|&load| body.candidate(load, None, &[])).collect();
    let confirmed: Vec<usize> = candidates.iter().map(|candidate| candidate.load).collect();
    let tails: Vec<Candidate> =
        tails.iter().filter_map(|&(load, head)| body.candidate(load, Some(head), &confirmed)).collect();
    candidates.extend(tails);
    let outside = |&(_, target): &(usize, usize)| !(range.0..=range.1).contains(&target);
    let mut exits: Vec<usize> = body.branches.iter().filter(|b| outside(b)).map(|b| b.1).collect();
    exits.push(range.1 + 1);
    exits.sort_unstable();
    exits.dedup();
    (!candidates.is_empty()).then_some(FoundLoop { range, test, exits, candidates })
}

/// A body.
struct LoopBody<'a> {
    kernel: &'a Function,
    start: usize,
    end: usize,
    /// Branches in it, and where they lead; without the one that closes the loop.
    branches: Vec<(usize, usize)>,
}

/// What computes an address.
#[derive(Default)]
struct Slice {
    instructions: Vec<usize>,
    visited: usize,
    advances: Vec<Advance>,
    /// Where the registers of `advances` are updated.
    updates: Vec<usize>,
    head: Option<usize>,
}

impl<'a> LoopBody<'a> {
    fn new(kernel: &'a Function, (start, end): (usize, usize)) -> Option<LoopBody<'a>> {
        let mut branches = Vec::new();
        for (place, instruction) in kernel.instructions.iter().enumerate().take(end).skip(start) {
            match instruction.operation {
                Operation::Call(_) | Operation::BranchIndexed { .. } => return None,
                Operation::Branch { target, .. } => {
                    let target = kernel.labels[target.0 as usize];
                    if target == start {
                        return None;
                    }
                    branches.push((place, target));
                }
                _ => {}
            }
        }
        Some(LoopBody { kernel, start, end, branches })
    }

    /// Where the body writes a register.
    fn writers(&self, register: RegisterId) -> Vec<usize> {
        let writes = |&place: &usize| {
            let mut found = false;
            written(&self.kernel.instructions[place], |other| found |= other == register);
            found
        };
        (self.start..=self.end).filter(writes).collect()
    }

    /// The only writer.
    fn writer(&self, register: RegisterId) -> Option<usize> {
        match self.writers(register)[..] {
            [place] => Some(place),
            _ => None,
        }
    }

    /// Whether the body leaves an operand alone.
    fn is_invariant(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Register(register) => self.writers(*register).is_empty(),
            Operand::Immediate(_) => true,
            _ => false,
        }
    }

    /// Whether `second` is never reached in an iteration but through `first`.
    fn precedes(&self, first: usize, second: usize) -> bool {
        let around = |&(place, target): &(usize, usize)| {
            first < target && target <= second && !(first..=second).contains(&place)
        };
        first < second && !self.branches.iter().any(around)
    }

    /// Whether an instruction stands in a loop inside of the loop.
    fn is_repeated(&self, place: usize) -> bool {
        self.branches.iter().any(|&(from, to)| to <= place && place <= from && to >= self.start)
    }

    /// Whether iterations may leave an instruction out and still end with another iteration.
    fn is_conditional(&self, place: usize) -> bool {
        self.branches.iter().any(|&(from, to)| from < place && place < to && to <= self.end)
    }

    /// Whether a register is advanced by the same amount in every iteration: where, and how.
    fn advance(&self, register: RegisterId) -> Option<(usize, Advance)> {
        let update = self.writer(register)?;
        let instruction = &self.kernel.instructions[update];
        let (opcode, _, sources) = address_arithmetic(instruction)?;
        let Operation::Alu { ty, .. } = instruction.operation else { return None };
        let own = |operand: &Operand| self.is_copy(operand, register, update, COPIES_MAX);
        let step = match (opcode, sources) {
            (AddressOpcode::Add, [one, other]) if own(one) => self.step(other)?,
            (AddressOpcode::Add, [one, other]) if own(other) => self.step(one)?,
            (AddressOpcode::Subtract, [one, Operand::Immediate(by)]) if own(one) => {
                Step::Constant((*by as i64).wrapping_neg())
            }
            _ => return None,
        };
        let whole = ty.bytes() == self.bytes(register);
        let once = !self.is_conditional(update) && !self.is_repeated(update);
        (whole && once && step != Step::Constant(0)).then_some((update, Advance { register, step, ty }))
    }

    fn step(&self, operand: &Operand) -> Option<Step> {
        match operand {
            Operand::Immediate(by) => Some(Step::Constant(*by as i64)),
            Operand::Register(by) if self.is_invariant(operand) => Some(Step::Register(*by)),
            _ => None,
        }
    }

    fn bytes(&self, register: RegisterId) -> u32 {
        self.kernel.registers[register.0 as usize].ty.bytes()
    }

    /// Whether an operand of the update of a register is that register, or a copy of all of its bits.
    fn is_copy(&self, operand: &Operand, register: RegisterId, reader: usize, copies: u32) -> bool {
        let &Operand::Register(from) = operand else { return false };
        if from == register {
            return true;
        }
        let Some(place) = self.writer(from).filter(|&place| copies > 0 && self.precedes(place, reader))
        else {
            return false;
        };
        let instruction = &self.kernel.instructions[place];
        let Operation::Alu { operation, ty, .. } = instruction.operation else { return false };
        let bytes = self.bytes(register);
        let kept = match operation {
            AluOperation::Convert(to) => to.bytes() >= bytes && ty.bytes() >= bytes,
            _ => ty.bytes() >= bytes,
        };
        match address_arithmetic(instruction) {
            Some((AddressOpcode::Copy, _, [source])) if kept => {
                self.is_copy(source, register, place, copies - 1)
            }
            _ => false,
        }
    }

    /// A load that tags have found, if it can be prefetched in every iteration.
    fn candidate(&self, load: usize, head: Option<usize>, heads: &[usize]) -> Option<Candidate> {
        let base = read_only_load(&self.kernel.instructions[load])?;
        let mut slice = Slice::default();
        self.follow(&mut slice, base, load, load)?;
        let is_kind = match head {
            None => !slice.advances.is_empty() && slice.head.is_none(),
            Some(head) => slice.head == Some(head),
        };
        if !is_kind || self.is_repeated(load) {
            return None;
        }
        let head = match slice.head {
            None => None,
            Some(head) => Some(heads.iter().position(|&other| other == head)?),
        };
        let conditional = self.is_conditional(load).then(|| {
            let before = slice.updates.iter().filter(|&&update| update < load).max();
            let behind = slice.updates.iter().filter(|&&update| update > load).min();
            (before.map_or(self.start, |update| update + 1), behind.map_or(self.end, |&update| update))
        });
        Some(Candidate { load, head, conditional, slice: slice.instructions, advances: slice.advances })
    }

    /// Adds what computes a register that `reader` reads, for a sequence that is executed behind `load`.
    fn follow(&self, slice: &mut Slice, register: RegisterId, reader: usize, load: usize) -> Option<()> {
        if self.is_invariant(&Operand::Register(register)) {
            return Some(());
        }
        if let Some((update, advance)) = self.advance(register) {
            // In between, the register would have its next value already.
            if reader < update && update < load {
                return None;
            }
            if !slice.advances.contains(&advance) {
                slice.advances.push(advance);
                slice.updates.push(update);
            }
            return Some(());
        }
        let place = self.writer(register)?;
        if !self.precedes(place, reader) || self.is_repeated(place) {
            return None;
        }
        let instruction = &self.kernel.instructions[place];
        if read_only_load(instruction).is_some() && slice.head.is_none_or(|head| head == place) {
            slice.head = Some(place);
            return Some(());
        }
        let (_, _, sources) = address_arithmetic(instruction)?;
        slice.visited += 1;
        if slice.visited > SLICE_MAX {
            return None;
        }
        for source in sources {
            match source {
                Operand::Register(register) => self.follow(slice, *register, place, load)?,
                Operand::Immediate(_) => {}
                Operand::Special(_) | Operand::Symbol(..) => return None,
            }
        }
        if !slice.instructions.contains(&place) {
            slice.instructions.push(place);
        }
        Some(())
    }

    /// The test that the closing branch is predicated on.
    fn test(&self) -> Option<LoopTest> {
        let guard = self.kernel.instructions[self.end].guard?;
        let place = self.writer(guard.register)?;
        let Instruction { guard: None, operation } = &self.kernel.instructions[place] else { return None };
        let Operation::SetPredicate {
            comparison, ty, destination, complement, sources, combine: None, ..
        } = operation
        else {
            return None;
        };
        let settled = self.precedes(place, self.end) && !self.is_repeated(place);
        if !settled || ty.is_float() || ty.bytes() < 4 || destination == complement {
            return None;
        }
        let complemented = *complement == Some(guard.register);
        let holds = if guard.negated ^ complemented { opposite(*comparison)? } else { *comparison };
        let (index, swapped) = match sources {
            [Operand::Register(index), bound] if self.is_invariant(bound) => (*index, false),
            [bound, Operand::Register(index)] if self.is_invariant(bound) => (*index, true),
            _ => return None,
        };
        let comparison = if swapped { mirrored(holds) } else { holds };
        let Step::Constant(step) = self.advance(index)?.1.step else { return None };
        let instruction = place;
        let test = LoopTest { instruction, swapped, comparison, ty: *ty, step, first: false };
        (is_counting(comparison, step) && step.unsigned_abs().is_power_of_two()).then_some(test)
    }
}
