//! The sectors that the request touches: a sector cache (\[Lakshminarayana14\] section 4.6).

use super::super::{CoreTables, Policy};
use super::{GranularityPolicy, Lack};
use crate::cache::spec::CacheSpec;
use crate::request::Sectors;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SectorsAsked;

impl Policy for SectorsAsked {
    type Spec = ();

    fn new(_: &(), _: u32) -> SectorsAsked {
        SectorsAsked
    }

    fn check_cache(cache: &CacheSpec) -> Result<(), (&'static str, String)> {
        super::needs_sectors(cache)
    }
}

impl GranularityPolicy for SectorsAsked {
    #[inline(always)]
    fn fetch(&mut self, lack: &Lack, _: &mut CoreTables) -> Sectors {
        lack.missing
    }
}
