//! The sectors that are asked for, and the other of each aligned pair: a granularity policy without parameters.

use super::super::{CoreTables, Policy};
use super::{GranularityPolicy, Lack};
use crate::cache::spec::CacheSpec;
use crate::request::Sectors;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Pairs;

impl Policy for Pairs {
    type Spec = ();

    fn new(_: &(), _: u32) -> Pairs {
        Pairs
    }

    fn check_cache(cache: &CacheSpec) -> Result<(), (&'static str, String)> {
        super::needs_sectors(cache)
    }
}

impl GranularityPolicy for Pairs {
    fn fetch(&mut self, lack: &Lack, _: &mut CoreTables) -> Sectors {
        let Sectors(missing) = lack.missing;
        Sectors(missing | (missing & 0x55) << 1 | (missing & 0xaa) >> 1)
    }
}
