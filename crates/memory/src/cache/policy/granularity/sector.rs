//! The sectors that the request touches: a sector cache (\[Lakshminarayana14\] section 4.6).

use crate::request::Sectors;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SectorsAsked;

impl SectorsAsked {
    #[inline(always)]
    pub(super) fn fetch(self, missing: Sectors) -> Sectors {
        missing
    }
}
