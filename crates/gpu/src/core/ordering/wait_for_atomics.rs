//! A warp issues nothing while one of its atomics is outstanding, as in GPGPU-Sim (`core.wait_for_atomics`).

use super::{OperationKind, Wait};

#[inline(always)]
pub(super) fn behind_access(kind: OperationKind) -> Wait {
    match kind {
        OperationKind::Atomic => Wait::Atomics,
        _ => Wait::Nothing,
    }
}
