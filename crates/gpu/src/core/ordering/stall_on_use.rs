//! Stall on use: nothing waits but what needs the result of an access (\[Lakshminarayana14\] table 3).

use super::{Demand, Rule, Wait};

pub(super) struct StallOnUse;

impl Rule for StallOnUse {
    fn behind_access(_: Demand) -> Wait {
        Wait::Nothing
    }
}
