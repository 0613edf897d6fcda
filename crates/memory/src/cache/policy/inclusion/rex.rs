//! R-EX: exclusion for allocations that cores reuse by themselves, non-inclusion for all others (\[Lakshminarayana14\]
//! section 4.4.3, table 11).
//!
//! The lower cache notes in each tag which core fetched the line and whether that core (private reuse, `PR`) or another
//! one (shared reuse, `SR`) has come back to it. The two bits go up with every reply. Each core counts them by *region*
//! (the allocation that the line lies in) in a Region Tracking Table (`region_table`, listing 4); a region with private and without shared reuse is
//! cached exclusively: its fills bypass the lower cache, its victims are copied back there with the copy-back bit
//! (`CB`) and the core's number, and a hit of that core on such a line invalidates it.
//!
//! Listing 3 (the lower cache; the text of the document breaks off in the second half, which follows from section
//! 4.4.3.5):
//!
//! ```text
//! OnCacheFill(entry, core):  entry.core = core; entry.SR = entry.PR = entry.CB = 0
//! OnCacheHit(entry, core):   if core != entry.core then entry.SR = 1 else entry.PR = 1
//!                            if entry.CB and core == entry.core then invalidate entry
//! ```
//!
//! What the text leaves open: flags are computed anew in each period, so that a region can change its mind; a period
//! is counted in fills, as policies know no time; a read that waits for another core's fetch is an access by two cores
//! and sets SR at the fill, and the line is kept for both if either of them wants it kept; a copy-back that finds its
//! line in place leaves the tag's bits alone; requests outside of every allocation are not tracked. Lines that a store
//! evicts from the upper cache are not copied back, as its data has just been overwritten below.

use super::super::{BypassKind, CoreTables, Fill, Policy, Storage, Visit, Wants};
use super::region_table::RegionTable;
pub use super::region_table::RexSpec;
use super::{AfterHit, Fetched, Hit, HitLine, InclusionPolicy, OnFetch};
use crate::cache::spec::CacheSpec;
use crate::ids::CoreId;
use crate::request::Access;

/// Of a request and its reply: the core caches the line's region exclusively.
pub(super) const EXCLUSIVE: u16 = 1;
/// Of a reply and a tag of the lower cache: another core has come back to the line (SR).
const SHARED: u16 = 2;
/// Of a reply and a tag of the lower cache: the core that fetched the line has come back to it (PR).
const PRIVATE: u16 = 4;
/// Of a tag of either cache: the line is copied back, or was (CB).
const COPY_BACK: u16 = 8;

/// What R-EX shares, and B+C.
pub(super) const REGIONS: &str = "the Region Tracking Tables of cores";

#[derive(Clone, Debug)]
pub(crate) struct Rex {
    spec: RexSpec,
}

impl Policy for Rex {
    type Spec = RexSpec;

    const WANTS: Wants = Wants { fetches: true, ..Wants::NOTHING };

    fn new(spec: &RexSpec, _: u32) -> Rex {
        Rex { spec: spec.clone() }
    }

    fn check_cache(cache: &CacheSpec) -> Result<(), (&'static str, String)> {
        if cache.bypass != BypassKind::Never {
            let problem = "R-EX (inclusion = \"r-ex\") decides itself which fills are kept; use \"never\"";
            return Err(("bypass", problem.to_string()));
        }
        if cache.victim_lines > 0 {
            let problem = "R-EX keeps its notes in the tags of the lower cache, which a victim cache has not; use 0 here";
            return Err(("victim_lines", problem.to_string()));
        }
        Ok(())
    }

    const BITS: u16 = EXCLUSIVE | SHARED | PRIVATE | COPY_BACK;

    const SHARES: Option<&'static str> = Some(REGIONS);

    fn share(spec: &RexSpec, cores: u32, tables: &mut CoreTables) {
        tables.share_by_core(RegionTable::new(spec), cores);
    }

    /// In the upper cache: the request says whether its region is cached exclusively.
    fn asked(&mut self, visit: &Visit, tables: &mut CoreTables) -> u16 {
        let Some(table) = tables.of_core::<RegionTable>(visit.core) else { return 0 };
        let reads = matches!(visit.access, Access::Read | Access::Prefetch);
        if reads && table.is_exclusive(visit.region) { EXCLUSIVE } else { 0 }
    }

    /// In the upper cache: the reply trains the core's table.
    fn filled(&mut self, fill: &Fill, tables: &mut CoreTables) -> u16 {
        let bits = fill.policy_bits;
        if let Some(table) = tables.of_core_mut::<RegionTable>(fill.core) {
            table.filled(fill.region, bits & SHARED != 0, bits & PRIVATE != 0);
        }
        if bits & EXCLUSIVE != 0 { COPY_BACK } else { 0 }
    }

    /// The core's number and three bits in each tag (figure 21).
    fn bits(&self, storage: &Storage) -> u64 {
        let core = u64::from(storage.cores.next_power_of_two().ilog2());
        storage.lines * (core + 3)
    }

    /// The Region Tracking Table: region, valid and trained, two flags and three counters in each entry (figure 22), and
    /// the `Untracked` counter.
    fn bits_of_core(&self) -> u64 {
        let (counter, region) = (u64::from(self.spec.counter_bits), 16);
        u64::from(self.spec.entries) * (region + 4 + 3 * counter) + counter
    }
}

impl InclusionPolicy for Rex {
    const MOVES_LINES: bool = true;

    /// Listing 3, OnCacheHit.
    fn hit(&mut self, visit: &Visit, line: HitLine, _: &mut CoreTables) -> Hit {
        let own = visit.core == line.core;
        let line_bits = line.policy_bits | if own { PRIVATE } else { SHARED };
        let copied_back = line.policy_bits & COPY_BACK != 0;
        let after = if own && copied_back { AfterHit::MoveUp } else { AfterHit::Keep };
        let reply_bits = line_bits & (SHARED | PRIVATE) | visit.policy_bits & EXCLUSIVE;
        Hit { after, line_bits, reply_bits }
    }

    /// Listing 3, OnCacheFill: no bit is set in the tag.
    fn on_fetch(&mut self, visit: &Visit, _: &mut CoreTables) -> Fetched {
        let exclusive = visit.policy_bits & EXCLUSIVE;
        let then = if exclusive != 0 { OnFetch::PassUp } else { OnFetch::Keep };
        Fetched { then, policy_bits: exclusive }
    }

    fn merged(&mut self, visit: &Visit, core: CoreId, policy_bits: u16) -> Fetched {
        let shared = if visit.core == core { 0 } else { SHARED };
        let exclusive = policy_bits & visit.policy_bits & EXCLUSIVE;
        let then = if exclusive != 0 { OnFetch::PassUp } else { OnFetch::Keep };
        Fetched { then, policy_bits: policy_bits & !EXCLUSIVE | shared | exclusive }
    }

    fn gives(&self, line_bits: u16) -> bool {
        line_bits & COPY_BACK != 0
    }

    /// The copy-back bit of each tag.
    fn bits_above(&self, storage: &Storage) -> u64 {
        storage.lines
    }
}

#[cfg(test)]
#[path = "rex_tests.rs"]
mod tests;
