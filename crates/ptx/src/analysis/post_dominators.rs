//! Immediate post-dominators, and where diverged lanes meet again.
//!
//! A virtual exit stands behind every way out. Two kinds of ways out do not count, because no lane has to wait
//! for lanes that are gone:
//!
//! - a *guarded* exit (or `ret` of a kernel, or trap) only goes on to the next instruction;
//! - of the unguarded ones in a kernel, the last in the text is the end, and code that can only lead to another
//!   one (or to a trap) is seen from outside as if it were not there. Without this rule a kernel that leaves
//!   early in one place would never let its lanes meet again in another.
//!
//! In a device function every `ret` counts: its lanes meet in the caller. Loops without any way out get one
//! from their last block, so that every block has a post-dominator.

use super::cfg::{Cfg, Leave};
use super::dominator_tree::immediate_dominators;
use crate::ir::{CallTarget, Function, Operation};

/// For each block its immediate post-dominator; none where that is the end of the function.
pub fn immediate_post_dominators(function: &Function, cfg: &Cfg) -> Vec<Option<usize>> {
    let exit = cfg.blocks.len();
    let leaves = ways_out(function, cfg);
    let arrives = reaching(cfg, &leaves);
    // Reversed edges, the virtual exit last: what a block can come from.
    let mut reversed: Vec<Vec<usize>> = vec![Vec::new(); exit + 1];
    for (block, edges) in cfg.blocks.iter().enumerate() {
        if leaves[block] {
            reversed[exit].push(block);
        }
        for &successor in &edges.successors {
            if arrives[successor] || !arrives[block] {
                reversed[successor].push(block);
            }
        }
    }
    // What arrives nowhere: other ends of the program first, then loops without one, from the last block on.
    let leaves_otherwise =
        |&block: &usize| !arrives[block] && unguarded_leave(function, cfg, block).is_some();
    reversed[exit].extend((0..exit).filter(leaves_otherwise));
    let mut reached = vec![false; exit + 1];
    spread(&reversed, exit, &mut reached);
    for block in (0..exit).rev() {
        if !reached[block] {
            reversed[exit].push(block);
            spread(&reversed, block, &mut reached);
        }
    }
    let mut immediate = immediate_dominators(exit, &reversed);
    immediate.truncate(exit);
    immediate.into_iter().map(|block| block.filter(|&block| block != exit)).collect()
}

/// For each instruction at which lanes of a warp can part: the instruction where they meet again. None for
/// those that meet at the end only (the thread's, or the function's), and for all other instructions.
///
/// Lanes part at guarded branches, at `brx.idx`, at guarded `ret`, `exit` and `trap`, and at calls that are
/// guarded or indirect; a call's lanes meet at the instruction behind it.
pub fn reconvergence(function: &Function) -> Vec<Option<usize>> {
    let cfg = Cfg::new(function);
    let immediate = immediate_post_dominators(function, &cfg);
    let mut meeting = vec![None; function.instructions.len()];
    for (index, instruction) in function.instructions.iter().enumerate() {
        let guarded = instruction.guard.is_some();
        let parts = match &instruction.operation {
            Operation::Branch { .. } | Operation::Return | Operation::Exit | Operation::Trap => guarded,
            Operation::BranchIndexed { .. } => true,
            Operation::Call(call) if guarded || matches!(call.target, CallTarget::Indirect(..)) => {
                meeting[index] = Some(index + 1).filter(|&next| next < meeting.len());
                false
            }
            _ => false,
        };
        if parts {
            meeting[index] = immediate[cfg.block_of[index]].map(|block| cfg.blocks[block].instructions.start);
        }
    }
    meeting
}

/// How a block leaves where it does not go on behind its last instruction.
fn unguarded_leave(function: &Function, cfg: &Cfg, block: usize) -> Option<Leave> {
    let block = &cfg.blocks[block];
    let guarded = function.instructions[block.last()].guard.is_some();
    // A return parts the lanes of a device function also if it is guarded: they wait for each other.
    block.leave.filter(|&leave| !guarded || leave == Leave::Return || leave == Leave::FallOff)
}

/// The blocks with an edge to the virtual exit.
fn ways_out(function: &Function, cfg: &Cfg) -> Vec<bool> {
    let leave = |block: usize| unguarded_leave(function, cfg, block);
    let blocks = 0..cfg.blocks.len();
    let mut leaves: Vec<bool> =
        blocks.clone().map(|block| matches!(leave(block), Some(Leave::Return | Leave::FallOff))).collect();
    let reachable = cfg.reachable();
    if !blocks.clone().any(|block| leaves[block] && reachable[block]) {
        let ends = |kind: Leave| blocks.clone().rev().find(|&b| reachable[b] && leave(b) == Some(kind));
        if let Some(end) = ends(Leave::Terminate).or_else(|| ends(Leave::Trap)) {
            leaves[end] = true;
        }
    }
    leaves
}

/// The blocks from which one of `leaves` can be reached.
fn reaching(cfg: &Cfg, leaves: &[bool]) -> Vec<bool> {
    let mut reached = vec![false; cfg.blocks.len()];
    let mut open: Vec<usize> = (0..leaves.len()).filter(|&block| leaves[block]).collect();
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut reached[block], true) {
            open.extend(&cfg.blocks[block].predecessors);
        }
    }
    reached
}

/// Marks everything that is reached from `start`.
fn spread(edges: &[Vec<usize>], start: usize, reached: &mut [bool]) {
    let mut open = vec![start];
    while let Some(vertex) = open.pop() {
        if !std::mem::replace(&mut reached[vertex], true) {
            open.extend(&edges[vertex]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::sample::{Code, at, device};

    #[test]
    fn both_sides_of_a_branch_meet_behind_it() {
        let code = [
            Code::BranchIf(0),
            Code::Plain,
            Code::Branch(1),
            Code::Label(0),
            Code::Plain,
            Code::Label(1),
            Code::Return,
        ];
        assert_eq!(reconvergence(&at(&code)), [Some(4), None, None, None, None]);
    }

    #[test]
    fn lanes_of_a_loop_meet_behind_it() {
        let code = [Code::Label(0), Code::Plain, Code::BranchIf(0), Code::Plain, Code::Return];
        assert_eq!(reconvergence(&at(&code)), [None, Some(2), None, None]);
    }

    #[test]
    fn an_early_exit_in_one_place_does_not_keep_lanes_apart_in_another() {
        // if (a) { if (b) exit; } join
        let code = [
            Code::BranchIf(0),
            Code::BranchIf(1),
            Code::Exit,
            Code::Label(1),
            Code::Label(0),
            Code::Plain,
            Code::Return,
        ];
        assert_eq!(reconvergence(&at(&code))[..2], [Some(3), Some(3)]);
        let guarded = [Code::BranchIf(0), Code::ExitIf, Code::Label(0), Code::Plain, Code::Return];
        assert_eq!(reconvergence(&at(&guarded))[..2], [Some(2), Some(2)]);
        let trapping = [
            Code::BranchIf(0),
            Code::BranchIf(1),
            Code::Plain,
            Code::Return,
            Code::Label(0),
            Code::Label(1),
            Code::Trap,
        ];
        assert_eq!(reconvergence(&at(&trapping))[..2], [Some(1), Some(2)]);
    }

    #[test]
    fn returns_of_a_device_function_meet_in_the_caller() {
        let code = [Code::BranchIf(0), Code::ReturnIf, Code::Label(0), Code::Plain, Code::Return];
        assert_eq!(reconvergence(&device(&code))[..2], [None, None]);
    }

    #[test]
    fn infinite_loops_and_unreachable_code_have_an_answer() {
        let endless = [
            Code::Label(0),
            Code::BranchIf(1),
            Code::Plain,
            Code::Label(1),
            Code::Plain,
            Code::Branch(0),
            Code::Plain,
            Code::Return,
        ];
        assert_eq!(reconvergence(&at(&endless))[0], Some(2));
        let only = [Code::Label(0), Code::BranchIf(0), Code::Branch(0)];
        assert_eq!(reconvergence(&at(&only)), [Some(1), None]);
        assert_eq!(reconvergence(&at(&[])), []);
    }

    #[test]
    fn targets_of_a_table_meet_where_all_of_them_lead() {
        let code = [
            Code::BranchTable(vec![0, 1, 2]),
            Code::Label(0),
            Code::Plain,
            Code::Branch(2),
            Code::Label(1),
            Code::Plain,
            Code::Label(2),
            Code::Exit,
        ];
        assert_eq!(reconvergence(&at(&code))[0], Some(4));
    }
}
