//! No bypass: every fill is inserted.

use super::super::{Block, CoreTables, Policy};
use super::BypassPolicy;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Never;

impl Policy for Never {
    type Spec = ();

    fn new(_: &(), _: u32) -> Never {
        Never
    }
}

impl BypassPolicy for Never {
    const DECIDES: bool = false;

    #[inline(always)]
    fn passes(&mut self, _: &Block, _: &Block, _: &mut CoreTables) -> bool {
        false
    }
}
