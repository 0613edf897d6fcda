//! How much of a line a miss fetches.

use super::super::{CoreTables, Granularity, Policy};
use crate::cache::spec::CacheSpec;
use crate::ids::{CoreId, Pc, RegionId};
use crate::request::{LineAddress, Sectors};

/// A miss of which something has to be fetched.
#[derive(Clone, Copy, Debug)]
pub struct Lack {
    /// The line.
    pub line: LineAddress,
    /// The instruction.
    pub pc: Pc,
    /// The core.
    pub core: CoreId,
    /// The allocation that it falls into; 0 if unknown.
    pub region: RegionId,
    /// Those of the request.
    pub policy_bits: u16,
    /// What the request lacks.
    pub missing: Sectors,
    /// Sectors of the line that are here or on their way.
    pub held: Sectors,
    /// All sectors of a line.
    pub all: Sectors,
}

/// A miss of these sectors of a line of four, none of which is here, for tests of policies.
#[cfg(test)]
pub(in crate::cache::policy) fn lack_of(missing: u8) -> Lack {
    Lack {
        line: LineAddress(0),
        pc: Pc(7),
        core: CoreId(0),
        region: RegionId(1),
        policy_bits: 0,
        missing: Sectors(missing),
        held: Sectors::NONE,
        all: Sectors(0b1111),
    }
}

/// A granularity policy.
pub trait GranularityPolicy: Policy {
    /// What to fetch of the line; the cache leaves out what it has already.
    fn fetch(&mut self, lack: &Lack, tables: &mut CoreTables) -> Sectors;
}

impl Granularity {
    #[inline(always)]
    pub(crate) fn fetch(&mut self, lack: &Lack, tables: &mut CoreTables) -> Sectors {
        each_granularity!(self, policy => policy.fetch(lack, tables))
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
