//! The limit of prefetching into registers: every load that the compiler has found (the targets of
//! \[Lakshminarayana14\] section 3.3.2.6, whatever registers, pairs and instructions a core has for them) has its value
//! after the latency of a hit in L1, counted from when the load/store unit takes it.
//!
//! Its requests are made all the same, wait for room like all others, and move what they move: traffic is paid for,
//! waiting is not. A warp ends when they have been answered. The arrays are read-only, so that the early value is the
//! value.

use crate::statics::Statics;
use heddle_ptx::analysis::prefetch_plan;
use heddle_ptx::early::PrefetchBudget;
use heddle_ptx::ir::Function;

/// More than any kernel has of anything.
const UNLIMITED: u32 = 1 << 20;

/// Marks the loads of a kernel whose values come early.
pub(crate) fn foresee_loads(kernel: &Function, statics: &mut Statics) {
    let budget = PrefetchBudget {
        registers: UNLIMITED,
        instructions: UNLIMITED,
        pairs: UNLIMITED,
        distance: 1,
        conditional: true,
        into_cache: false,
    };
    for planned in prefetch_plan(kernel, budget).loops {
        let loads = planned.chosen.loads.iter().map(|early| early.load);
        for load in loads.chain(planned.chosen.without_register) {
            statics.operations[load].is_foreseen = true;
        }
    }
}
