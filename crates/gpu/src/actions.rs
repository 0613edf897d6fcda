//! Counts of what instructions did, from how often each was executed: cheaper than counting while they run, and
//! the same.

use crate::operation_timing::PriceClass;
use crate::statics::{StaticOperation, Statics};
use heddle_engine::counters;
use heddle_ptx::exec::InstructionCount;

counters! {
    /// What the executed instructions did.
    pub struct InstructionCounters {
        warp_instructions: "instructions", "Instructions that warps issued.";
        thread_instructions: "instructions", "Instructions that threads executed: lanes whose guard was true.";
        register_reads: "operations", "Registers read, summed over lanes.";
        register_writes: "operations", "Registers written, summed over lanes.";
        integer_operations: "operations", "Integer additions, logic, moves, comparisons and conversions, by lane.";
        integer_multiplies: "operations", "Integer multiplications and multiply-adds, by lane.";
        integer_divides: "operations", "Integer divisions and remainders, by lane.";
        float_operations: "operations", "Floating-point additions, minima and maxima, by lane.";
        float_multiplies: "operations", "Floating-point multiplications and multiply-adds, by lane.";
        float_divides: "operations", "Floating-point divisions, by lane.";
        special_operations: "operations", "Operations of the special-function units, by lane.";
        divergent_branches: "branches", "Branches at which lanes of a warp went different ways.";
    }
}

/// Sums up the instructions of a launch so far.
///
/// Injected instructions read, write and compute as well, but are none of the program.
pub(crate) fn instruction_counters<'c>(
    counts: &[InstructionCount],
    injected: impl Iterator<Item = &'c [InstructionCount]>,
    statics: &Statics,
) -> InstructionCounters {
    let mut total = InstructionCounters::default();
    let program = &statics.operations[..statics.program_length];
    for (count, operation) in counts.iter().zip(program) {
        total.warp_instructions += count.warps;
        total.thread_instructions += count.lanes;
        add(&mut total, count, operation);
    }
    for counts in injected {
        for (count, operation) in counts.iter().zip(&statics.operations[statics.program_length..]) {
            add(&mut total, count, operation);
        }
    }
    total
}

/// Adds what an instruction did.
fn add(total: &mut InstructionCounters, count: &InstructionCount, operation: &StaticOperation) {
    total.register_reads += count.lanes * u64::from(operation.reads);
    total.register_writes += count.lanes * u64::from(operation.writes);
    total.divergent_branches += count.divergent;
    let place = match operation.price {
        PriceClass::Integer => &mut total.integer_operations,
        PriceClass::IntegerMultiply => &mut total.integer_multiplies,
        PriceClass::IntegerDivide => &mut total.integer_divides,
        PriceClass::Float => &mut total.float_operations,
        PriceClass::FloatMultiply => &mut total.float_multiplies,
        PriceClass::FloatDivide => &mut total.float_divides,
        PriceClass::Special => &mut total.special_operations,
        PriceClass::Nothing => return,
    };
    *place += count.lanes;
}
