//! Tables that policies of several levels share, by core.

use super::bypass::pc_table::PcTable;
use super::inclusion::flexclusion::Selector;
use super::inclusion::region_table::RegionTable;
use super::{BypassKind, InclusionKind, PolicySpec};

/// The tables of all cores. The owner of the caches keeps them and passes them in; those that no policy of its caches
/// needs are empty.
#[derive(Clone, Debug, Default)]
pub struct CoreTables {
    /// Of R-EX and of B+C.
    pub(crate) regions: Vec<RegionTable>,
    /// Of Flexclusion: one for all slices.
    pub(crate) selector: Option<Selector>,
    /// Of B+C.
    pub(crate) pcs: Vec<PcTable>,
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
        let by_core = |table: RegionTable| vec![table; cores as usize];
        match inclusion {
            InclusionKind::RegionExclusive => self.regions = by_core(RegionTable::new(&policies.rex)),
            InclusionKind::BypassCopyback => self.regions = by_core(policies.bc.region_table()),
            InclusionKind::Flexclusion => self.selector = Some(Selector::new(&policies.flexclusion)),
            InclusionKind::NonInclusive | InclusionKind::Exclusive => {}
        }
    }

    /// Those that caches of cores with this bypass policy need beside them.
    pub fn and_of(mut self, bypass: BypassKind, policies: &PolicySpec, cores: u32) -> CoreTables {
        if bypass == BypassKind::PcReuse {
            self.pcs = vec![PcTable::new(&policies.pc_reuse); cores as usize];
        }
        self
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
