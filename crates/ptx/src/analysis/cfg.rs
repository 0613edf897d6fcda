//! The control-flow graph of a function: basic blocks and the edges between them.
//!
//! A block ends after a branch, a return, an exit or a trap, guarded or not, and before an instruction that a
//! branch leads to. A call does not end a block: it comes back to the instruction after it. Blocks are numbered
//! in the order of the text, so that the first one is the entry.

use crate::ir::{Function, Label, Operation};
use std::ops::Range;

/// How a block can leave the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// `ret` of a device function: the lane goes on in the caller.
    Return,
    /// `exit` anywhere, or `ret` of a kernel: the thread is done.
    Terminate,
    /// `trap`: the whole launch is done.
    Trap,
    /// Behind the last instruction there is nothing. Verification refuses such a function.
    FallOff,
}

/// A straight piece of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its instructions; never empty.
    pub instructions: Range<usize>,
    /// The blocks that can follow, each once, in ascending order.
    pub successors: Vec<usize>,
    /// The blocks that can come before, each once, in ascending order.
    pub predecessors: Vec<usize>,
    /// How it can leave the function, beside going on to its successors.
    pub leave: Option<Leave>,
}

impl Block {
    /// The instruction that ends it.
    pub fn last(&self) -> usize {
        self.instructions.end - 1
    }
}

/// The control-flow graph of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cfg {
    /// The blocks in the order of the text; the first is the entry. Empty for a function without instructions.
    pub blocks: Vec<Block>,
    /// For each instruction its block.
    pub block_of: Vec<usize>,
}

impl Cfg {
    /// The graph of a function.
    pub fn new(function: &Function) -> Cfg {
        let starts = block_starts(function);
        let mut block_of = vec![0; function.instructions.len()];
        let mut blocks = Vec::with_capacity(starts.len());
        for (block, &start) in starts.iter().enumerate() {
            let end = starts.get(block + 1).copied().unwrap_or(function.instructions.len());
            block_of[start..end].fill(block);
            let (successors, predecessors) = (Vec::new(), Vec::new());
            blocks.push(Block { instructions: start..end, successors, predecessors, leave: None });
        }
        let mut cfg = Cfg { blocks, block_of };
        for block in 0..cfg.blocks.len() {
            cfg.connect(function, block);
        }
        cfg
    }

    /// Whether each block can be reached from the entry.
    pub fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.blocks.len()];
        let mut open: Vec<usize> = (0..self.blocks.len().min(1)).collect();
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut reached[block], true) {
                open.extend(&self.blocks[block].successors);
            }
        }
        reached
    }

    fn connect(&mut self, function: &Function, block: usize) {
        let last = self.blocks[block].last();
        let instruction = &function.instructions[last];
        let mut targets: Vec<usize> = Vec::new();
        let mut leave = None;
        match &instruction.operation {
            Operation::Branch { target, .. } => targets.push(function.labels[target.0 as usize]),
            Operation::BranchIndexed { targets: table, .. } => {
                targets.extend(table.iter().map(|label| function.labels[label.0 as usize]));
            }
            Operation::Return if !function.is_kernel => leave = Some(Leave::Return),
            Operation::Return | Operation::Exit => leave = Some(Leave::Terminate),
            Operation::Trap => leave = Some(Leave::Trap),
            _ => {}
        }
        if instruction.guard.is_some() || !ends_block(&instruction.operation) {
            targets.push(last + 1);
        }
        let mut successors: Vec<usize> =
            targets.iter().filter_map(|&target| self.block_of.get(target).copied()).collect();
        // A target behind the last instruction is the end of the text.
        if successors.len() < targets.len() {
            leave = Some(Leave::FallOff);
        }
        successors.sort_unstable();
        successors.dedup();
        for &successor in &successors {
            self.blocks[successor].predecessors.push(block);
        }
        self.blocks[block].successors = successors;
        self.blocks[block].leave = leave;
    }
}

/// Whether control does not simply go on behind an unguarded instruction of this kind.
fn ends_block(operation: &Operation) -> bool {
    use Operation::{Branch, BranchIndexed, Exit, Return, Trap};
    matches!(operation, Branch { .. } | BranchIndexed { .. } | Return | Exit | Trap)
}

/// The first instruction of each block, ascending.
fn block_starts(function: &Function) -> Vec<usize> {
    let length = function.instructions.len();
    let mut is_start = vec![false; length];
    let mut mark = |at: usize| {
        if let Some(start) = is_start.get_mut(at) {
            *start = true;
        }
    };
    mark(0);
    let at = |label: &Label| function.labels[label.0 as usize];
    for (index, instruction) in function.instructions.iter().enumerate() {
        match &instruction.operation {
            Operation::Branch { target, .. } => mark(at(target)),
            Operation::BranchIndexed { targets, .. } => targets.iter().for_each(|target| mark(at(target))),
            _ => {}
        }
        if ends_block(&instruction.operation) {
            mark(index + 1);
        }
    }
    (0..length).filter(|&index| is_start[index]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::sample::{Code, at};

    #[test]
    fn a_loop_with_a_guarded_branch_has_three_blocks() {
        let function = at(&[Code::Plain, Code::Label(0), Code::Plain, Code::BranchIf(0), Code::Return]);
        let cfg = Cfg::new(&function);
        let ranges: Vec<_> = cfg.blocks.iter().map(|block| block.instructions.clone()).collect();
        assert_eq!(ranges, [0..1, 1..3, 3..4]);
        assert_eq!(cfg.blocks[1].successors, [1, 2]);
        assert_eq!(cfg.blocks[1].predecessors, [0, 1]);
        assert_eq!(cfg.block_of, [0, 1, 1, 2]);
        assert_eq!(cfg.blocks[2].leave, Some(Leave::Terminate));
    }

    #[test]
    fn guarded_exits_fall_through_and_calls_do_not_end_blocks() {
        let function = at(&[Code::ExitIf, Code::Call, Code::Plain, Code::ReturnIf, Code::Exit]);
        let cfg = Cfg::new(&function);
        let ranges: Vec<_> = cfg.blocks.iter().map(|block| block.instructions.clone()).collect();
        assert_eq!(ranges, [0..1, 1..4, 4..5]);
        assert_eq!(cfg.blocks[0].successors, [1]);
        assert_eq!(cfg.blocks[0].leave, Some(Leave::Terminate));
    }

    #[test]
    fn a_table_of_targets_is_an_edge_to_each_once() {
        let function = at(&[
            Code::BranchTable(vec![1, 0, 1]),
            Code::Label(0),
            Code::Plain,
            Code::Label(1),
            Code::Plain,
            Code::Trap,
        ]);
        let cfg = Cfg::new(&function);
        assert_eq!(cfg.blocks[0].successors, [1, 2]);
        assert_eq!(cfg.blocks[2].leave, Some(Leave::Trap));
    }

    #[test]
    fn the_end_of_the_text_is_a_way_out_that_is_told_apart() {
        for code in
            [vec![Code::Plain], vec![Code::Return, Code::Label(0)], vec![Code::Branch(0), Code::Label(0)]]
        {
            let cfg = Cfg::new(&at(&code));
            let expected = if code[0] == Code::Return { Leave::Terminate } else { Leave::FallOff };
            assert_eq!(cfg.blocks[0].leave, Some(expected), "{code:?}");
        }
        assert_eq!(Cfg::new(&at(&[])).blocks, []);
    }

    #[test]
    fn code_behind_a_branch_that_nothing_leads_to_is_unreachable() {
        let function = at(&[Code::Branch(0), Code::Plain, Code::Label(0), Code::Exit]);
        assert_eq!(Cfg::new(&function).reachable(), [true, false, true]);
    }
}
