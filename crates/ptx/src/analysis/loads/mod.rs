//! The loads of loops and the pattern of their addresses.
//!
//! For the innermost loop around a load: its address is *invariant*, *strided* (it changes by the same amount each
//! iteration), *dependent* on what another load of the loop brought, or *other*. Copies, `cvta`, conversions,
//! shifts, additions, multiplications and multiply-adds are followed; what comes out of memory, another lane or
//! a call is not. A register that is updated once per iteration by a constant is strided, also where each of
//! several ways back has an update of its own by the same constant.
//!
//! A *pair* is a strided head and a tail that depends on it, as the edge list and the visited flags of a
//! breadth-first search (\[Lakshminarayana14\] chapter 3).

mod region;
mod step;

pub use region::Region;
pub(super) use region::regions;

use super::cfg::Cfg;
use super::dominators::Dominators;
use super::loops::Loops;
use crate::ir::{Access, Address, AddressBase, Function, Operation, StateSpace};
use step::{Context, Step, Steps};

/// How an address changes from one iteration to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Not at all.
    Invariant,
    /// By the same number of bytes each time, if that is a constant of the program; else by something that the
    /// loop does not change.
    Strided(Option<i64>),
    /// It depends on what this load (or atomic operation, or texture fetch) of the same loop brought.
    Dependent(usize),
    /// None of these.
    Other,
}

/// A load in a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopLoad {
    /// The instruction.
    pub instruction: usize,
    /// The innermost loop around it, by number.
    pub in_loop: usize,
    /// Everything about the access.
    pub access: Access,
    /// What it reads from, if that can be traced.
    pub region: Option<Region>,
    /// The pattern of its address in that loop.
    pub pattern: Pattern,
}

/// The loads in loops of a function, in the order of the text, those of parameters left out.
pub fn loop_loads(function: &Function, cfg: &Cfg, dominators: &Dominators, loops: &Loops) -> Vec<LoopLoad> {
    let regions = regions(function);
    let context = Context { function, cfg, dominators, loops };
    let mut steps: Vec<Option<Steps>> = loops.loops.iter().map(|_| None).collect();
    let mut found = Vec::new();
    for (index, instruction) in function.instructions.iter().enumerate() {
        let Operation::Load { access, address, .. } = &instruction.operation else { continue };
        let Some(in_loop) = loops.innermost[cfg.block_of[index]] else { continue };
        if access.space == StateSpace::Parameter {
            continue;
        }
        let steps = steps[in_loop].get_or_insert_with(|| Steps::new(&context, in_loop));
        let region = match address.base {
            AddressBase::Register(register) => regions[register.0 as usize],
            AddressBase::Symbol(symbol) => region::of_symbol(symbol),
            AddressBase::Absolute => None,
        };
        let pattern = pattern(address, steps);
        found.push(LoopLoad { instruction: index, in_loop, access: access.clone(), region, pattern });
    }
    found
}

/// Pairs of a strided head and a tail that depends on it, by instruction.
pub fn head_tail_pairs(loads: &[LoopLoad]) -> Vec<(usize, usize)> {
    let head_of = |tail: &LoopLoad| {
        let Pattern::Dependent(head) = tail.pattern else { return None };
        let is_head =
            |load: &&LoopLoad| load.instruction == head && matches!(load.pattern, Pattern::Strided(_));
        loads.iter().find(is_head).map(|load| (load.instruction, tail.instruction))
    };
    loads.iter().filter_map(head_of).collect()
}

fn pattern(address: &Address, steps: &Steps) -> Pattern {
    let AddressBase::Register(register) = address.base else { return Pattern::Invariant };
    match steps.step[register.0 as usize] {
        Step::Constant(0) => Pattern::Invariant,
        Step::Constant(stride) => Pattern::Strided(Some(stride)),
        Step::Invariant => Pattern::Strided(None),
        Step::Varies | Step::Open => {
            steps.depends_on[register.0 as usize].map_or(Pattern::Other, Pattern::Dependent)
        }
    }
}
