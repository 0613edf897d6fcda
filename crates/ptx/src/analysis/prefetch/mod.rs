//! Loads of loops that can be made an iteration early, and the instructions that do so: what a compiler tells a
//! mechanism that prefetches into spare registers (\[Lakshminarayana14\] section 3.3.2.6).
//!
//! A target is a load from a read-only array, made once in an iteration of a loop of a kernel or left out; heads, tails
//! and their sequences are those of [`early`](crate::early).
//!
//! What must hold so that the address of a sequence is the address of a later iteration, without exception:
//!
//! - every update of an induction variable happens exactly once in each iteration, unguarded, perhaps through copies;
//! - every other register of the slice has one definition in the loop, which dominates where it is read;
//! - an induction variable is not updated between where the slice reads it and the load, behind which the sequence
//!   is executed.
//!
//! Whether there is a next iteration is what the comparison of the loop's test says ([`LoopTest`]).

mod body;
mod slice;
mod test;

pub use test::Before;

use super::cfg::Cfg;
use super::dominators::Dominators;
use super::loops::Loops;
use crate::early::budget::Chosen;
use crate::early::{LoopTest, PrefetchBudget};
use crate::ir::{Function, ScalarType};
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
    /// The first and the last of its instructions.
    pub range: (usize, usize),
    /// The last instructions of the blocks from which it goes back to its first block, and whether they do so by taking a
    /// branch.
    pub latches: Vec<(usize, bool)>,
    /// The loads that are prefetched.
    pub chosen: Chosen,
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
        let body = Body::new(kernel, &cfg, &dominators, &loops, number);
        let Some((test, before)) = test::find(&body) else { continue };
        let loads = slice::loads(&body, &test, &before);
        if !loads.is_empty() {
            let entries = body.entries();
            let (range, latches) = (body.range(), body.latches());
            let chosen = budget.choose(kernel, loads, &mut plan.registers);
            plan.loops.push(PrefetchLoop { entries, test, before, range, latches, chosen });
        }
    }
    plan
}
