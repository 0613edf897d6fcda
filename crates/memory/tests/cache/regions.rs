//! R-EX, NAP and GHB in caches.

use super::common::*;
use heddle_engine::units::Bytes;
use heddle_memory::SliceId;
use heddle_memory::cache::*;
use heddle_memory::request::*;
use heddle_memory::{CoreId, Pc, RegionId};

/// Two cores' caches above one that follows R-EX, with data that moves at once.
struct Chip {
    uppers: [Cache; 2],
    lower: Cache,
    effects: Effects,
}

const PERIOD: u32 = 8;

impl Chip {
    fn new() -> Chip {
        let rex = InclusionKind::RegionExclusive;
        let policies =
            PolicySpec { rex: RexSpec { period: PERIOD, ..RexSpec::default() }, ..PolicySpec::default() };
        let upper = || Cache::new(&spec(), &policies, 1).above(rex, &policies);
        let wide = CacheSpec { size: Bytes(128 * 64), inclusion: rex, ..spec() };
        wide.check("l2").unwrap();
        Chip {
            uppers: [upper(), upper()],
            lower: Cache::new(&wide, &policies, 2).performing_atomics(),
            effects: Effects::with_tables(wide.tables(&policies, 2)),
        }
    }

    /// A core reads a line of a region; returns whether the lower cache had it.
    fn read(&mut self, core: u16, region: u16, number: u64) -> bool {
        let request = Request { core: CoreId(core), region: RegionId(region), ..read(number, 0) };
        let upper = &mut self.uppers[usize::from(core)];
        let Outcome::Miss(fetch) = upper.access(&request, &mut self.effects) else { return false };
        let below = Request { words: u32::MAX, policy_bits: fetch.policy_bits, ..request };
        let outcome = self.lower.access(&below, &mut self.effects);
        if let Outcome::Miss(fetch) = outcome {
            self.lower.fill(fetch.line, fetch.sectors, Answerer::MEMORY, 0, &mut self.effects);
        }
        let bits = self.lower.reply_bits();
        self.uppers[usize::from(core)].fill(
            fetch.line,
            fetch.sectors,
            Answerer::shared(0),
            bits,
            &mut self.effects,
        );
        for victim in std::mem::take(&mut self.effects.victims) {
            self.lower.insert(&victim, CoreId(core), &mut self.effects);
        }
        self.effects.clear();
        outcome == Outcome::Hit
    }

    fn holds(&self, number: u64) -> bool {
        !self.lower.probe(line(number)).is_empty()
    }

    /// Core 0 goes round so many lines of a region, from a number on.
    fn round(&mut self, region: u16, first: u64, lines: u64) {
        for number in first..first + lines {
            self.read(0, region, number);
        }
    }
}

#[test]
fn a_region_that_one_core_reuses_becomes_exclusive() {
    let mut chip = Chip::new();
    // Sixteen lines, four of which fit above: each round misses there, and from the second on hits below.
    chip.round(1, 0, 16);
    assert!((0..16).all(|number| chip.holds(number)), "nothing is known yet: filled in both");
    chip.round(1, 0, 16);
    assert_eq!(chip.lower.counters.moved_up, 0);
    assert!(
        !chip.read(0, 1, 16) && !chip.holds(16),
        "the region is exclusive: a fill bypasses the lower cache"
    );
    for number in 17..21 {
        chip.read(0, 1, number);
    }
    assert!(chip.holds(16), "and its victim is copied back");
    assert!(chip.read(0, 1, 16) && !chip.holds(16), "a hit of its core moves it up");
    assert_eq!(chip.lower.counters.moved_up, 1);
    assert!(chip.uppers[0].counters.victims_given > 0);
}

#[test]
fn a_line_that_was_copied_back_stays_when_another_core_hits_it() {
    let mut chip = Chip::new();
    chip.round(1, 0, 16);
    chip.round(1, 0, 16);
    chip.round(1, 100, 5);
    assert!(chip.holds(100));
    assert!(chip.read(1, 1, 100) && chip.holds(100), "by another core");
    assert!(chip.read(0, 1, 100) && !chip.holds(100), "by its own");
}

#[test]
fn a_region_that_cores_share_stays_non_inclusive() {
    let mut chip = Chip::new();
    for _ in 0..4 {
        for number in 0..16 {
            chip.read(0, 1, number);
            chip.read(1, 1, number);
        }
    }
    assert_eq!((chip.lower.counters.moved_up, chip.uppers[0].counters.victims_given), (0, 0));
    chip.read(0, 1, 40);
    assert!(chip.holds(40));
}

#[test]
fn regions_are_told_apart_and_unknown_ones_are_left_alone() {
    let mut chip = Chip::new();
    chip.round(1, 0, 16);
    chip.round(1, 0, 16);
    chip.read(0, 2, 50);
    chip.read(0, 0, 51);
    chip.read(0, 1, 52);
    assert_eq!([50, 51, 52].map(|number| chip.holds(number)), [true, true, false]);
}

#[test]
fn a_launch_copies_back_what_is_cached_exclusively_and_a_store_does_not() {
    let mut chip = Chip::new();
    chip.round(1, 0, 16);
    chip.round(1, 0, 16);
    chip.round(1, 100, 2);
    let store = Request { core: CoreId(0), region: RegionId(1), ..write(100, 1, 0) };
    chip.uppers[0].access(&store, &mut chip.effects);
    assert!(chip.effects.victims.is_empty());
    chip.uppers[0].invalidate_all(&mut chip.effects);
    let given: Vec<LineAddress> = chip.effects.victims.iter().map(|victim| victim.line).collect();
    assert!(given.contains(&line(101)) && !given.contains(&line(100)), "{given:?}");
}

#[test]
fn nap_fetches_the_neighbours_that_an_instruction_uses_and_no_others() {
    let spec = CacheSpec { granularity: GranularityKind::Nap, ..spec() };
    let mut cache = cache(&spec);
    let mut effects = Effects::default();
    // Sector 1, then sector 2 of every line: a miss each, until eight lines have left.
    let mut fetched = Vec::new();
    for number in 0..20 {
        let first = Request { pc: Pc(5), ..request(Access::Read, number, 1 << 8, 0) };
        if let Outcome::Miss(fetch) = cache.access(&first, &mut effects) {
            fetched.push(fetch.sectors.0);
            cache.fill(fetch.line, fetch.sectors, Answerer::shared(0), 0, &mut effects);
        }
        serve(&mut cache, Request { pc: Pc(6), ..request(Access::Read, number, 1 << 16, 0) }, &mut effects);
    }
    assert_eq!(fetched[..12], [0b0010; 12], "four lines are here, and eight have left");
    assert_eq!(fetched[12..], [0b0110; 8]);
    // What instruction 6 misses is another matter: it brought no line, so that it has learned nothing.
    let other = Request { pc: Pc(6), ..request(Access::Read, 99, 1 << 8, 0) };
    let Outcome::Miss(fetch) = cache.access(&other, &mut effects) else { panic!("the line is new") };
    assert_eq!(fetch.sectors, Sectors(0b0010));
}

#[test]
fn ghb_wishes_for_lines_of_other_slices() {
    let spec = CacheSpec { prefetch: PrefetchKind::Ghb, ..spec() };
    let mut slice = cache(&spec).sliced(Slicing::new(2, 128), SliceId(0));
    let mut effects = Effects::default();
    // Even lines are of this slice; the distances between them repeat.
    for number in [0, 2, 6, 8, 12] {
        serve(&mut slice, read(number, 0), &mut effects);
    }
    let wished: Vec<LineAddress> = effects.prefetches.iter().map(|wish| wish.line).collect();
    assert_eq!(wished, [line(14), line(18)], "2 and 4 after 4 and 2");
}
