//! How much of a line a miss fetches.

use super::super::{Granularity, Policy};
use crate::cache::spec::CacheSpec;
use crate::request::Sectors;

/// A miss of which something has to be fetched.
#[derive(Clone, Copy, Debug)]
pub struct Lack {
    /// The instruction.
    pub pc: u32,
    /// What the request lacks.
    pub missing: Sectors,
    /// All sectors of a line.
    pub all: Sectors,
}

/// A granularity policy.
pub trait GranularityPolicy: Policy {
    /// What to fetch of the line; the cache leaves out what it has already.
    fn fetch(&self, lack: &Lack) -> Sectors;
}

impl Granularity {
    #[inline(always)]
    pub(crate) fn fetch(&self, lack: &Lack) -> Sectors {
        each_granularity!(self, policy => policy.fetch(lack))
    }
}

/// Refuses a cache whose lines have no sectors to choose from.
pub(crate) fn needs_sectors(cache: &CacheSpec) -> Result<(), (&'static str, String)> {
    if cache.sector != cache.line {
        return Ok(());
    }
    let problem = "fetching by sector needs sectors smaller than the line; use \"line\" or set sector";
    Err(("granularity", problem.to_string()))
}
