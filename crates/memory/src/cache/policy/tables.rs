//! Tables that policies of several levels share, by core.

use super::inclusion::flexclusion::Selector;
use super::inclusion::region_table::RegionTable;
use super::{InclusionKind, PolicySpec};

/// The tables of all cores. The owner of the caches keeps them and passes them in; those that no policy of its caches
/// needs are empty.
#[derive(Clone, Debug, Default)]
pub struct CoreTables {
    /// Of R-EX.
    pub(crate) regions: Vec<RegionTable>,
    /// Of Flexclusion: one for all slices.
    pub(crate) selector: Option<Selector>,
}

impl CoreTables {
    /// Tables for so many cores, above a cache with this inclusion policy.
    pub fn new(inclusion: InclusionKind, policies: &PolicySpec, cores: u32) -> CoreTables {
        let mut tables = CoreTables::default();
        tables.add(inclusion, policies, cores);
        tables
    }

    /// Adds the tables that another inclusion policy needs.
    pub fn add(&mut self, inclusion: InclusionKind, policies: &PolicySpec, cores: u32) {
        match inclusion {
            InclusionKind::RegionExclusive => {
                self.regions = vec![RegionTable::new(&policies.rex); cores as usize];
            }
            InclusionKind::Flexclusion => self.selector = Some(Selector::new(&policies.flexclusion)),
            InclusionKind::NonInclusive | InclusionKind::Exclusive => {}
        }
    }

    /// Whether Flexclusion has changed the mode of the sets that follow since it was asked last.
    #[inline(always)]
    pub fn has_switched(&self) -> bool {
        self.selector.as_ref().is_some_and(Selector::has_switched)
    }

    /// The mode that sets which follow have now, if that is Flexclusion's: whether it is the exclusive one.
    pub fn take_mode(&mut self) -> Option<bool> {
        let selector = self.selector.as_mut()?;
        selector.note_switch();
        Some(selector.is_exclusive())
    }
}
