//! Stall on use: nothing waits but what needs the result of an access (\[Lakshminarayana14\] table 3).

use super::{CoreSpec, OperationKind, Wait};

pub(super) fn is_chosen(_core: &CoreSpec) -> bool {
    true
}

#[inline(always)]
pub(super) fn behind_access(_: OperationKind) -> Wait {
    Wait::Nothing
}
