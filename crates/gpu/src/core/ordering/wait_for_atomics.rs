//! A warp issues nothing while one of its atomics is outstanding, as in GPGPU-Sim (`core.wait_for_atomics`).

use super::{CoreSpec, OperationKind, Wait};

pub(super) fn is_chosen(core: &CoreSpec) -> bool {
    core.wait_for_atomics
}

#[inline(always)]
pub(super) fn behind_access(kind: OperationKind) -> Wait {
    match kind {
        OperationKind::Atomic => Wait::Atomics,
        _ => Wait::Nothing,
    }
}
