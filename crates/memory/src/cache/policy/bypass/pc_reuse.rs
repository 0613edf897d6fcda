//! B+C at L1: blocks of instructions whose blocks give no hits bypass the cache (\[Lakshminarayana14\] section 4.5.4).
//!
//! Each line notes in its tag which instruction has fetched it (figure 30), because the one that hits a block is not
//! always the one that brought it. Listing 5 (it says `requestingCoreId` where the PC id is meant; the copy-back bit is
//! the matter of the part at L2, `inclusion/bc.rs`):
//!
//! ```text
//! OnCacheFill(entry, pcId, cbBit):  entry.pcId = pcId; entry.cbBit = cbBit
//! ```
//!
//! The PC id goes with the miss in its MSHR. The tables that count accesses and hits are those of `pc_table` (listing 6);
//! what follows from them is table 12, which stands with the part at L2. The decision for L1 is made when a block would
//! evict another, as that of every bypass policy: a place that is empty costs nobody anything.
//!
//! What the text leaves open: reads alone are counted, as nothing else fetches; one that is merged into an outstanding
//! miss is an access and no hit. Of a line with several sectors the instruction that missed first is credited.

use super::super::inclusion::bc::decide;
use super::super::inclusion::region_table::RegionTable;
use super::super::{Block, CoreTables, Met, Policy, Storage, Surroundings, Visit, Wants};
use super::BypassPolicy;
pub use super::pc_table::PcReuseSpec;
use super::pc_table::{PcId, PcTable};
use crate::SpecError;
use crate::request::Access;

/// The bits of a tag that have the PC id; the others are those of the part at L2.
const ID_SHIFT: u32 = 8;

#[derive(Clone, Debug)]
pub(crate) struct PcReuse {
    spec: PcReuseSpec,
}

impl PcReuse {
    /// Bits of a PC id, whose greatest value stands for an instruction without entry.
    fn id_bits(&self) -> u64 {
        u64::from((self.spec.entries + 1).next_power_of_two().ilog2())
    }
}

impl Policy for PcReuse {
    type Spec = PcReuseSpec;

    const WANTS: Wants = Wants { visits: true, replies: true, ..Wants::NOTHING };

    fn new(spec: &PcReuseSpec, _: u32) -> PcReuse {
        PcReuse { spec: spec.clone() }
    }

    fn check_place(_: &PcReuseSpec, place: &Surroundings<'_>) -> Result<(), SpecError> {
        if place.is_private {
            return Ok(());
        }
        let problem = "\"pc-reuse\" goes by what the instructions of one core hit, in a cache of its own; here \
                       inclusion = \"bc\" is the part of B+C";
        Err(SpecError::new(place.name, "bypass", problem))
    }

    const BITS: u16 = !0 << ID_SHIFT;

    const SHARES: Option<&'static str> = Some("the PC Tracking Tables of cores");

    fn share(spec: &PcReuseSpec, cores: u32, tables: &mut CoreTables) {
        tables.share_by_core(PcTable::new(spec), cores);
    }

    /// Listing 5: the PC id is saved in the MSHR of a miss, and is the line's when its data comes.
    fn answered(&mut self, visit: &Visit, tables: &mut CoreTables) -> u16 {
        match tables.of_core_mut::<PcTable>(visit.core) {
            Some(table) if visit.met == Met::Miss && visit.way.is_none() => {
                table.id_of(visit.pc).0 << ID_SHIFT
            }
            _ => visit.line_bits & !0 << ID_SHIFT,
        }
    }

    /// Listing 6, OnCacheHit and OnCacheMiss.
    #[inline(always)]
    fn visited(&mut self, visit: &Visit, tables: &mut CoreTables) {
        if visit.access == Access::Read
            && let Some(table) = tables.of_core_mut::<PcTable>(visit.core)
        {
            let fetched_by = PcId(visit.line_bits >> ID_SHIFT);
            table.accessed(visit.pc, (visit.met == Met::Hit).then_some(fetched_by));
        }
    }

    /// The PC id of each tag.
    fn bits(&self, storage: &Storage) -> u64 {
        storage.lines * self.id_bits()
    }

    /// Valid and trained, index, PC, two counters and a flag in each entry, and the counters of the Untracked PC Access
    /// Table (figure 31).
    fn bits_of_core(&self) -> u64 {
        let (counter, pc) = (u64::from(self.spec.counter_bits), 32);
        let entry = 2 + self.id_bits() + pc + 2 * counter + 1;
        u64::from(self.spec.entries) * entry + u64::from(self.spec.untracked) * counter
    }
}

impl BypassPolicy for PcReuse {
    fn passes(&mut self, incoming: &Block, _: &Block, tables: &mut CoreTables) -> bool {
        let l1_reuse = tables.of_core::<PcTable>(incoming.core).and_then(|table| table.reuse(incoming.pc));
        let region =
            tables.of_core::<RegionTable>(incoming.core).and_then(|table| table.reuse(incoming.region));
        decide(l1_reuse, region).bypass_l1
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::context::{block, read_at};
    use super::*;
    use crate::ids::{CoreId, Pc};

    fn tables(period: u32) -> CoreTables {
        let spec = PcReuseSpec { period, ..PcReuseSpec::default() };
        let mut tables = CoreTables::default();
        PcReuse::share(&spec, 2, &mut tables);
        tables
    }

    fn policy() -> PcReuse {
        PcReuse::new(&PcReuseSpec::default(), 0)
    }

    /// Accesses by an instruction to lines that another has fetched, of which so many hit.
    fn access(tables: &mut CoreTables, pc: u32, fetched_by: u32, accesses: u32, hits: u32) {
        let (pc, fetched_by) = (Pc(pc), Pc(fetched_by));
        let mut policy = policy();
        let line_bits = policy.answered(&Visit { pc: fetched_by, ..read_at(0) }, tables);
        for number in 0..accesses {
            let (met, way) = if number < hits { (Met::Hit, Some(0)) } else { (Met::Miss, None) };
            policy.visited(&Visit { pc, met, way, line_bits, ..read_at(0) }, tables);
        }
    }

    fn passes(tables: &mut CoreTables, pc: u32) -> bool {
        policy().passes(&block(1, pc), &block(2, 9), tables)
    }

    #[test]
    fn listing_5_a_line_gets_the_id_of_the_instruction_that_missed_and_keeps_it() {
        let (mut policy, mut tables) = (policy(), tables(64));
        let first = policy.answered(&Visit { pc: Pc(70), ..read_at(0) }, &mut tables);
        let second = policy.answered(&Visit { pc: Pc(80), ..read_at(128) }, &mut tables);
        assert_eq!((first, second), (1 << 8, 2 << 8));
        let sector = Visit { pc: Pc(70), way: Some(0), line_bits: second, ..read_at(128) };
        assert_eq!(policy.answered(&sector, &mut tables), second, "a further sector of the line");
        let other = Visit { core: CoreId(1), pc: Pc(80), ..read_at(0) };
        assert_eq!(policy.answered(&other, &mut tables), 1 << 8, "each core has a table of its own");
    }

    #[test]
    fn an_instruction_whose_blocks_others_hit_is_kept_and_one_that_hits_them_itself_fetched_nothing() {
        let mut tables = tables(256);
        access(&mut tables, 1, 1, 128, 0);
        access(&mut tables, 2, 1, 128, 128);
        assert!(!passes(&mut tables, 1), "its blocks were hit");
        assert!(passes(&mut tables, 2), "its hits were to blocks of the other");
        assert!(!passes(&mut tables, 3), "nothing is known of it");
    }

    #[test]
    fn writes_teach_nothing() {
        let mut tables = tables(64);
        for _ in 0..64 {
            policy().visited(&Visit { access: Access::Write, pc: Pc(1), ..read_at(0) }, &mut tables);
        }
        assert!(!passes(&mut tables, 1));
    }

    #[test]
    fn the_cost_is_that_of_the_fields() {
        let storage = Storage { lines: 384, line_bytes: 128, sectors_per_line: 4, cores: 16 };
        let tables = 15 * (2 + 4 + 32 + 24 + 1) + 16 * 12;
        assert_eq!((policy().bits(&storage), policy().bits_of_core()), (384 * 4, tables));
        // The document's own sum of the tags of L1 (section 4.5.6) is 288 bytes with the copy-back bit: six bits a line,
        // of which 15 entries and one value for none of them need four.
        assert_eq!(384 * (4 + 1) / 8, 240);
        let wider = PcReuse::new(&PcReuseSpec { entries: 31, ..PcReuseSpec::default() }, 0);
        assert_eq!((wider.bits(&storage) + 384) / 8, 288);
    }
}
