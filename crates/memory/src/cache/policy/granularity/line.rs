//! A miss fetches the whole line.

use crate::request::Sectors;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WholeLine;

impl WholeLine {
    #[inline(always)]
    pub(super) fn fetch(self, all: Sectors) -> Sectors {
        all
    }
}
