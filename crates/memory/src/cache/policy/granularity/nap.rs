//! NAP, the neighbour access predictor: an instruction learns which neighbours of a missed sector are used too, and
//! fetches those (\[Lakshminarayana14\] section 4.6.4; table 14: a pattern history table of 32 entries with seven counters
//! of 4 bits).
//!
//! ```text
//! eviction of a line that an instruction fetched:
//!     for each neighbour, 1 to 3 sectors before and behind the sector that was missed first:
//!         used while the line was here: its counter + 1, otherwise - 1
//! miss: the sectors missed, and the neighbours of the first whose counters are above the threshold
//! ```
//!
//! What the text leaves open: the table has no tags, as none are in table 14; instructions share an entry if their
//! numbers fold onto the same one. Counters begin at 0, so that what is not known is not fetched. Of several sectors that
//! a request misses the first one counts, in learning and in predicting. The counter of the sector itself is the
//! seventh; nothing has to be learned about it. A line teaches when it leaves for whatever reason, unless no miss brought
//! it or nothing has touched it since a prefetch did.

use super::super::{CoreTables, Departure, Limit, Parameters, Policy, ROWS_MAX, Storage, Wants};
use super::{GranularityPolicy, Lack, needs_sectors};
use crate::cache::spec::CacheSpec;
use crate::ids::Pc;
use crate::request::Sectors;
use serde::{Deserialize, Serialize};

/// Neighbours on each side.
const REACH: u32 = 3;
/// Counters of an entry: the neighbours, and the sector itself.
const COUNTERS: usize = 2 * REACH as usize + 1;

/// The neighbour access predictor (\[Lakshminarayana14\] table 14).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NapSpec {
    /// Entries of the pattern history table; a power of two.
    pub entries: u32,
    /// Bits of a counter.
    pub counter_bits: u32,
    /// A neighbour is fetched if its counter is above this. Chosen: the middle of a counter's range, as the
    /// document does not say.
    pub threshold: u32,
}

impl Default for NapSpec {
    fn default() -> NapSpec {
        NapSpec { entries: 32, counter_bits: 4, threshold: 7 }
    }
}

impl Parameters for NapSpec {
    fn limits(&self) -> Vec<Limit> {
        // A counter can be above the threshold.
        let most = (1 << self.counter_bits.clamp(1, 8)) - 2;
        vec![
            ("entries", self.entries, 1, ROWS_MAX),
            ("counter_bits", self.counter_bits, 1, 8),
            ("threshold", self.threshold, 0, most),
        ]
    }

    fn powers_of_two(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries)]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries)]
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Nap {
    /// Of each entry, from the neighbour 3 before to that 3 behind.
    patterns: Vec<[u8; COUNTERS]>,
    counter_bits: u32,
    threshold: u32,
}

impl Nap {
    fn entry_of(&self, pc: Pc) -> usize {
        let bits = self.patterns.len().ilog2().max(1);
        let (mut folded, mut rest) = (0, pc.0);
        while rest != 0 {
            folded ^= rest;
            rest = rest.checked_shr(bits).unwrap_or(0);
        }
        folded as usize & (self.patterns.len() - 1)
    }
}

/// The neighbours of a sector in a line of sectors `all`: the number of the counter, and the sector.
fn neighbours(sector: u32, all: Sectors) -> impl Iterator<Item = (usize, Sectors)> {
    let places = (0..COUNTERS as u32).filter(|&counter| counter != REACH);
    places.filter_map(move |counter| {
        let neighbour = (sector + counter).checked_sub(REACH)?;
        let bit = 1u8.checked_shl(neighbour)? & all.0;
        (bit != 0).then_some((counter as usize, Sectors(bit)))
    })
}

impl Policy for Nap {
    type Spec = NapSpec;

    const WANTS: Wants = Wants { departures: true, ..Wants::NOTHING };

    fn new(spec: &NapSpec, _: u32) -> Nap {
        Nap {
            patterns: vec![[0; COUNTERS]; spec.entries as usize],
            counter_bits: spec.counter_bits,
            threshold: spec.threshold,
        }
    }

    fn check_cache(cache: &CacheSpec) -> Result<(), (&'static str, String)> {
        needs_sectors(cache)
    }

    fn departed(&mut self, departure: &Departure, _: &mut CoreTables) {
        if departure.first_missed.is_empty() || departure.prefetched {
            return;
        }
        let entry = self.entry_of(departure.pc);
        let first = departure.first_missed.0.trailing_zeros();
        let most = (1u32 << self.counter_bits) - 1;
        for (counter, neighbour) in neighbours(first, departure.line_sectors) {
            let counter = &mut self.patterns[entry][counter];
            *counter = match departure.used.0 & neighbour.0 != 0 {
                true => (u32::from(*counter) + 1).min(most) as u8,
                false => counter.saturating_sub(1),
            };
        }
    }

    /// The table, and for each line the entry of the instruction that fetched it, the sector that was missed first and
    /// the sectors that were used.
    fn bits(&self, storage: &Storage) -> u64 {
        let sectors = u64::from(storage.sectors_per_line);
        let line = self.patterns.len().ilog2() + storage.sectors_per_line.next_power_of_two().ilog2();
        let table = self.patterns.len() as u64 * COUNTERS as u64 * u64::from(self.counter_bits);
        table + storage.lines * (u64::from(line) + sectors)
    }
}

impl GranularityPolicy for Nap {
    fn fetch(&mut self, lack: &Lack, _: &mut CoreTables) -> Sectors {
        let pattern = &self.patterns[self.entry_of(lack.pc)];
        let first = lack.missing.0.trailing_zeros();
        let likely = |counter: usize| u32::from(pattern[counter]) > self.threshold;
        let found = neighbours(first, lack.all).filter(|&(counter, _)| likely(counter));
        found.fold(lack.missing, |wanted, (_, neighbour)| wanted.or(neighbour))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::context::departure_of;
    use super::super::lack_of;
    use super::*;

    const ALL: Sectors = Sectors(0b1111);

    fn nap() -> Nap {
        Nap::new(&NapSpec::default(), 0)
    }

    /// A line leaves of which this sector was missed first and these were used.
    fn leave(nap: &mut Nap, pc: u32, first: u8, used: u8) {
        let pc = Pc(pc);
        let departure =
            Departure { pc, first_missed: Sectors(first), used: Sectors(used), ..departure_of(0) };
        nap.departed(&departure, &mut CoreTables::default());
    }

    fn fetch(nap: &Nap, pc: u32, missing: u8) -> u8 {
        let pc = Pc(pc);
        let lack = Lack { pc, ..lack_of(missing) };
        nap.clone().fetch(&lack, &mut CoreTables::default()).0
    }

    #[test]
    fn counters_follow_the_neighbours_that_were_used_and_fetch_above_the_threshold() {
        let mut nap = nap();
        for number in 0..7 {
            assert_eq!(fetch(&nap, 1, 0b0010), 0b0010, "after {number}");
            leave(&mut nap, 1, 0b0010, 0b0110);
        }
        // Of sector 1 the neighbours are at -1, +1 and +2; of these +1 was used.
        assert_eq!(nap.patterns[1], [0, 0, 0, 0, 7, 0, 0]);
        assert_eq!(fetch(&nap, 1, 0b0010), 0b0010, "7 is not above 7");
        leave(&mut nap, 1, 0b0010, 0b0110);
        assert_eq!(fetch(&nap, 1, 0b0010), 0b0110);
        assert_eq!(fetch(&nap, 1, 0b1000), 0b1000, "the last sector has no neighbour behind it");
        assert_eq!(fetch(&nap, 2, 0b0010), 0b0010, "another instruction");
    }

    #[test]
    fn what_is_not_used_is_unlearned_and_counters_saturate() {
        let mut nap = nap();
        for _ in 0..40 {
            leave(&mut nap, 1, 0b0001, 0b1111);
        }
        assert_eq!(nap.patterns[1], [0, 0, 0, 0, 15, 15, 15]);
        assert_eq!(fetch(&nap, 1, 0b0001), 0b1111);
        for _ in 0..8 {
            leave(&mut nap, 1, 0b0001, 0b0001);
        }
        assert_eq!((nap.patterns[1], fetch(&nap, 1, 0b0001)), ([0, 0, 0, 0, 7, 7, 7], 0b0001));
        for _ in 0..40 {
            leave(&mut nap, 1, 0b0001, 0b0001);
        }
        assert_eq!(nap.patterns[1], [0; 7]);
    }

    #[test]
    fn a_neighbour_outside_of_the_line_teaches_nothing() {
        let mut nap = nap();
        for _ in 0..3 {
            leave(&mut nap, 1, 0b0100, 0b1111);
        }
        leave(&mut nap, 1, 0b0001, 0b0001);
        assert_eq!(nap.patterns[1], [0, 3, 3, 0, 2, 0, 0], "before it only in the first three lines");
    }

    #[test]
    fn lines_that_no_miss_brought_or_nothing_touched_teach_nothing() {
        let mut nap = nap();
        leave(&mut nap, 1, 0, 0b1111);
        let untouched = Departure { pc: Pc(1), prefetched: true, used: ALL, ..departure_of(0) };
        nap.departed(&untouched, &mut CoreTables::default());
        assert_eq!(nap.patterns[1], [0; 7]);
    }

    #[test]
    fn the_cost_is_that_of_the_table_and_of_the_tags() {
        let storage = Storage { lines: 384, line_bytes: 128, sectors_per_line: 4, cores: 16 };
        assert_eq!(nap().bits(&storage), 32 * 7 * 4 + 384 * (5 + 2 + 4));
    }
}
