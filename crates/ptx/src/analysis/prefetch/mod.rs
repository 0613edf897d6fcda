//! Loads of loops that can be made an iteration early, and the instructions that do so: what a compiler tells a
//! mechanism that prefetches into spare registers (\[Lakshminarayana14\] section 3.3.2.6).
//!
//! A target is a load from a read-only array, made in every iteration of an innermost loop of a kernel. A *head* has
//! an address that follows from induction variables and from what the loop does not change; a *tail* has one that
//! needs in addition what a head brought. Its *sequence* is the loop's own address slice again, with induction
//! variables advanced by a step, into spare registers: these are numbered behind the registers of the kernel.
//!
//! What must hold so that the address of a sequence is the address of the next iteration, without exception:
//!
//! - the load and every update of an induction variable happen exactly once in each iteration, unguarded;
//! - every other register of the slice has one definition in the loop, which dominates where it is read;
//! - an induction variable is not updated between where the slice reads it and the load, behind which the sequence
//!   is executed.
//!
//! Whether there is a next iteration is what the comparison of the loop's test says ([`LoopTest`]).

mod body;
mod budget;
mod sequence;
mod slice;
mod test;

pub use budget::PrefetchBudget;
pub use test::{Before, LoopTest};

use super::cfg::Cfg;
use super::dominators::Dominators;
use super::loops::Loops;
use crate::ir::{Function, Instruction, RegisterId, ScalarType};
use body::Body;

/// What can be prefetched in a kernel with the registers that are to spare.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrefetchPlan {
    /// The loops with targets.
    pub loops: Vec<PrefetchLoop>,
    /// The spare registers, numbered behind those of the kernel.
    pub registers: Vec<ScalarType>,
}

/// A loop with targets.
#[derive(Clone, Debug, PartialEq)]
pub struct PrefetchLoop {
    /// The last instructions of the blocks from which it is entered.
    pub entries: Vec<usize>,
    /// The test that decides whether it goes on.
    pub test: LoopTest,
    /// Where the number of its iterations is known before it is entered.
    pub before: Before,
    /// The loads that are prefetched, heads before their tails.
    pub targets: Vec<PrefetchTarget>,
    /// Loads that could be, had they a spare register or a list to keep its number in.
    pub without_register: Vec<usize>,
}

/// A load that is prefetched.
#[derive(Clone, Debug, PartialEq)]
pub struct PrefetchTarget {
    /// The load.
    pub load: usize,
    /// Of a tail: the target among those of the loop that brings its index.
    pub head: Option<usize>,
    /// What prefetches it for the next iteration; the last instruction is the load.
    pub sequence: Vec<Instruction>,
    /// By element: the spare register, where the load has a register.
    pub spare: Vec<Option<RegisterId>>,
}

/// Plans the prefetches of a kernel.
pub fn prefetch_plan(kernel: &Function, budget: PrefetchBudget) -> PrefetchPlan {
    let mut plan = PrefetchPlan::default();
    let cfg = Cfg::new(kernel);
    if cfg.blocks.is_empty() {
        return plan;
    }
    let dominators = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &dominators);
    // Where a loop can be entered at two places, no block stands for its entry.
    if !loops.irreducible.is_empty() {
        return plan;
    }
    for number in 0..loops.loops.len() {
        if loops.loops.iter().any(|other| other.parent == Some(number)) {
            continue;
        }
        let body = Body::new(kernel, &cfg, &dominators, &loops, number);
        let Some((test, before)) = test::find(&body) else { continue };
        let loads = slice::loads(&body, &test, &before);
        if !loads.is_empty() {
            let entries = body.entries();
            let (targets, without_register) = budget.choose(kernel, loads, &mut plan.registers);
            plan.loops.push(PrefetchLoop { entries, test, before, targets, without_register });
        }
    }
    plan
}
