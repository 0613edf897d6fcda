//! Flexclusion in caches: what a set does follows from its mode, and what an upper cache does from the reply.

use super::common::*;
use heddle_engine::units::Bytes;
use heddle_memory::CoreId;
use heddle_memory::cache::*;
use heddle_memory::request::*;

/// Sets of the lower cache: 0 is the non-inclusive monitor, 4 the exclusive one.
const SETS: u64 = 8;
const NON_INCLUSIVE: u64 = 0;
const EXCLUSIVE: u64 = 4;
const FOLLOWER: u64 = 1;

/// A core's cache of four lines above one of 32, with data that moves at once.
struct Chip {
    upper: Cache,
    lower: Cache,
    effects: Effects,
}

impl Chip {
    fn new() -> Chip {
        let kind = InclusionKind::Flexclusion;
        let flexclusion = FlexclusionSpec { monitor_sets: 1, counter_bits: 2 };
        let policies = PolicySpec { flexclusion, ..PolicySpec::default() };
        let wide = CacheSpec { size: Bytes(128 * 4 * SETS), ways: 4, inclusion: kind, ..spec() };
        wide.check("l2").unwrap();
        Chip {
            upper: Cache::new(&spec(), &policies, 1).above(kind, &policies),
            lower: Cache::new(&wide, &policies, 2).performing_atomics(),
            effects: Effects::with_tables(wide.tables(&policies, 1)),
        }
    }

    /// Reads the line with this number of a set; returns whether the lower cache had it.
    fn read(&mut self, set: u64, turn: u64) -> bool {
        let request = read(set + SETS * turn, 0);
        let Outcome::Miss(fetch) = self.upper.access(&request, &mut self.effects) else { return false };
        let below = Request { words: u32::MAX, policy_bits: fetch.policy_bits, ..request };
        let outcome = self.lower.access(&below, &mut self.effects);
        if let Outcome::Miss(fetch) = outcome {
            self.lower.fill(fetch.line, fetch.sectors, Answerer::MEMORY, 0, &mut self.effects);
        }
        let bits = self.lower.reply_bits();
        self.upper.fill(fetch.line, fetch.sectors, Answerer::shared(0), bits, &mut self.effects);
        for victim in std::mem::take(&mut self.effects.victims) {
            self.lower.insert(&victim, CoreId(0), &mut self.effects);
        }
        self.effects.clear();
        outcome == Outcome::Hit
    }

    /// Whether the lower cache has the line with this number of a set.
    fn holds(&self, set: u64, turn: u64) -> bool {
        !self.lower.probe(line(set + SETS * turn)).is_empty()
    }
}

#[test]
fn sets_of_the_monitors_work_in_their_own_mode() {
    let mut chip = Chip::new();
    assert!(!chip.read(NON_INCLUSIVE, 0) && chip.holds(NON_INCLUSIVE, 0), "kept");
    assert!(!chip.read(EXCLUSIVE, 0) && !chip.holds(EXCLUSIVE, 0), "passed up");
    // Both sets are one of the upper cache, which has two ways: the first lines leave for the next two.
    chip.read(EXCLUSIVE, 1);
    chip.read(EXCLUSIVE, 2);
    assert!(chip.holds(EXCLUSIVE, 0), "its victim was given back");
    assert_eq!((chip.upper.counters.evictions, chip.upper.counters.victims_given), (2, 1));
    assert!(chip.read(EXCLUSIVE, 0) && !chip.holds(EXCLUSIVE, 0), "a hit moves it up");
    assert!(chip.read(NON_INCLUSIVE, 0) && chip.holds(NON_INCLUSIVE, 0), "a hit leaves it");
}

#[test]
fn other_sets_follow_the_monitor_that_misses_less() {
    let mut chip = Chip::new();
    chip.read(FOLLOWER, 0);
    assert!(chip.holds(FOLLOWER, 0), "it begins non-inclusive");
    // Misses of the non-inclusive monitor alone.
    chip.read(NON_INCLUSIVE, 0);
    assert!(chip.effects.tables.has_switched());
    assert_eq!(chip.effects.tables.take_mode(), Some(true));
    chip.read(FOLLOWER, 1);
    assert!(!chip.holds(FOLLOWER, 1), "exclusive now");
    chip.read(EXCLUSIVE, 0);
    chip.read(EXCLUSIVE, 1);
    assert_eq!(chip.effects.tables.take_mode(), Some(false));
    chip.read(FOLLOWER, 2);
    assert!(chip.holds(FOLLOWER, 2));
    // The line of the exclusive time is given back nevertheless: nobody else has it.
    chip.read(FOLLOWER, 3);
    assert!(chip.holds(FOLLOWER, 1));
}

#[test]
fn what_an_atomic_fetches_is_kept_in_either_mode() {
    let mut chip = Chip::new();
    serve(&mut chip.lower, atomic(EXCLUSIVE, 0), &mut chip.effects);
    assert!(chip.holds(EXCLUSIVE, 0));
}
