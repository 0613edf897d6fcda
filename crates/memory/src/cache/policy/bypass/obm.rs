//! The optimal bypass monitor: learns from pairs of an incoming block and its victim which of the two is used
//! first, and lets blocks of instructions pass whose blocks lose (\[Lakshminarayana14\] section 4.5.3 and
//! table 13; after Li and others, \[Li12\]).
//!
//! - A pair enters the replacement history table once in `insert_one_in` misses, whether the incoming block is
//!   kept or passes; the oldest pair is dropped for it, undecided.
//! - The incoming block is used first: replacing was right. The victim is used first, or neither is before the
//!   incoming block is evicted: it should have passed. If it did pass, the victim has the place that it would have
//!   had, so the victim's eviction stands for its own.
//! - Each counter of the bypass decision counter table says whether the blocks of an instruction should pass. It
//!   starts just on the side of keeping, and the upper half means passing. The incoming block's instruction is
//!   moved by each decision. The victim's is moved too, the other way, where one of the two blocks was used and
//!   the instructions differ: the text has both updated, and a victim that is used first shows that blocks of its
//!   instruction are worth keeping. Where neither was used, only the incoming block's is moved (section 4.5.8).
//! - A use is a request that this cache serves: a store that evicts its line is an eviction, and no use.
//!
//! Lines are told apart by 31 bits of their address, which is exact for 64 GiB of memory.

use super::super::parameters::{Limit, Parameters, ROWS_MAX};
use super::super::{Block, CoreTables, Departure, Policy, Storage, Visit, Wants, Why};
use super::BypassPolicy;
use crate::ids::Pc;
use crate::request::LineAddress;
use heddle_engine::Random;
use serde::{Deserialize, Serialize};

/// The optimal bypass monitor (\[Lakshminarayana14\] table 13).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ObmSpec {
    /// Entries of the replacement history table.
    pub history_entries: u32,
    /// A pair is entered once in this many times; a power of two.
    pub insert_one_in: u32,
    /// Counters of the bypass decision counter table.
    pub counters: u32,
    /// Bits of a counter.
    pub counter_bits: u32,
}

impl Default for ObmSpec {
    fn default() -> ObmSpec {
        ObmSpec { history_entries: 64, insert_one_in: 8, counters: 32, counter_bits: 5 }
    }
}

impl Parameters for ObmSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![
            ("history_entries", self.history_entries, 1, 1 << 12),
            ("insert_one_in", self.insert_one_in, 1, ROWS_MAX),
            ("counters", self.counters, 1, ROWS_MAX),
            ("counter_bits", self.counter_bits, 1, 16),
        ]
    }

    fn powers_of_two(&self) -> Vec<(&'static str, u32)> {
        vec![("insert_one_in", self.insert_one_in), ("counters", self.counters)]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        vec![("history_entries", self.history_entries), ("counters", self.counters)]
    }
}

/// Bits of a line's address that are compared.
const TAG_BITS: u64 = 31;
/// No line has this tag.
const EMPTY: u32 = u32::MAX;

/// What is known about a pair beside its lines.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    incoming_counter: u32,
    victim_counter: u32,
    passed: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Obm {
    incoming: Vec<u32>,
    victims: Vec<u32>,
    pairs: Vec<Pair>,
    /// The entry that the next pair gets.
    next: usize,
    /// How many tags of the table fall into each class; most lines are in none, which saves the search.
    classes: Vec<u16>,
    counters: Vec<u16>,
    counter_bits: u32,
    insert_log2: u32,
    random: Random,
}

/// What was learned about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lesson {
    IncomingFirst,
    VictimFirst,
    Neither,
}

impl Obm {
    #[inline(always)]
    fn class(&self, tag: u32) -> usize {
        (tag ^ (tag >> 11)) as usize & (self.classes.len() - 1)
    }

    fn counter_of(&self, pc: Pc) -> u32 {
        let bits = self.counters.len().ilog2().max(1);
        let mut folded = 0;
        let mut rest = pc.0;
        while rest != 0 {
            folded ^= rest;
            rest = rest.checked_shr(bits).unwrap_or(0);
        }
        folded & (self.counters.len() as u32 - 1)
    }

    #[inline(always)]
    fn accessed(&mut self, line: LineAddress) {
        let tag = tag(line);
        if self.classes[self.class(tag)] != 0 {
            self.resolve(tag, true);
        }
    }

    #[inline(always)]
    fn evicted(&mut self, line: LineAddress) {
        let tag = tag(line);
        if self.classes[self.class(tag)] != 0 {
            self.resolve(tag, false);
        }
    }

    /// Decides the pairs that a use or an eviction of a line decides.
    fn resolve(&mut self, tag: u32, used: bool) {
        for entry in 0..self.pairs.len() {
            let (is_incoming, is_victim) = (self.incoming[entry] == tag, self.victims[entry] == tag);
            if !is_incoming && !is_victim {
                continue;
            }
            let passed = self.pairs[entry].passed;
            let lesson = match used {
                true if is_incoming => Lesson::IncomingFirst,
                true => Lesson::VictimFirst,
                false if is_incoming != passed => Lesson::Neither,
                false => continue,
            };
            self.learn(self.pairs[entry], lesson);
            self.forget(entry);
        }
    }

    fn learn(&mut self, pair: Pair, lesson: Lesson) {
        let keep = lesson == Lesson::IncomingFirst;
        self.move_counter(pair.incoming_counter, !keep);
        if lesson != Lesson::Neither && pair.incoming_counter != pair.victim_counter {
            self.move_counter(pair.victim_counter, keep);
        }
    }

    fn move_counter(&mut self, counter: u32, toward_passing: bool) {
        let most = (1u32 << self.counter_bits) - 1;
        let counter = &mut self.counters[counter as usize];
        *counter = match toward_passing {
            true => (u32::from(*counter) + 1).min(most) as u16,
            false => counter.saturating_sub(1),
        };
    }

    fn forget(&mut self, entry: usize) {
        for tag in [self.incoming[entry], self.victims[entry]] {
            if tag != EMPTY {
                let class = self.class(tag);
                self.classes[class] -= 1;
            }
        }
        self.incoming[entry] = EMPTY;
        self.victims[entry] = EMPTY;
    }
}

impl Policy for Obm {
    type Spec = ObmSpec;

    const WANTS: Wants = Wants { visits: true, departures: true, ..Wants::NOTHING };

    fn new(spec: &ObmSpec, seed: u32) -> Obm {
        let entries = spec.history_entries as usize;
        Obm {
            incoming: vec![EMPTY; entries],
            victims: vec![EMPTY; entries],
            pairs: vec![Pair::default(); entries],
            next: 0,
            classes: vec![0; (entries * 16).next_power_of_two()],
            counters: vec![(1 << (spec.counter_bits - 1)) - 1; spec.counters as usize],
            counter_bits: spec.counter_bits,
            insert_log2: spec.insert_one_in.ilog2(),
            random: Random::new(seed),
        }
    }

    #[inline(always)]
    fn visited(&mut self, visit: &Visit, _: &mut CoreTables) {
        self.accessed(visit.line);
    }

    #[inline(always)]
    fn departed(&mut self, departure: &Departure, _: &mut CoreTables) {
        // A launch that clears the cache says nothing about which of two blocks was worth keeping.
        if matches!(departure.why, Why::Replaced | Why::Written) {
            self.evicted(departure.line);
        }
    }

    fn bits(&self, storage: &Storage) -> u64 {
        let index = u64::from(self.counters.len().ilog2());
        let pair = 2 * (TAG_BITS + index) + 2;
        let counters = self.counters.len() as u64 * u64::from(self.counter_bits);
        // Every line remembers the counter of the instruction that brought it.
        self.pairs.len() as u64 * pair + counters + storage.lines * index
    }
}

impl BypassPolicy for Obm {
    fn passes(&mut self, incoming: &Block, _: &Block, _: &mut CoreTables) -> bool {
        u32::from(self.counters[self.counter_of(incoming.pc) as usize]) >> (self.counter_bits - 1) != 0
    }

    fn record(&mut self, incoming: &Block, victim: &Block, passed: bool) {
        if !self.random.one_in_power_of_two(self.insert_log2) {
            return;
        }
        let entry = self.next;
        self.next = (entry + 1) % self.pairs.len();
        self.forget(entry);
        self.incoming[entry] = tag(incoming.line);
        self.victims[entry] = tag(victim.line);
        self.pairs[entry] = Pair {
            incoming_counter: self.counter_of(incoming.pc),
            victim_counter: self.counter_of(victim.pc),
            passed,
        };
        for tag in [self.incoming[entry], self.victims[entry]] {
            let class = self.class(tag);
            self.classes[class] += 1;
        }
    }
}

#[inline(always)]
fn tag(line: LineAddress) -> u32 {
    (line.0 >> 5) as u32 & ((1 << TAG_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::super::super::context::block;
    use super::*;

    fn passes(obm: &Obm, pc: u32) -> bool {
        obm.clone().passes(&block(9, pc), &block(10, 9), &mut CoreTables::default())
    }

    /// Records every pair.
    fn monitor() -> Obm {
        Obm::new(&ObmSpec { insert_one_in: 1, ..ObmSpec::default() }, 1)
    }

    #[test]
    fn the_block_that_is_used_first_is_worth_keeping() {
        let mut obm = monitor();
        obm.record(&block(1, 1), &block(2, 2), false);
        obm.accessed(block(2, 0).line);
        assert!(passes(&obm, 1) && !passes(&obm, 2), "the victim was used first");
        obm.record(&block(3, 1), &block(4, 2), false);
        obm.accessed(block(3, 0).line);
        assert!(!passes(&obm, 1), "the incoming block was used first");
    }

    #[test]
    fn a_pair_of_which_neither_is_used_tells_to_pass() {
        let mut kept = monitor();
        kept.record(&block(1, 1), &block(2, 2), false);
        kept.evicted(block(2, 0).line);
        assert!(!passes(&kept, 1), "the victim had left already");
        kept.evicted(block(1, 0).line);
        assert!(passes(&kept, 1) && !passes(&kept, 2));
        let mut passed = monitor();
        passed.record(&block(1, 1), &block(2, 2), true);
        passed.evicted(block(2, 0).line);
        assert!(passes(&passed, 1));
    }

    #[test]
    fn a_pair_teaches_once_and_the_oldest_leaves_undecided() {
        let mut obm = monitor();
        obm.record(&block(1, 1), &block(2, 1), false);
        obm.accessed(block(2, 0).line);
        let learned = obm.counters.clone();
        obm.accessed(block(2, 0).line);
        obm.accessed(block(1, 0).line);
        assert_eq!(obm.counters, learned);
        obm.record(&block(1, 1), &block(2, 1), false);
        for number in 0..64 {
            obm.record(&block(100 + number, 1), &block(200 + number, 1), false);
        }
        obm.accessed(block(2, 0).line);
        assert_eq!(obm.counters, learned);
    }

    #[test]
    fn counters_saturate() {
        let mut obm = monitor();
        for _ in 0..100 {
            obm.record(&block(1, 1), &block(2, 1), false);
            obm.accessed(block(2, 0).line);
        }
        assert_eq!(obm.counters[1], 31);
        for _ in 0..100 {
            obm.record(&block(1, 1), &block(2, 1), false);
            obm.accessed(block(1, 0).line);
        }
        assert_eq!(obm.counters[1], 0);
    }
}
