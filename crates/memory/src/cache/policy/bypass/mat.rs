//! The memory address table: blocks of memory that is accessed less often than that of their victims bypass the
//! cache (\[Lakshminarayana14\] section 4.5.1 and table 13; after Johnson and Hwu, \[Johnson97\]).
//!
//! Memory is divided into macroblocks. The table is indexed by macroblock and has a saturating counter of accesses
//! for each. On a miss the counter of the missing block's macroblock is compared with that of its victim's:
//!
//! ```text
//! OnAccess(block):        entry(block).count += 1
//! OnMiss(block, victim):  if count(block) < f * count(victim) then bypass; count(victim) -= decay
//! ```
//!
//! What the text leaves open:
//!
//! - The table is direct-mapped by the low bits of the macroblock's number and tagged, as a cache of 1024 sets would
//!   be; a macroblock that has no entry takes that of the one that is there and begins with its own access. The counter
//!   of a macroblock without entry is 0, so that a victim that is not known protects nothing.
//! - A bypass lowers the victim's counter by `decay`, as in \[Johnson97\]: otherwise memory that was once busy would keep
//!   its place for ever.
//! - Every cache has a table of its own, a slice of L2 like an L1, as the monitors of OBM (section 4.5.8.1).
//! - An access is a request that this cache serves, reads and writes alike; one that a store sends below is none.

use super::super::parameters::{Limit, Parameters, ROWS_MAX};
use super::super::{ADDRESS_BITS, Block, CoreTables, Policy, Storage, Visit, Wants};
use super::BypassPolicy;
use crate::request::LineAddress;
use serde::{Deserialize, Serialize};

/// The memory address table (\[Lakshminarayana14\] table 13).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MatSpec {
    /// Entries of the table; a power of two.
    pub entries: u32,
    /// Bytes of a macroblock; a power of two.
    pub macroblock: u32,
    /// The fraction `f` of the victim's counter that the missing block's must reach, in hundredths.
    pub percent: u32,
    /// Bits of a counter. Chosen: a kernel touches a macroblock of eight lines some ten times while it is in use, and
    /// counters of 8 bits tell that from hundreds.
    pub counter_bits: u32,
    /// What a bypass takes off the victim's counter; 0 for nothing.
    pub decay: u32,
}

impl Default for MatSpec {
    fn default() -> MatSpec {
        MatSpec { entries: 1024, macroblock: 1024, percent: 99, counter_bits: 8, decay: 1 }
    }
}

impl Parameters for MatSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![
            ("entries", self.entries, 1, ROWS_MAX),
            ("macroblock", self.macroblock, 32, 1 << 24),
            ("percent", self.percent, 0, 1000),
            ("counter_bits", self.counter_bits, 1, 16),
            ("decay", self.decay, 0, 1 << 16),
        ]
    }

    fn powers_of_two(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries), ("macroblock", self.macroblock)]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries)]
    }
}

/// A macroblock and its counter. Without accesses the entry is not valid.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    macroblock: u64,
    count: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Mat {
    entries: Vec<Entry>,
    macroblock_log2: u32,
    percent: u32,
    counter_bits: u32,
    decay: u32,
}

impl Mat {
    #[inline(always)]
    fn entry(&mut self, line: LineAddress) -> (&mut Entry, u64) {
        let macroblock = line.0 >> self.macroblock_log2;
        let index = macroblock as usize & (self.entries.len() - 1);
        (&mut self.entries[index], macroblock)
    }

    #[inline(always)]
    fn accessed(&mut self, line: LineAddress) {
        let most = (1 << self.counter_bits) - 1;
        let (entry, macroblock) = self.entry(line);
        if entry.macroblock != macroblock {
            *entry = Entry { macroblock, count: 0 };
        }
        entry.count = (entry.count + 1).min(most);
    }

    fn count(&mut self, line: LineAddress) -> u32 {
        let (entry, macroblock) = self.entry(line);
        if entry.macroblock == macroblock { entry.count } else { 0 }
    }
}

impl Policy for Mat {
    type Spec = MatSpec;

    const WANTS: Wants = Wants { visits: true, ..Wants::NOTHING };

    fn new(spec: &MatSpec, _: u32) -> Mat {
        Mat {
            entries: vec![Entry::default(); spec.entries as usize],
            macroblock_log2: spec.macroblock.ilog2(),
            percent: spec.percent,
            counter_bits: spec.counter_bits,
            decay: spec.decay,
        }
    }

    #[inline(always)]
    fn visited(&mut self, visit: &Visit, _: &mut CoreTables) {
        self.accessed(visit.line);
    }

    /// A tag of the bits of an address above the index, a valid bit and a counter for each entry.
    fn bits(&self, _: &Storage) -> u64 {
        let below = u64::from(self.macroblock_log2 + self.entries.len().ilog2());
        self.entries.len() as u64 * (ADDRESS_BITS.saturating_sub(below) + 1 + u64::from(self.counter_bits))
    }
}

impl BypassPolicy for Mat {
    fn passes(&mut self, incoming: &Block, victim: &Block, _: &mut CoreTables) -> bool {
        let (missing, resident) = (self.count(incoming.line), self.count(victim.line));
        let passes = missing * 100 < self.percent * resident;
        if passes {
            let decay = self.decay;
            let (entry, _) = self.entry(victim.line);
            entry.count = entry.count.saturating_sub(decay);
        }
        passes
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::context::block;
    use super::*;

    fn mat() -> Mat {
        Mat::new(&MatSpec::default(), 0)
    }

    /// Accesses to the line with this number; eight lines are a macroblock.
    fn access(mat: &mut Mat, number: u64, times: u32) {
        (0..times).for_each(|_| mat.accessed(block(number, 0).line));
    }

    fn passes(mat: &mut Mat, incoming: u64, victim: u64) -> bool {
        mat.passes(&block(incoming, 1), &block(victim, 2), &mut CoreTables::default())
    }

    #[test]
    fn a_block_of_memory_that_is_used_less_than_its_victims_passes() {
        let mut mat = mat();
        access(&mut mat, 0, 9);
        access(&mut mat, 8, 10);
        assert!(passes(&mut mat, 0, 8), "9 are less than 0.99 of 10");
        assert!(!passes(&mut mat, 8, 0));
    }

    #[test]
    fn the_fraction_decides_between_counts_that_are_close() {
        let mut mat = Mat::new(&MatSpec { decay: 0, ..MatSpec::default() }, 0);
        access(&mut mat, 0, 99);
        access(&mut mat, 8, 100);
        assert!(!passes(&mut mat, 0, 8), "99 are not less than 99");
        access(&mut mat, 8, 2);
        assert!(passes(&mut mat, 0, 8), "99 are less than 100.98");
    }

    #[test]
    fn lines_of_a_macroblock_count_together_and_never_bypass_for_each_other() {
        let mut mat = mat();
        access(&mut mat, 0, 1);
        access(&mut mat, 7, 4);
        assert_eq!((mat.count(block(3, 0).line), mat.count(block(8, 0).line)), (5, 0));
        assert!(!passes(&mut mat, 0, 7));
    }

    #[test]
    fn each_bypass_wears_the_victim_down() {
        let mut mat = mat();
        access(&mut mat, 0, 3);
        access(&mut mat, 8, 6);
        let decisions: Vec<bool> = (0..5).map(|_| passes(&mut mat, 0, 8)).collect();
        assert_eq!(
            decisions,
            [true, true, true, false, false],
            "6, 5 and 4 protect it from 3, and 3 does not"
        );
        assert_eq!(mat.count(block(0, 0).line), 3, "what bypasses keeps its count");
    }

    #[test]
    fn a_macroblock_takes_the_entry_of_another_and_what_is_not_known_protects_nothing() {
        let mut mat = mat();
        access(&mut mat, 0, 50);
        // 1024 macroblocks further on is the same entry.
        access(&mut mat, 8 * 1024, 1);
        assert_eq!((mat.count(block(0, 0).line), mat.count(block(8 * 1024, 0).line)), (0, 1));
        assert!(!passes(&mut mat, 16, 0), "neither is known");
    }

    #[test]
    fn counters_saturate_and_cost_what_their_entries_take() {
        let mut mat = mat();
        access(&mut mat, 0, 1000);
        assert_eq!(mat.count(block(0, 0).line), 255);
        let storage = Storage { lines: 384, line_bytes: 128, sectors_per_line: 4, cores: 16 };
        assert_eq!(mat.bits(&storage), 1024 * (20 + 1 + 8));
    }
}
