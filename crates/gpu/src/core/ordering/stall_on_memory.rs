//! A warp waits for each of its loads and atomics before it issues anything else (`core.stall_on_memory`). A store
//! brings nothing that could be waited for.

use super::{CoreSpec, OperationKind, Wait};

pub(super) fn is_chosen(core: &CoreSpec) -> bool {
    core.stall_on_memory
}

#[inline(always)]
pub(super) fn behind_access(kind: OperationKind) -> Wait {
    match kind {
        OperationKind::Store => Wait::Nothing,
        _ => Wait::Accesses,
    }
}
