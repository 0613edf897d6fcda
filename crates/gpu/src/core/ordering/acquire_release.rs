//! Order where it is asked for: what releases waits until all accesses of its warp are performed, and nothing passes what
//! acquires before it has its value (PTX ISA, "Memory Consistency Model"). Everything else stalls on use.
//!
//! Chosen: an order among the threads of a block holds without waiting, as they share a core, whose accesses go through
//! its caches in the order in which they were issued.

use super::{Demand, Ordering, Rule, Scope, Wait};

pub(super) struct AcquireRelease;

/// What an access waits for that demands one of these orders beyond its block.
fn for_order(access: Demand, orders: [Ordering; 2]) -> Wait {
    let is_wide = matches!(access.scope, Scope::Device | Scope::System);
    if is_wide && orders.contains(&access.ordering) { Wait::Accesses } else { Wait::Nothing }
}

impl Rule for AcquireRelease {
    fn before_access(access: Demand) -> Wait {
        for_order(access, [Ordering::Release, Ordering::AcquireRelease])
    }

    fn behind_access(access: Demand) -> Wait {
        for_order(access, [Ordering::Acquire, Ordering::AcquireRelease])
    }
}
