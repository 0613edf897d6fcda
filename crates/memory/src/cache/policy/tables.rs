//! Tables that policies of several levels share, by core.

use super::{InclusionKind, PolicySpec};

/// The tables of all cores. The owner of the caches keeps them and passes them in; those that no policy of its caches
/// needs are empty.
#[derive(Clone, Debug, Default)]
pub struct CoreTables {}

impl CoreTables {
    /// Tables for so many cores, above a cache with this inclusion policy.
    pub fn new(_inclusion: InclusionKind, _policies: &PolicySpec, _cores: u32) -> CoreTables {
        CoreTables::default()
    }
}
