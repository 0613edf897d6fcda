//! A warp waits for each of its loads and atomics before it issues anything else. A store brings nothing that could be
//! waited for.

use super::{Demand, OperationKind, Rule, Wait};

pub(super) struct StallOnMemory;

impl Rule for StallOnMemory {
    fn behind_access(access: Demand) -> Wait {
        match access.kind {
            OperationKind::Store => Wait::Nothing,
            _ => Wait::Accesses,
        }
    }
}
