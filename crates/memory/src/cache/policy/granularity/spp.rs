//! SPP, the spatial pattern predictor: the sectors that were used of the last line which an instruction began with the
//! same sector are fetched again (\[Lakshminarayana14\] section 4.6.2; table 14: a pattern history table of 256 entries
//! with 8 ways; after \[Chen04\], with the index of \[Yoon12\]).
//!
//! ```text
//! miss that begins a line:   entry = PHT[PC, first sector missed]
//!                            found: fetch its pattern beside what is asked for
//!                            not found: fetch the default, and allocate an entry that holds it
//! eviction of a line:        PHT[PC, first sector missed] = sectors used while the line was here
//! ```
//!
//! The sectors used of all lines are the current pattern table (CPT); each line remembers the instruction and the sector
//! that it began with.
//!
//! What the text leaves open:
//! - The **index** is the instruction's number and, in its low bits, the number of the sector. The low bits of both
//!   together choose the set, the others are the **tag**; `pc_bits` of the instruction's number are kept, by default
//!   all that a large program has, so that instructions do not share entries.
//! - The **default**, where there is no entry, is the whole line: what the cache does without a predictor, and what BIM
//!   begins with (section 4.6.3). `default = "asked"` begins as a sector cache does.
//! - The entry of an instruction is replaced in the order of use. A line whose entry has been replaced meanwhile
//!   teaches nothing.
//! - A line begins once. A miss for a sector of a line that is here, or on its way, fetches that sector alone: it is
//!   the predictor's mistake, and the pattern of its own instruction says nothing about this line.
//! - A line teaches when it leaves for whatever reason, unless no miss brought it or nothing has touched it since a
//!   prefetch did.

use super::super::{CoreTables, Departure, Limit, Parameters, Policy, ROWS_MAX, Storage, Wants};
use super::{GranularityPolicy, Lack, needs_sectors};
use crate::cache::spec::CacheSpec;
use crate::choices::choices;
use crate::ids::Pc;
use crate::request::Sectors;
use serde::{Deserialize, Serialize};

choices! {
    /// What is fetched for an instruction and sector that nothing is known about.
    SppDefault {
        /// The sectors that are asked for.
        Asked = "asked",
        /// The whole line.
        Line = "line",
    }
}

/// The spatial pattern predictor (\[Lakshminarayana14\] table 14).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SppSpec {
    /// Entries of the pattern history table; a power of two.
    pub entries: u32,
    /// Ways of a set of it; a power of two.
    pub ways: u32,
    /// Bits of an instruction's number that are told apart. Chosen: more than any kernel of the library needs.
    pub pc_bits: u32,
    /// What is fetched where there is no entry. Chosen: what a cache without predictor fetches.
    pub default: SppDefault,
}

impl Default for SppSpec {
    fn default() -> SppSpec {
        SppSpec { entries: 256, ways: 8, pc_bits: 16, default: SppDefault::Line }
    }
}

impl Parameters for SppSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![
            ("entries", self.entries, 1, ROWS_MAX),
            ("ways", self.ways, 1, self.entries.clamp(1, 64)),
            ("pc_bits", self.pc_bits, 1, 24),
        ]
    }

    fn powers_of_two(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries), ("ways", self.ways)]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries)]
    }
}

/// No instruction and sector has this key.
const VACANT: u32 = u32::MAX;
/// Bits of a key for the number of a sector: a line has at most eight.
const SECTOR_BITS: u32 = 3;

/// An entry of the pattern history table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    key: u32,
    pattern: Sectors,
    used_at: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Spp {
    spec: SppSpec,
    /// A set after another.
    history: Vec<Entry>,
    /// Uses so far, for the order of entries.
    clock: u64,
}

impl Spp {
    /// Which entry a line that an instruction begins with this sector has.
    fn key(&self, pc: Pc, first: Sectors) -> u32 {
        (pc.0 & ((1 << self.spec.pc_bits) - 1)) << SECTOR_BITS | first.0.trailing_zeros()
    }

    /// The entries that a key may have. Sectors of a line of four take two bits, of eight three; all choose the set.
    fn set(&mut self, key: u32, all: Sectors) -> &mut [Entry] {
        let (ways, sets) = (self.spec.ways as usize, self.spec.entries / self.spec.ways);
        let sector = key & ((1 << SECTOR_BITS) - 1);
        let dense = (key >> SECTOR_BITS) << all.count().next_power_of_two().ilog2() | sector;
        let first = (dense & (sets - 1)) as usize * ways;
        &mut self.history[first..first + ways]
    }

    /// The pattern of a key; an entry with `otherwise` is allocated if it has none.
    fn look_up(&mut self, key: u32, all: Sectors, otherwise: Sectors) -> Sectors {
        self.clock += 1;
        let now = self.clock;
        let set = self.set(key, all);
        if let Some(entry) = set.iter_mut().find(|entry| entry.key == key) {
            entry.used_at = now;
            return entry.pattern;
        }
        if let Some(oldest) = set.iter_mut().min_by_key(|entry| entry.used_at) {
            *oldest = Entry { key, pattern: otherwise, used_at: now };
        }
        otherwise
    }
}

impl Policy for Spp {
    type Spec = SppSpec;

    const WANTS: Wants = Wants { departures: true, ..Wants::NOTHING };

    fn new(spec: &SppSpec, _: u32) -> Spp {
        let vacant = Entry { key: VACANT, pattern: Sectors::NONE, used_at: 0 };
        Spp { spec: spec.clone(), history: vec![vacant; spec.entries as usize], clock: 0 }
    }

    fn check_cache(cache: &CacheSpec) -> Result<(), (&'static str, String)> {
        needs_sectors(cache)
    }

    fn departed(&mut self, departure: &Departure, _: &mut CoreTables) {
        if departure.first_missed.is_empty() || departure.prefetched {
            return;
        }
        let key = self.key(departure.pc, departure.first_missed);
        let set = self.set(key, departure.line_sectors);
        if let Some(entry) = set.iter_mut().find(|entry| entry.key == key) {
            entry.pattern = departure.used;
        }
    }

    /// The table (tag, valid, order of use, pattern), and for each line the instruction and the sector that it began
    /// with and the sectors that were used.
    fn bits(&self, storage: &Storage) -> u64 {
        let SppSpec { entries, ways, pc_bits, .. } = self.spec;
        let sectors = u64::from(storage.sectors_per_line);
        let key = u64::from(pc_bits + storage.sectors_per_line.next_power_of_two().ilog2());
        let tag = key.saturating_sub(u64::from((entries / ways).ilog2()));
        let entry = tag + 1 + u64::from(ways.ilog2()) + sectors;
        u64::from(entries) * entry + storage.lines * (key + sectors)
    }
}

impl GranularityPolicy for Spp {
    fn fetch(&mut self, lack: &Lack, _: &mut CoreTables) -> Sectors {
        if !lack.held.is_empty() {
            return lack.missing;
        }
        let key = self.key(lack.pc, lack.missing);
        let otherwise = match self.spec.default {
            SppDefault::Asked => lack.missing,
            SppDefault::Line => lack.all,
        };
        self.look_up(key, lack.all, otherwise).or(lack.missing)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::context::departure_of;
    use super::super::lack_of;
    use super::*;

    fn spp(spec: SppSpec) -> Spp {
        Spp::new(&spec, 0)
    }

    /// A line leaves that an instruction began with this sector, and of which these were used.
    fn leave(spp: &mut Spp, pc: u32, first: u8, used: u8) {
        let pc = Pc(pc);
        let departure =
            Departure { pc, first_missed: Sectors(first), used: Sectors(used), ..departure_of(0) };
        spp.departed(&departure, &mut CoreTables::default());
    }

    fn fetch(spp: &mut Spp, pc: u32, missing: u8) -> u8 {
        let pc = Pc(pc);
        spp.fetch(&Lack { pc, ..lack_of(missing) }, &mut CoreTables::default()).0
    }

    #[test]
    fn what_is_not_known_fetches_the_default_and_gets_an_entry_that_an_eviction_updates() {
        let mut spp = spp(SppSpec::default());
        leave(&mut spp, 7, 0b0010, 0b0010);
        assert_eq!(fetch(&mut spp, 7, 0b0010), 0b1111, "a line without entry teaches nothing");
        assert_eq!(fetch(&mut spp, 7, 0b0010), 0b1111, "the entry holds the default");
        leave(&mut spp, 7, 0b0010, 0b0110);
        assert_eq!(fetch(&mut spp, 7, 0b0010), 0b0110);
        leave(&mut spp, 7, 0b0010, 0b0011);
        assert_eq!(fetch(&mut spp, 7, 0b0010), 0b0011, "the last pattern alone");
    }

    #[test]
    fn an_entry_is_of_one_instruction_and_one_sector_and_what_is_asked_for_is_always_fetched() {
        let mut spp = spp(SppSpec { default: SppDefault::Asked, ..SppSpec::default() });
        assert_eq!(fetch(&mut spp, 7, 0b0001), 0b0001);
        leave(&mut spp, 7, 0b0001, 0b0101);
        assert_eq!(fetch(&mut spp, 7, 0b0001), 0b0101);
        assert_eq!(fetch(&mut spp, 7, 0b0100), 0b0100, "another sector");
        assert_eq!(fetch(&mut spp, 8, 0b0001), 0b0001, "another instruction");
        assert_eq!(fetch(&mut spp, 7, 0b1001), 0b1101, "two sectors, by the first");
    }

    #[test]
    fn a_sector_of_a_line_that_is_here_is_fetched_alone() {
        let mut spp = spp(SppSpec::default());
        let lack = Lack { held: Sectors(0b0001), ..lack_of(0b0010) };
        assert_eq!(spp.fetch(&lack, &mut CoreTables::default()).0, 0b0010);
        assert!(spp.history.iter().all(|entry| entry.key == VACANT), "no entry is allocated for it");
    }

    #[test]
    fn a_set_replaces_the_entry_that_was_used_longest_ago() {
        let mut spp = spp(SppSpec { entries: 8, ways: 2, ..SppSpec::default() });
        // Four sets: sector 0 of every instruction is in the first.
        for pc in [1, 2] {
            fetch(&mut spp, pc, 0b0001);
            leave(&mut spp, pc, 0b0001, 0b0001);
        }
        assert_eq!(fetch(&mut spp, 1, 0b0001), 0b0001);
        assert_eq!(fetch(&mut spp, 3, 0b0001), 0b1111, "takes the entry of 2");
        leave(&mut spp, 2, 0b0001, 0b0001);
        assert_eq!(fetch(&mut spp, 1, 0b0001), 0b0001);
        assert_eq!(fetch(&mut spp, 2, 0b0001), 0b1111, "begins anew");
        assert_eq!(fetch(&mut spp, 1, 0b0010), 0b1111, "another sector is in another set");
    }

    #[test]
    fn instructions_share_an_entry_where_their_kept_bits_are_equal() {
        let mut spp = spp(SppSpec { pc_bits: 4, ..SppSpec::default() });
        fetch(&mut spp, 1, 0b0001);
        leave(&mut spp, 1, 0b0001, 0b0001);
        assert_eq!(fetch(&mut spp, 17, 0b0001), 0b0001);
    }

    #[test]
    fn lines_that_no_miss_brought_or_nothing_touched_teach_nothing() {
        let mut spp = spp(SppSpec::default());
        fetch(&mut spp, 7, 0b0001);
        leave(&mut spp, 7, 0, 0b0001);
        let untouched = Departure { prefetched: true, used: Sectors::NONE, ..departure_of(0) };
        spp.departed(&untouched, &mut CoreTables::default());
        assert_eq!(fetch(&mut spp, 7, 0b0001), 0b1111);
    }

    #[test]
    fn the_cost_is_that_of_the_table_and_of_the_tags() {
        let storage = Storage { lines: 384, line_bytes: 128, sectors_per_line: 4, cores: 16 };
        // 16 bits of the instruction and two of the sector: five choose one of 32 sets, 13 are compared.
        let table = 256 * (13 + 1 + 3 + 4);
        assert_eq!(spp(SppSpec::default()).bits(&storage), table + 384 * (16 + 2 + 4));
    }
}
