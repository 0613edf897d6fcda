//! The line behind each that is missed, with a bit that tells the caches below: a prefetch policy.

use super::super::{CoreTables, Met, Policy, Visit};
use super::{PrefetchPolicy, Wish};

/// Of a request: nobody has asked for it. The bits before it are those of R-EX, B+C and Flexclusion.
pub(crate) const AHEAD: u16 = 64;

#[derive(Clone, Copy, Debug)]
pub(crate) struct NextLine;

impl Policy for NextLine {
    type Spec = ();

    const BITS: u16 = AHEAD;

    fn new(_: &(), _: u32) -> NextLine {
        NextLine
    }
}

impl PrefetchPolicy for NextLine {
    fn observe(&mut self, read: &Visit, _: &mut CoreTables, mut wish: impl FnMut(Wish)) {
        if read.met == Met::Miss {
            let next = read.line.0 + u64::from(read.line_bytes);
            wish(Wish { policy_bits: AHEAD, ..Wish::at(next) });
        }
    }
}
