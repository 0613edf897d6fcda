//! A miss fetches the whole line.

use super::super::{CoreTables, Policy};
use super::{GranularityPolicy, Lack};
use crate::request::Sectors;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WholeLine;

impl Policy for WholeLine {
    type Spec = ();

    fn new(_: &(), _: u32) -> WholeLine {
        WholeLine
    }
}

impl GranularityPolicy for WholeLine {
    #[inline(always)]
    fn fetch(&mut self, lack: &Lack, _: &mut CoreTables) -> Sectors {
        lack.all
    }
}
