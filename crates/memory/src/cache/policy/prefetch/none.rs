//! No prefetching.

use super::super::{CoreTables, Policy, Visit};
use super::{PrefetchPolicy, Wish};

#[derive(Clone, Copy, Debug)]
pub(crate) struct NoPrefetch;

impl Policy for NoPrefetch {
    type Spec = ();

    fn new(_: &(), _: u32) -> NoPrefetch {
        NoPrefetch
    }
}

impl PrefetchPolicy for NoPrefetch {
    const WATCHES: bool = false;

    fn observe(&mut self, _: &Visit, _: &mut CoreTables, _: impl FnMut(Wish)) {}
}
