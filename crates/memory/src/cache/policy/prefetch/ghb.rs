//! A global history buffer that correlates distances within zones of memory: C/DC, the core of AC/DC
//! (\[Lakshminarayana14\] table 6: 1024 entries, 12-bit CZone, index table of 128 entries; after Nesbit and Smith,
//! \[Nesbit04\], and Nesbit and others, \[Nesbit04b\]).
//!
//! ```text
//! index table (by zone) ─▶ newest entry of the zone ─▶ the one before it ─▶ …   all in one circular buffer
//! ```
//!
//! Every read enters the line that it touches at the head of the buffer, linked to the last line of its zone, a block of
//! 2^`zone_bits` bytes. The last two distances between lines of the zone are the key; where the same two followed each
//! other before, the distances that came after them are added to the line, one after the other: these lines are
//! fetched.
//!
//! What the text leaves open: distances are in lines, and a read of the line that its zone read last is not entered, as
//! a distance of nothing tells nothing; the index table is direct mapped by the low bits of the zone, with the others
//! as tag; the walk back ends after `search` lines, or where the buffer has been written over. Table 6 gives
//! zones one size, so that the adaptation that gives AC/DC its first letter, of zones and degree to the program's
//! phases, cannot be in what it describes: that is C/DC, with a degree that it does not say.

use super::super::{ADDRESS_BITS, CoreTables, Limit, Parameters, Policy, ROWS_MAX, Storage, Visit};
use super::{PrefetchPolicy, Wish};
use serde::{Deserialize, Serialize};

/// The global history buffer (\[Lakshminarayana14\] table 6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GhbSpec {
    /// Entries of the buffer; a power of two.
    pub entries: u32,
    /// Entries of the index table; a power of two.
    pub index_entries: u32,
    /// Bits of an address within its zone.
    pub zone_bits: u32,
    /// Lines that are fetched at most after a match. Chosen: an eighth of a zone of 4 KB, so that a wrong match costs
    /// little; the document does not say.
    pub degree: u32,
    /// Lines of a zone that are looked back at. Chosen: as many as a zone of 4 KB has lines of 128 bytes.
    pub search: u32,
}

impl Default for GhbSpec {
    fn default() -> GhbSpec {
        GhbSpec { entries: 1024, index_entries: 128, zone_bits: 12, degree: 4, search: 32 }
    }
}

impl Parameters for GhbSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![
            ("entries", self.entries, 4, ROWS_MAX),
            ("index_entries", self.index_entries, 1, ROWS_MAX),
            ("zone_bits", self.zone_bits, 8, 32),
            ("degree", self.degree, 1, 64),
            ("search", self.search, 4, 1 << 10),
        ]
    }

    fn powers_of_two(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries), ("index_entries", self.index_entries)]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries), ("index_entries", self.index_entries), ("search", self.search)]
    }
}

/// A line in the buffer.
#[derive(Clone, Copy, Debug, Default)]
struct HistoryEntry {
    line: u64,
    /// The number of the entry of its zone before it; 0 for none.
    before: u64,
}

/// The newest entry of a zone.
#[derive(Clone, Copy, Debug, Default)]
struct Newest {
    zone: u64,
    /// The number of the entry; 0 for none.
    number: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Ghb {
    buffer: Vec<HistoryEntry>,
    index: Vec<Newest>,
    /// Entries made so far. The place of one is its number modulo the buffer's length.
    entered: u64,
    zone_bits: u32,
    degree: usize,
    search: usize,
    /// Distances of a zone, the newest first; kept for its room.
    distances: Vec<i64>,
}

impl Ghb {
    fn place(&self, number: u64) -> usize {
        number as usize & (self.buffer.len() - 1)
    }

    /// Whether an entry is still in the buffer.
    fn holds(&self, number: u64) -> bool {
        number != 0 && self.entered - number < self.buffer.len() as u64
    }

    /// Enters a line of a zone; false if it is the one that the zone read last.
    fn enter(&mut self, zone: u64, line: u64) -> bool {
        let at = zone as usize & (self.index.len() - 1);
        let Newest { zone: known, number } = self.index[at];
        let before = if known == zone && self.holds(number) { number } else { 0 };
        if before != 0 && self.buffer[self.place(before)].line == line {
            return false;
        }
        self.entered += 1;
        let place = self.place(self.entered);
        self.buffer[place] = HistoryEntry { line, before };
        self.index[at] = Newest { zone, number: self.entered };
        true
    }

    /// The distances between the lines of the newest entry's zone, the newest first.
    fn walk(&mut self) {
        self.distances.clear();
        let mut newer = self.buffer[self.place(self.entered)];
        while self.holds(newer.before) && self.distances.len() < self.search {
            let older = self.buffer[self.place(newer.before)];
            self.distances.push(newer.line.wrapping_sub(older.line) as i64);
            newer = older;
        }
    }
}

impl Policy for Ghb {
    type Spec = GhbSpec;

    fn new(spec: &GhbSpec, _: u32) -> Ghb {
        Ghb {
            buffer: vec![HistoryEntry::default(); spec.entries as usize],
            index: vec![Newest::default(); spec.index_entries as usize],
            entered: 0,
            zone_bits: spec.zone_bits,
            degree: spec.degree as usize,
            search: spec.search as usize,
            distances: Vec::with_capacity(spec.search as usize),
        }
    }

    /// Of an entry the line and the number of the one before; of the index table a tag and a number; a mark for each
    /// line of the cache.
    fn bits(&self, storage: &Storage) -> u64 {
        let number = u64::from(self.buffer.len().ilog2());
        let line = storage.line_number_bits();
        let zone = ADDRESS_BITS.saturating_sub(u64::from(self.zone_bits));
        let tag = zone.saturating_sub(u64::from(self.index.len().ilog2()));
        self.buffer.len() as u64 * (line + number) + self.index.len() as u64 * (tag + number) + storage.lines
    }
}

impl PrefetchPolicy for Ghb {
    fn observe(&mut self, read: &Visit, _: &mut CoreTables, mut wish: impl FnMut(Wish)) {
        if !self.enter(read.address.0 >> self.zone_bits, read.line.0) {
            return;
        }
        self.walk();
        let &[last, one_before, ..] = self.distances.as_slice() else { return };
        let earlier = self.distances.windows(2).skip(1);
        let Some(behind) = earlier.into_iter().position(|pair| *pair == [last, one_before]) else { return };
        // The pair was found with `behind + 1` distances after it, the newest of which are the key itself.
        let mut address = read.line.0;
        for &distance in self.distances[..=behind].iter().rev().take(self.degree) {
            address = address.wrapping_add_signed(distance);
            wish(Wish::at(address));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::context::read_at;
    use super::*;

    fn small(degree: u32) -> Ghb {
        Ghb::new(&GhbSpec { degree, ..GhbSpec::default() }, 0)
    }

    /// What a read of the line with this number makes it wish for, in numbers of lines.
    fn wishes(ghb: &mut Ghb, number: u64) -> Vec<u64> {
        let mut wished = Vec::new();
        let read = read_at(number * 128);
        ghb.observe(&read, &mut CoreTables::default(), |wish| wished.push(wish.address.0 / 128));
        wished
    }

    #[test]
    fn a_pair_of_distances_brings_back_those_that_followed_it() {
        let mut ghb = small(4);
        // Distances 1, 2, 3, then 1, 2: what followed is 3.
        for number in [0, 1, 3, 6, 7] {
            assert!(wishes(&mut ghb, number).is_empty(), "{number}");
        }
        assert_eq!(wishes(&mut ghb, 9), [12, 13, 15], "3, and then the key itself: 1, 2");
        assert_eq!(wishes(&mut small(4), 9), [0; 0], "another has seen nothing");
    }

    #[test]
    fn a_constant_distance_is_followed_one_step_after_each_match() {
        let mut ghb = small(4);
        for number in [0, 2, 4] {
            assert!(wishes(&mut ghb, number).is_empty());
        }
        assert_eq!(wishes(&mut ghb, 6), [8], "2, 2 followed 2, 2 at once");
    }

    #[test]
    fn zones_are_followed_apart_and_their_reads_may_be_mixed() {
        let mut ghb = small(1);
        let (here, there) = ([0, 1, 3, 6, 7, 9], [40, 39, 50, 51, 60, 33]);
        let mut wished = Vec::new();
        for (&one, &other) in here.iter().zip(&there) {
            wished.extend(wishes(&mut ghb, one));
            assert!(wishes(&mut ghb, other).is_empty());
        }
        assert_eq!(wished, [12]);
    }

    #[test]
    fn a_line_that_is_read_again_at_once_is_entered_once() {
        let mut ghb = small(1);
        for number in [0, 0, 2, 2, 2, 4, 4] {
            assert!(wishes(&mut ghb, number).is_empty());
        }
        assert_eq!(ghb.entered, 3);
        assert_eq!(wishes(&mut ghb, 6), [8]);
    }

    #[test]
    fn what_the_buffer_has_written_over_is_forgotten() {
        let spec = GhbSpec { entries: 4, ..GhbSpec::default() };
        let mut ghb = Ghb::new(&spec, 0);
        for number in [0, 2, 4] {
            wishes(&mut ghb, number);
        }
        for zone in 1..4 {
            wishes(&mut ghb, zone * 32);
        }
        assert!(wishes(&mut ghb, 6).is_empty(), "one of the zone's lines is left");
        let mut tiny = Ghb::new(&GhbSpec { index_entries: 1, ..GhbSpec::default() }, 0);
        for number in [0, 2, 4, 100] {
            wishes(&mut tiny, number);
        }
        assert!(wishes(&mut tiny, 6).is_empty(), "another zone has taken the index");
    }

    #[test]
    fn the_cost_is_that_of_the_tables() {
        let storage = Storage { lines: 384, line_bytes: 128, sectors_per_line: 1, cores: 16 };
        // Of 40 bits of an address 33 number lines of 128 bytes, and 28 zones of 4 KB, seven of which are the index.
        assert_eq!(small(4).bits(&storage), 1024 * (33 + 10) + 128 * (21 + 10) + 384);
        let shorter = Storage { line_bytes: 64, ..storage };
        assert_eq!(
            small(4).bits(&shorter),
            small(4).bits(&storage) + 1024,
            "another bit of the number of a line"
        );
    }
}
