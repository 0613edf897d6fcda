//! Tables that policies of several levels share, by core.

use super::bypass::pc_table::PcTable;
use super::inclusion::region_table::RegionTable;
use super::{BypassKind, InclusionKind, PolicySpec};

/// The tables of all cores. The owner of the caches keeps them and passes them in; those that no policy of its caches
/// needs are empty.
#[derive(Clone, Debug, Default)]
pub struct CoreTables {
    /// Of R-EX and of B+C.
    pub(crate) regions: Vec<RegionTable>,
    /// Of B+C.
    pub(crate) pcs: Vec<PcTable>,
}

impl CoreTables {
    /// Tables for so many cores, above a cache with this inclusion policy.
    pub fn new(inclusion: InclusionKind, policies: &PolicySpec, cores: u32) -> CoreTables {
        let mut tables = CoreTables::default();
        let regions = match inclusion {
            InclusionKind::RegionExclusive => RegionTable::new(&policies.rex),
            InclusionKind::BypassCopyback => policies.bc.region_table(),
            InclusionKind::NonInclusive | InclusionKind::Exclusive => return tables,
        };
        tables.regions = vec![regions; cores as usize];
        tables
    }

    /// Those that caches of cores with this bypass policy need beside them.
    pub fn and_of(mut self, bypass: BypassKind, policies: &PolicySpec, cores: u32) -> CoreTables {
        if bypass == BypassKind::PcReuse {
            self.pcs = vec![PcTable::new(&policies.pc_reuse); cores as usize];
        }
        self
    }
}
