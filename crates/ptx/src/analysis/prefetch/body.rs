//! A loop, as the search for targets sees it.

use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::Dominators;
use crate::analysis::loops::Loops;
use crate::analysis::operands::registers_written;
use crate::ir::{AluOperation, Function, Instruction, Operand, Operation, RegisterId, ScalarType};

/// Copies between an induction variable and its update.
const COPIES_MAX: u32 = 4;

/// A loop of a function.
pub(super) struct Body<'a> {
    pub(super) function: &'a Function,
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    loops: &'a Loops,
    number: usize,
    /// By register: where the loop writes it, loops inside of it included.
    written: Vec<Vec<usize>>,
    /// By register: where the rest of the function does.
    written_outside: Vec<Vec<usize>>,
}

/// A register that the loop changes by a constant once in each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Induction {
    /// Where.
    pub(super) update: usize,
    /// By how much.
    pub(super) step: i64,
    /// The type in which it is added.
    pub(super) ty: ScalarType,
}

impl<'a> Body<'a> {
    pub(super) fn new(
        function: &'a Function,
        cfg: &'a Cfg,
        dominators: &'a Dominators,
        loops: &'a Loops,
        number: usize,
    ) -> Body<'a> {
        let nothing = vec![Vec::new(); function.registers.len()];
        let mut body = Body {
            function,
            cfg,
            dominators,
            loops,
            number,
            written: nothing.clone(),
            written_outside: nothing,
        };
        for (index, instruction) in function.instructions.iter().enumerate() {
            let inside = body.surrounds(body.cfg.block_of[index]);
            let written = if inside { &mut body.written } else { &mut body.written_outside };
            registers_written(instruction, |register| written[register.0 as usize].push(index));
        }
        body
    }

    /// The instructions of the loop, in the order of the text, without those of loops inside of it.
    pub(super) fn instructions(&self) -> impl Iterator<Item = (usize, &'a Instruction)> {
        self.function.instructions.iter().enumerate().filter(|(index, _)| self.contains(*index))
    }

    /// Whether an instruction is in the loop, and in none inside of it.
    pub(super) fn contains(&self, index: usize) -> bool {
        self.loops.innermost[self.cfg.block_of[index]] == Some(self.number)
    }

    /// Whether a block is in the loop, or in one inside of it.
    fn surrounds(&self, block: usize) -> bool {
        let mut around = self.loops.innermost[block];
        while let Some(number) = around.filter(|&number| number != self.number) {
            around = self.loops.loops[number].parent;
        }
        around.is_some()
    }

    /// Whether a label leads into the loop.
    pub(super) fn is_inside(&self, label: crate::ir::Label) -> bool {
        let target = self.function.labels[label.0 as usize];
        target < self.function.instructions.len() && self.surrounds(self.cfg.block_of[target])
    }

    /// Whether the instruction behind this one is in the loop.
    pub(super) fn goes_on_behind(&self, index: usize) -> bool {
        index + 1 < self.function.instructions.len() && self.surrounds(self.cfg.block_of[index + 1])
    }

    /// Whether each iteration goes through the text from its beginning to its end, but for loops inside: then what is
    /// executed once in an iteration is executed in the order of the text.
    pub(super) fn goes_forward(&self) -> bool {
        let inside = (0..self.cfg.blocks.len()).filter(|&block| self.surrounds(block));
        inside.into_iter().all(|block| {
            let next = |&&next: &&usize| self.surrounds(next) && !self.dominators.dominates(next, block);
            let start = |block: usize| self.cfg.blocks[block].instructions.start;
            self.cfg.blocks[block].successors.iter().filter(next).all(|&next| start(block) < start(next))
        })
    }

    /// Whether `first` is executed before `second` wherever `second` is; of two of the loop, in the same iteration.
    pub(super) fn precedes(&self, first: usize, second: usize) -> bool {
        let (a, b) = (self.cfg.block_of[first], self.cfg.block_of[second]);
        if a == b { first < second } else { self.dominators.dominates(a, b) }
    }

    /// Whether an instruction of the loop is executed in every iteration that ends with another one.
    pub(super) fn is_in_every_iteration(&self, index: usize) -> bool {
        let block = self.cfg.block_of[index];
        let latches = &self.loops.loops[self.number].latches;
        self.contains(index) && latches.iter().all(|&latch| self.dominators.dominates(block, latch))
    }

    /// Whether an instruction is executed once whenever the loop is entered, before it.
    pub(super) fn is_before(&self, index: usize) -> bool {
        let block = self.cfg.block_of[index];
        let own = &self.loops.loops[self.number];
        self.loops.innermost[block] == own.parent && self.dominators.dominates(block, own.header)
    }

    /// The last instructions of the blocks from which the loop is entered.
    pub(super) fn entries(&self) -> Vec<usize> {
        let header = self.loops.loops[self.number].header;
        let outside = |&&block: &&usize| !self.surrounds(block);
        self.cfg.blocks[header]
            .predecessors
            .iter()
            .filter(outside)
            .map(|&b| self.cfg.blocks[b].last())
            .collect()
    }

    /// The first and the last of its instructions, in the order of the text.
    pub(super) fn range(&self) -> (usize, usize) {
        let inside = || (0..self.cfg.blocks.len()).filter(|&block| self.surrounds(block));
        let first = inside().map(|block| self.cfg.blocks[block].instructions.start).min();
        (
            first.unwrap_or_default(),
            inside().map(|block| self.cfg.blocks[block].last()).max().unwrap_or_default(),
        )
    }

    /// The last instructions of the blocks that go back to the first, and whether they do so by taking a branch.
    pub(super) fn latches(&self) -> Vec<(usize, bool)> {
        let own = &self.loops.loops[self.number];
        let header = self.cfg.blocks[own.header].instructions.start;
        let goes_back = |&block: &usize| {
            let last = self.cfg.blocks[block].last();
            let taken = match self.function.instructions[last].operation {
                Operation::Branch { target, .. } => self.function.labels[target.0 as usize] == header,
                _ => false,
            };
            (last, taken)
        };
        own.latches.iter().map(goes_back).collect()
    }

    /// Whether the loop leaves a register alone.
    pub(super) fn is_invariant(&self, register: RegisterId) -> bool {
        self.written[register.0 as usize].is_empty()
    }

    /// The only instruction of the loop that writes a register, at most once in an iteration.
    pub(super) fn definition(&self, register: RegisterId) -> Option<usize> {
        match self.written[register.0 as usize][..] {
            [index] if self.contains(index) => Some(index),
            _ => None,
        }
    }

    /// Where the rest of the function writes a register.
    pub(super) fn definitions_outside(&self, register: RegisterId) -> &[usize] {
        &self.written_outside[register.0 as usize]
    }

    /// What a register is changed by, if it is an induction variable.
    pub(super) fn induction(&self, register: RegisterId) -> Option<Induction> {
        let update = self.definition(register)?;
        let Instruction { guard: None, operation } = &self.function.instructions[update] else { return None };
        let Operation::Alu { operation, ty, mode, sources, .. } = operation else { return None };
        let own = |operand: &Operand| self.is_copy(operand, register, update, COPIES_MAX);
        let step = match (operation, &sources[..]) {
            (AluOperation::Add, [one, Operand::Immediate(step)]) if own(one) => *step as i64,
            (AluOperation::Add, [Operand::Immediate(step), one]) if own(one) => *step as i64,
            (AluOperation::Subtract, [one, Operand::Immediate(step)]) if own(one) => {
                (*step as i64).wrapping_neg()
            }
            _ => return None,
        };
        let plain = !ty.is_float() && !mode.saturate && !mode.carry_in && !mode.carry_out;
        let whole = ty.bytes() == self.function.registers[register.0 as usize].ty.bytes();
        (plain && whole && step != 0 && self.is_in_every_iteration(update)).then_some(Induction {
            update,
            step,
            ty: *ty,
        })
    }

    /// Whether an operand of the update of a register is that register, or a copy of all of its bits.
    fn is_copy(&self, operand: &Operand, register: RegisterId, reader: usize, copies: u32) -> bool {
        let &Operand::Register(from) = operand else { return false };
        if from == register {
            return true;
        }
        let found = self.definition(from).filter(|&place| copies > 0 && self.precedes(place, reader));
        let Some(place) = found else { return false };
        let Instruction { guard: None, operation: Operation::Alu { operation, ty, mode, sources, .. } } =
            &self.function.instructions[place]
        else {
            return false;
        };
        let bytes = self.function.registers[register.0 as usize].ty.bytes();
        let kept = match operation {
            AluOperation::Move => ty.bytes() >= bytes,
            AluOperation::Convert(to) => {
                !to.is_float() && !ty.is_float() && to.bytes() >= bytes && ty.bytes() >= bytes
            }
            _ => false,
        };
        let source = sources.first().filter(|_| kept && !mode.saturate);
        source.is_some_and(|source| self.is_copy(source, register, place, copies - 1))
    }
}
