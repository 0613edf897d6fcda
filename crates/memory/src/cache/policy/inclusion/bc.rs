//! B+C, bypass and copy-back: allocations without shared reuse bypass the lower cache, those that cores reuse by
//! themselves are copied back there, and blocks of instructions without reuse bypass the upper one
//! (\[Lakshminarayana14\] section 4.5.4, tables 12 and 13).
//!
//! Regions and their reuse are found as R-EX does (`rex`, `region_table`, listings 3 and 4), instructions by
//! `bypass/pc_reuse.rs` (listings 5 and 6). From both follows, for each miss of the upper cache, table 12 ([`decide`]):
//!
//! ```text
//! L1 reuse  shared   private   action
//! no        no       no        bypass L2, bypass L1          (the table has this line twice)
//! no        no       yes       bypass L2, copy back to L2, invalidate on a hit there
//! no        yes      no | yes  bypass L1
//! yes       no       no        bypass L2
//! yes       no       yes       bypass L2, copy back to L2, invalidate on a hit there
//! yes       yes      no | yes  -
//! no        unknown  unknown   bypass L1
//! unknown   no       yes       bypass L2, copy back to L2, invalidate on a hit there
//! ```
//!
//! What the text leaves open:
//!
//! - Combinations that the table has not are cached normally, also those without shared reuse whose instruction is not
//!   known, although the text has regions without shared reuse bypass L2 always.
//! - At L2 alone, where no core knows its instructions, L1 keeps everything, and so the lines with L1 reuse hold.
//! - A region that bypasses L2 cannot show reuse there any more, so that what is taken for its absence must be sure: the
//!   table is updated less often than that of R-EX, a region is trained by as many accesses as show one in 64, and a flag
//!   that was set stays, as it does in listing 4.
//! - A read that waits for another core's fetch is kept in L2 if either of the two wants it kept there; it is copied back
//!   if both want that. All else is as for R-EX.

use super::super::bypass::pc_table::PcTable;
use super::super::{
    ADDRESS_BITS, BypassKind, CoreTables, Fill, Limit, Parameters, Policy, ROWS_MAX, Storage, Visit, Wants,
};
use super::region_table::RegionTable;
use super::rex::{EXCLUSIVE, Rex, RexSpec};
use super::{Fetched, Hit, HitLine, InclusionPolicy, OnFetch};
use crate::cache::spec::CacheSpec;
use crate::ids::CoreId;
use crate::request::Access;
use serde::{Deserialize, Serialize};

/// Bypass and copy-back, its part at L2 (\[Lakshminarayana14\] table 13).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BcSpec {
    /// Entries of a core's Region Tracking Table (table 13; table 11 has 32 for R-EX).
    pub entries: u32,
    /// Fills of a core's cache after which its table is updated. Chosen: more than twice the 384 lines that the document's
    /// L1 has and that are a core's share of its L2, so that lines have been evicted from L1 and could be found in L2.
    pub period: u32,
    /// A region has reuse if more than one in this many of its accesses found it (listing 4).
    pub threshold: u32,
    /// Bits of a counter. Chosen: counters are halved in each period and so stay below twice its length.
    pub counter_bits: u32,
}

impl Default for BcSpec {
    fn default() -> BcSpec {
        BcSpec { entries: 31, period: 1024, threshold: 64, counter_bits: 11 }
    }
}

impl BcSpec {
    fn regions(&self) -> RexSpec {
        let &BcSpec { entries, period, threshold, counter_bits } = self;
        RexSpec { entries, period, threshold, counter_bits }
    }
}

impl Parameters for BcSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![
            ("entries", self.entries, 1, 1 << 12),
            ("period", self.period, 1, 1 << 24),
            ("threshold", self.threshold, 1, ROWS_MAX),
            ("counter_bits", self.counter_bits, 1, 31),
        ]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries)]
    }
}

/// What L2 does with the block of a miss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtL2 {
    /// It keeps it.
    Keep,
    /// The block bypasses it.
    Bypass,
    /// Likewise, and it is copied back when L1 evicts it.
    CopyBack,
}

/// A decision of table 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) bypass_l1: bool,
    pub(crate) at_l2: AtL2,
}

/// Table 12: what follows from the L1 reuse of an instruction, and the shared and private reuse of a region, as far as
/// they are known.
pub(crate) fn decide(l1_reuse: Option<bool>, region: Option<(bool, bool)>) -> Decision {
    let (bypass_l1, at_l2) = match (l1_reuse, region) {
        (Some(false), Some((false, false))) => (true, AtL2::Bypass),
        (_, Some((false, true))) => (false, AtL2::CopyBack),
        (Some(false), Some((true, _)) | None) => (true, AtL2::Keep),
        (Some(true), Some((false, false))) => (false, AtL2::Bypass),
        (Some(true), Some((true, _))) => (false, AtL2::Keep),
        // Not in the table.
        (None, Some((false, false) | (true, _)) | None) | (Some(true), None) => (false, AtL2::Keep),
    };
    Decision { bypass_l1, at_l2 }
}

/// Of a request and a fetch, beside the bits of R-EX: the block bypasses L2 and is not copied back.
const BYPASS: u16 = 16;
/// Of a request: it bypasses L2 in one way or the other.
const PASSES: u16 = BYPASS | EXCLUSIVE;

#[derive(Clone, Debug)]
pub(crate) struct BypassCopyback {
    /// What finds the reuse of regions, copies back and invalidates.
    regions: Rex,
    entries: u32,
}

/// A fetch with these bits.
fn fetched(policy_bits: u16) -> Fetched {
    let then = if policy_bits & PASSES == 0 { OnFetch::Keep } else { OnFetch::Bypass };
    Fetched { then, policy_bits }
}

impl Policy for BypassCopyback {
    type Spec = BcSpec;

    const WANTS: Wants = Rex::WANTS;

    fn new(spec: &BcSpec, seed: u32) -> BypassCopyback {
        BypassCopyback { regions: Rex::new(&spec.regions(), seed), entries: spec.entries }
    }

    fn check_cache(cache: &CacheSpec) -> Result<(), (&'static str, String)> {
        Rex::check_cache(cache).map_err(|(key, why)| {
            (
                key,
                why.replace("R-EX (inclusion = \"r-ex\")", "B+C (inclusion = \"bc\")").replace("R-EX", "B+C"),
            )
        })
    }

    const BITS: u16 = Rex::BITS | BYPASS;

    const SHARES: Option<&'static str> = Rex::SHARES;

    fn share(spec: &BcSpec, cores: u32, tables: &mut CoreTables) {
        tables.share_by_core(RegionTable::new(&spec.regions()).lasting(), cores);
    }

    /// In the upper cache: the request says what table 12 has L2 do.
    fn asked(&mut self, visit: &Visit, tables: &mut CoreTables) -> u16 {
        let Some(regions) = tables.of_core::<RegionTable>(visit.core) else { return 0 };
        if !matches!(visit.access, Access::Read | Access::Prefetch) {
            return 0;
        }
        // Where no core knows its instructions, L1 keeps what they fetch.
        let l1_reuse =
            tables.of_core::<PcTable>(visit.core).map_or(Some(true), |table| table.reuse(visit.pc));
        match decide(l1_reuse, regions.reuse(visit.region)).at_l2 {
            AtL2::Keep => 0,
            AtL2::Bypass => BYPASS,
            AtL2::CopyBack => EXCLUSIVE,
        }
    }

    fn filled(&mut self, fill: &Fill, tables: &mut CoreTables) -> u16 {
        self.regions.filled(fill, tables)
    }

    /// As R-EX: the core's number and three bits in each tag of L2.
    fn bits(&self, storage: &Storage) -> u64 {
        self.regions.bits(storage)
    }

    /// As R-EX, and the Region Table with the bounds of each allocation (figure 22).
    fn bits_of_core(&self) -> u64 {
        self.regions.bits_of_core() + u64::from(self.entries) * 2 * ADDRESS_BITS
    }
}

impl InclusionPolicy for BypassCopyback {
    const MOVES_LINES: bool = true;

    fn hit(&mut self, visit: &Visit, line: HitLine, tables: &mut CoreTables) -> Hit {
        self.regions.hit(visit, line, tables)
    }

    fn on_fetch(&mut self, visit: &Visit, _: &mut CoreTables) -> Fetched {
        fetched(visit.policy_bits & PASSES)
    }

    fn merged(&mut self, visit: &Visit, core: CoreId, policy_bits: u16) -> Fetched {
        // Whether the other core's reuse is shared is as for R-EX, which keeps what either wants to be kept.
        let seen = self.regions.merged(visit, core, policy_bits).policy_bits & !PASSES;
        let (one, other) = (policy_bits & PASSES, visit.policy_bits & PASSES);
        let passes = match (one, other) {
            (EXCLUSIVE, EXCLUSIVE) => EXCLUSIVE,
            (0, _) | (_, 0) => 0,
            _ => BYPASS,
        };
        fetched(seen | passes)
    }

    fn gives(&self, line_bits: u16) -> bool {
        self.regions.gives(line_bits)
    }

    /// Table 12 says what bypasses L1 and what L2.
    fn decides_for(&self, above: BypassKind) -> bool {
        above == BypassKind::PcReuse
    }

    fn bits_above(&self, storage: &Storage) -> u64 {
        self.regions.bits_above(storage)
    }
}

#[cfg(test)]
#[path = "bc_tests.rs"]
mod tests;
