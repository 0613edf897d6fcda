//! Tables that policies of several levels share, by core.

use super::inclusion::region_table::RegionTable;
use super::{InclusionKind, PolicySpec};

/// The tables of all cores. The owner of the caches keeps them and passes them in; those that no policy of its caches
/// needs are empty.
#[derive(Clone, Debug, Default)]
pub struct CoreTables {
    /// Of R-EX.
    pub(crate) regions: Vec<RegionTable>,
}

impl CoreTables {
    /// Tables for so many cores, above a cache with this inclusion policy.
    pub fn new(inclusion: InclusionKind, policies: &PolicySpec, cores: u32) -> CoreTables {
        let mut tables = CoreTables::default();
        if inclusion == InclusionKind::RegionExclusive {
            tables.regions = vec![RegionTable::new(&policies.rex); cores as usize];
        }
        tables
    }
}
