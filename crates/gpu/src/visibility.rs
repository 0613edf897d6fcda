//! Scope and cache operator of an access, as the memory system sees them.

use heddle_memory::request::{Ordering, Scope};
use heddle_ptx::ir::{self, CacheOperator, FenceKind, Instruction, Operation};

/// Order and scope of an access or a fence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Visibility {
    pub(crate) scope: Scope,
    pub(crate) ordering: Ordering,
    /// Whether it passes the core's own cache: a load that may not be answered by it, because other cores' writes
    /// are not seen there, and atomics where the machine has them do so.
    pub(crate) passes: bool,
}

impl Visibility {
    /// Of an instruction; of one that is neither access nor fence, nothing in particular.
    pub(crate) fn of(instruction: &Instruction, atomics_pass: bool) -> Visibility {
        match &instruction.operation {
            Operation::Load { access, .. } | Operation::Store { access, .. } => {
                let scope = scope(access.ordering, access.scope);
                let operator = matches!(access.cache, CacheOperator::Global | CacheOperator::Volatile);
                let wide = matches!(scope, Scope::Device | Scope::System);
                Visibility { scope, ordering: ordering(access.ordering), passes: operator || wide }
            }
            Operation::Atomic { atomic, .. } => Visibility {
                scope: scope(atomic.ordering, Some(atomic.scope)),
                ordering: ordering(atomic.ordering),
                passes: atomics_pass,
            },
            Operation::CopyAsync { cache, .. } => {
                Visibility { passes: *cache == CacheOperator::Global, ..Visibility::default() }
            }
            Operation::Fence { kind: FenceKind::Ordered(order), scope: wide } => {
                Visibility { scope: scope(*order, Some(*wide)), ordering: ordering(*order), passes: false }
            }
            _ => Visibility::default(),
        }
    }
}

/// Ordered accesses without a scope, and volatile ones, speak to the whole system (PTX ISA, "Scope").
fn scope(ordering: ir::Ordering, scope: Option<ir::Scope>) -> Scope {
    match (ordering, scope) {
        (ir::Ordering::Weak, _) => Scope::None,
        (ir::Ordering::Volatile | ir::Ordering::MemoryMapped, _) | (_, None | Some(ir::Scope::System)) => {
            Scope::System
        }
        (_, Some(ir::Scope::Block)) => Scope::Block,
        (_, Some(ir::Scope::Cluster | ir::Scope::Gpu)) => Scope::Device,
    }
}

fn ordering(ordering: ir::Ordering) -> Ordering {
    match ordering {
        ir::Ordering::Acquire => Ordering::Acquire,
        ir::Ordering::Release => Ordering::Release,
        ir::Ordering::AcquireRelease | ir::Ordering::SequentiallyConsistent => Ordering::AcquireRelease,
        _ => Ordering::Relaxed,
    }
}
