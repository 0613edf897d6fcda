//! A warp issues nothing while one of its atomics is outstanding, as in GPGPU-Sim.

use super::{Demand, OperationKind, Rule, Wait};

pub(super) struct WaitForAtomics;

impl Rule for WaitForAtomics {
    fn behind_access(access: Demand) -> Wait {
        match access.kind {
            OperationKind::Atomic => Wait::Atomics,
            _ => Wait::Nothing,
        }
    }
}
