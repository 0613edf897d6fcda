//! The PC Tracking Table of B+C, which each core has one of, and the Untracked PC Access Table beside it: which load
//! instructions bring blocks that are hit in L1 (\[Lakshminarayana14\] sections 4.5.4.2 and 4.5.5, figure 31).
//!
//! Listing 6:
//!
//! ```text
//! OnCacheHit(pc, pcId):       entry{pc}.acc += 1 (the entry of this PC); entry[pcId].hit += 1 (the entry at this index)
//! OnCacheMiss(pc):            entry{pc}.acc += 1
//! Update(), once per period:  for each entry with acc != 0: halve acc and hits;
//!                             if hits > acc / 64 then reuse = true
//! ```
//!
//! What the text leaves open:
//!
//! - A period is counted in accesses, as policies know no time.
//! - *Trained* is an entry that had at least as many accesses in a period as show a fraction of one in `threshold`; before
//!   that L1Reuse is not known. It is what the blocks of an instruction give up for ever: those that bypass L1 can be hit
//!   there no more. For the same reason a flag that was set stays, as it does in the listing.
//! - An instruction that has no entry adds to the counter of the Untracked PC Access Table that its PC is hashed to: the PC
//!   folded by exclusive-or. The counters are halved with those of the entries, so that both count over the same time.
//! - "The first PC which maps to the counter with the highest value" is the first that comes after the period, as the
//!   counters know no PC; the counter starts anew with it. What lines were brought under an index is credited to whatever
//!   instruction has the index now.

use super::super::{Limit, Parameters, ROWS_MAX};
use crate::ids::Pc;
use serde::{Deserialize, Serialize};

/// The part of B+C at L1 (\[Lakshminarayana14\] table 13).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PcReuseSpec {
    /// Entries of a core's PC Tracking Table (table 13).
    pub entries: u32,
    /// Counters of a core's Untracked PC Access Table; a power of two. Chosen: about as many as instructions that are
    /// tracked, so that a counter has few of them.
    pub untracked: u32,
    /// Reads of a core's cache after which its table is updated. Chosen: several times the 384 lines of the document's L1,
    /// so that its lines have been replaced also where half of the reads hit or are merged; what is found to have no reuse
    /// by then has had the time to show it.
    pub period: u32,
    /// The blocks of an instruction have reuse if there are more hits to them than one in this many of its accesses
    /// (listing 6).
    pub threshold: u32,
    /// Bits of a counter. Chosen: counters are halved in each period and so stay below twice its length.
    pub counter_bits: u32,
}

impl Default for PcReuseSpec {
    fn default() -> PcReuseSpec {
        PcReuseSpec { entries: 15, untracked: 16, period: 2048, threshold: 64, counter_bits: 12 }
    }
}

impl Parameters for PcReuseSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![
            ("entries", self.entries, 1, 255),
            ("untracked", self.untracked, 1, ROWS_MAX),
            ("period", self.period, 1, 1 << 24),
            ("threshold", self.threshold, 1, ROWS_MAX),
            ("counter_bits", self.counter_bits, 1, 31),
        ]
    }

    fn powers_of_two(&self) -> Vec<(&'static str, u32)> {
        vec![("untracked", self.untracked)]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries), ("untracked", self.untracked)]
    }
}

/// The number of an entry in policy bits and tags; 0 for an instruction that has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PcId(pub(crate) u16);

/// What a core knows about the blocks of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tracked {
    pub(super) trained: bool,
    pub(super) accesses: u32,
    pub(super) hits: u32,
    /// L1Reuse.
    pub(super) reuse: bool,
}

/// The PC Tracking Table and the Untracked PC Access Table of a core.
#[derive(Clone, Debug)]
pub(crate) struct PcTable {
    /// The PCs of the valid entries, by index.
    pcs: Vec<Pc>,
    pub(super) entries: Vec<Tracked>,
    pub(super) untracked: Vec<u32>,
    /// The counter whose next instruction gets an entry, and the index of that.
    awaited: Option<(usize, usize)>,
    capacity: usize,
    accesses: u32,
    period: u32,
    threshold: u32,
    most: u32,
}

impl PcTable {
    pub(crate) fn new(spec: &PcReuseSpec) -> PcTable {
        PcTable {
            pcs: Vec::with_capacity(spec.entries as usize),
            entries: Vec::with_capacity(spec.entries as usize),
            untracked: vec![0; spec.untracked as usize],
            awaited: None,
            capacity: spec.entries as usize,
            accesses: 0,
            period: spec.period,
            threshold: spec.threshold,
            most: (1 << spec.counter_bits) - 1,
        }
    }

    #[inline(always)]
    fn index_of(&self, pc: Pc) -> Option<usize> {
        self.pcs.iter().position(|&known| known == pc)
    }

    fn counter_of(&self, pc: Pc) -> usize {
        let bits = self.untracked.len().ilog2().max(1);
        let mut folded = 0;
        let mut rest = pc.0;
        while rest != 0 {
            folded ^= rest;
            rest = rest.checked_shr(bits).unwrap_or(0);
        }
        folded as usize & (self.untracked.len() - 1)
    }

    /// The entry of an instruction, or one that it gets now.
    #[inline(always)]
    fn enter(&mut self, pc: Pc) -> Option<usize> {
        self.index_of(pc).or_else(|| self.admit(pc))
    }

    #[cold]
    fn admit(&mut self, pc: Pc) -> Option<usize> {
        if self.pcs.len() < self.capacity {
            self.pcs.push(pc);
            self.entries.push(Tracked::default());
            return Some(self.pcs.len() - 1);
        }
        let (counter, index) = self.awaited.filter(|&(counter, _)| counter == self.counter_of(pc))?;
        (self.awaited, self.untracked[counter]) = (None, 0);
        (self.pcs[index], self.entries[index]) = (pc, Tracked::default());
        Some(index)
    }

    /// The number under which an instruction is known, which goes with its misses.
    pub(super) fn id_of(&mut self, pc: Pc) -> PcId {
        PcId(self.enter(pc).map_or(0, |index| index as u16 + 1))
    }

    /// L1Reuse; nothing if it is not known.
    pub(crate) fn reuse(&self, pc: Pc) -> Option<bool> {
        let entry = &self.entries[self.index_of(pc)?];
        entry.trained.then_some(entry.reuse)
    }

    /// Listing 6: an instruction has accessed the cache, and has hit a block of the instruction with this number.
    #[inline(always)]
    pub(crate) fn accessed(&mut self, pc: Pc, hit: Option<PcId>) {
        let most = self.most;
        let counter = match self.enter(pc) {
            Some(index) => &mut self.entries[index].accesses,
            None => {
                let counter = self.counter_of(pc);
                &mut self.untracked[counter]
            }
        };
        *counter = (*counter + 1).min(most);
        let fetched_by = hit.and_then(|PcId(id)| usize::from(id).checked_sub(1));
        if let Some(entry) = fetched_by.and_then(|index| self.entries.get_mut(index)) {
            entry.hits = (entry.hits + 1).min(most);
        }
        self.accesses += 1;
        if self.accesses == self.period {
            self.update();
        }
    }

    /// Listing 6, Update, and section 4.5.5: the end of a period.
    fn update(&mut self) {
        self.accesses = 0;
        let fewest = (0..self.entries.len()).min_by_key(|&index| self.entries[index].accesses);
        let busiest = (0..self.untracked.len()).rev().max_by_key(|&counter| self.untracked[counter]);
        self.awaited = busiest
            .zip(fewest)
            .filter(|&(counter, index)| self.untracked[counter] > self.entries[index].accesses);
        for entry in self.entries.iter_mut().filter(|entry| entry.accesses != 0) {
            entry.trained |= entry.accesses >= self.threshold;
            entry.accesses /= 2;
            entry.hits /= 2;
            entry.reuse |= entry.hits > entry.accesses / self.threshold;
        }
        self.untracked.iter_mut().for_each(|counter| *counter /= 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(period: u32) -> PcTable {
        PcTable::new(&PcReuseSpec { period, ..PcReuseSpec::default() })
    }

    /// Accesses of an instruction, of which so many hit blocks that it has fetched itself.
    fn access(table: &mut PcTable, pc: u32, accesses: u32, hits: u32) {
        let pc = Pc(pc);
        for number in 0..accesses {
            let id = table.id_of(pc);
            table.accessed(pc, (number < hits).then_some(id));
        }
    }

    #[test]
    fn listing_6_an_access_counts_for_its_instruction_and_a_hit_for_the_one_that_fetched() {
        let mut table = table(1000);
        let (first, second) = (table.id_of(Pc(100)), table.id_of(Pc(200)));
        assert_eq!((first, second), (PcId(1), PcId(2)));
        table.accessed(Pc(200), Some(first));
        table.accessed(Pc(200), None);
        table.accessed(Pc(100), None);
        let counts: Vec<_> = table.entries.iter().map(|entry| (entry.accesses, entry.hits)).collect();
        assert_eq!(counts, [(1, 1), (2, 0)]);
    }

    #[test]
    fn listing_6_counters_are_halved_and_hits_compared_with_a_64th_of_the_accesses() {
        let mut table = table(256);
        // 256 and 4 are 128 and 2 after halving; 2 are not more than 128 / 64.
        access(&mut table, 1, 256, 4);
        assert_eq!(table.entries[0], Tracked { trained: true, accesses: 128, hits: 2, reuse: false });
        assert_eq!(table.reuse(Pc(1)), Some(false));
        // 384 and 8 are 192 and 4; 4 are more than 192 / 64.
        access(&mut table, 1, 256, 6);
        assert_eq!(table.entries[0], Tracked { trained: true, accesses: 192, hits: 4, reuse: true });
        assert_eq!(table.reuse(Pc(1)), Some(true));
    }

    #[test]
    fn a_flag_that_was_set_stays() {
        let mut table = table(64);
        access(&mut table, 1, 64, 64);
        for _ in 0..20 {
            access(&mut table, 1, 64, 0);
        }
        assert_eq!((table.entries[0].hits, table.reuse(Pc(1))), (0, Some(true)));
    }

    #[test]
    fn nothing_is_known_of_an_instruction_before_its_first_period_or_with_few_accesses() {
        let mut table = table(128);
        access(&mut table, 1, 100, 0);
        assert_eq!(table.reuse(Pc(1)), None);
        access(&mut table, 2, 28, 0);
        assert_eq!((table.reuse(Pc(1)), table.reuse(Pc(2))), (Some(false), None), "28 accesses show no 64th");
        assert_eq!(table.reuse(Pc(3)), None);
    }

    #[test]
    fn an_instruction_without_entry_takes_that_of_the_least_used_if_its_counter_is_higher() {
        let mut table = PcTable::new(&PcReuseSpec { entries: 2, period: 64, ..PcReuseSpec::default() });
        access(&mut table, 1, 30, 0);
        access(&mut table, 2, 10, 0);
        assert_eq!(table.id_of(Pc(3)), PcId(0), "both entries are taken");
        access(&mut table, 3, 10, 0);
        access(&mut table, 1, 14, 0);
        assert_eq!(table.pcs, [Pc(1), Pc(2)]);
        access(&mut table, 3, 1, 0);
        assert_eq!(table.pcs, [Pc(1), Pc(2)], "10 are not more than 10");
        // 5 are left of each; then 20 and 3.
        access(&mut table, 3, 20, 0);
        access(&mut table, 2, 3, 0);
        access(&mut table, 1, 40, 0);
        assert_eq!(table.pcs, [Pc(1), Pc(2)], "the period has ended, and the instruction has not come since");
        access(&mut table, 4, 1, 0);
        assert_eq!(table.pcs, [Pc(1), Pc(2)], "one of another counter");
        access(&mut table, 3, 1, 0);
        assert_eq!((table.pcs.clone(), table.untracked[3]), (vec![Pc(1), Pc(3)], 0));
        assert_eq!(table.entries[1], Tracked { accesses: 1, ..Tracked::default() });
    }

    #[test]
    fn counters_saturate() {
        let mut table =
            PcTable::new(&PcReuseSpec { counter_bits: 3, period: 100, entries: 1, ..PcReuseSpec::default() });
        access(&mut table, 1, 50, 50);
        access(&mut table, 2, 49, 0);
        assert_eq!((table.entries[0].accesses, table.entries[0].hits, table.untracked[2]), (7, 7, 7));
    }
}
