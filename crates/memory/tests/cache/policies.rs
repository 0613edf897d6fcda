//! The policies in caches.

use super::common::*;
use heddle_engine::Random;
use heddle_engine::units::Bytes;
use heddle_memory::cache::*;
use heddle_memory::request::*;
use heddle_memory::{CoreId, Pc, RegionId};
use proptest::prelude::*;

/// 48 KiB as in the L1 of Fermi, without sectors.
fn fermi() -> CacheSpec {
    CacheSpec {
        size: Bytes(48 << 10),
        ways: 6,
        sector: Bytes(128),
        index: IndexKind::Fermi,
        mshrs: 32,
        merges: 8,
        ..spec()
    }
}

fn by(pc: u32, number: u64) -> Request {
    Request { pc: Pc(pc), ..read(number, 0) }
}

/// One instruction streams, another walks 120 lines again and again: too far apart for the cache, which has
/// 384, but near enough for the monitor, which sees some 512 misses. Returns the hits of the second and the fills
/// kept out.
fn stream_beside_reuse(spec: &CacheSpec) -> (u64, u64) {
    let mut cache = cache(spec);
    let mut effects = Effects::default();
    let mut hits = 0;
    for step in 0..30_000 {
        for streamed in 0..3 {
            serve(&mut cache, by(1, 100_000 + step * 3 + streamed), &mut effects);
        }
        hits += u64::from(serve(&mut cache, by(2, step % 120), &mut effects) == Outcome::Hit);
        effects.clear();
    }
    (hits, cache.counters.bypassed_fills)
}

#[test]
fn the_bypass_monitor_lets_a_stream_pass_and_keeps_what_is_reused() {
    for allocate in [Allocate::OnFill, Allocate::OnMiss] {
        let kept = CacheSpec { allocate, ..fermi() };
        let (hits_before, passed_before) = stream_beside_reuse(&kept);
        let (hits, passed) = stream_beside_reuse(&CacheSpec { bypass: BypassKind::Obm, ..kept });
        assert_eq!(passed_before, 0);
        assert!(hits_before < 1_500, "{hits_before} of 30000 hit beside the stream");
        assert!(hits > 29_000, "{hits} of 30000 hit with the monitor");
        assert!(passed > 88_000, "{passed} of 90000 streamed lines passed");
    }
}

#[test]
fn the_bypass_monitor_unlearns_when_a_stream_begins_to_be_reused() {
    let mut cache = cache(&CacheSpec { bypass: BypassKind::Obm, ..fermi() });
    let mut effects = Effects::default();
    for number in 0..20_000 {
        serve(&mut cache, by(1, number), &mut effects);
        effects.clear();
    }
    let passed = cache.counters.bypassed_fills;
    assert!(passed > 15_000, "{passed} of 20000 passed");
    let mut hits = 0;
    for step in 0..20_000 {
        hits += u64::from(serve(&mut cache, by(1, 50_000 + step % 64), &mut effects) == Outcome::Hit);
        effects.clear();
    }
    assert!(hits > 18_000, "{hits} of 20000");
}

#[test]
fn atomics_are_never_bypassed() {
    let mut cache = cache(&CacheSpec { bypass: BypassKind::Obm, ..fermi() }).performing_atomics();
    let mut effects = Effects::default();
    for number in 0..5_000 {
        serve(&mut cache, by(1, number), &mut effects);
    }
    assert!(cache.counters.bypassed_fills > 0);
    assert!(cache.probe(line(4_999)).is_empty(), "the instruction's reads pass");
    serve(&mut cache, Request { pc: Pc(1), ..atomic(9_999, 0) }, &mut effects);
    assert!(!cache.probe(line(9_999)).is_empty());
}

#[test]
fn prefetches_are_counted_as_issued_useful_and_unused() {
    let mut cache = cache(&CacheSpec { prefetch: PrefetchKind::Stride, ..fermi() });
    let mut effects = Effects::default();
    let mut misses = 0;
    for number in 0..100 {
        misses += u64::from(serve(&mut cache, by(1, number * 2), &mut effects) != Outcome::Hit);
        for wish in std::mem::take(&mut effects.prefetches) {
            if let Some(fetch) = cache.prefetch(&wish, &mut effects) {
                cache.fill(fetch.line, fetch.sectors, Answerer::MEMORY, 0, &mut effects);
            }
        }
    }
    assert_eq!(misses, 3, "one to see the first address, one for the distance, one to confirm it");
    assert_eq!(cache.counters.prefetches_issued, 98);
    assert_eq!(cache.counters.prefetches_useful, 97);
    cache.invalidate_all(&mut effects);
    assert_eq!(cache.counters.prefetches_unused, 1);
}

#[test]
fn a_read_that_meets_its_prefetch_waits_for_it_and_makes_it_useful() {
    let mut cache = cache(&fermi());
    let mut effects = Effects::default();
    let wish = Prefetch {
        line: line(5),
        sectors: Sectors(1),
        pc: Pc(1),
        core: CoreId(0),
        region: RegionId(0),
        policy_bits: 0,
    };
    let fetch = cache.prefetch(&wish, &mut effects).unwrap();
    assert_eq!(cache.prefetch(&wish, &mut effects), None, "it is on its way");
    assert_eq!(cache.access(&read(5, 3), &mut effects), Outcome::Merged);
    cache.fill(fetch.line, fetch.sectors, Answerer::shared(0), 0, &mut effects);
    assert_eq!(effects.released, [Token(3)]);
    assert_eq!(cache.counters.prefetches_useful, 1);
    assert_eq!(cache.prefetch(&wish, &mut effects), None, "it is there");
}

/// An upper and an exclusive lower cache, with data that moves at once.
struct Levels {
    upper: Cache,
    lower: Cache,
    effects: Effects,
    sectored: bool,
}

impl Levels {
    fn new(sectored: bool, victim_lines: u32) -> Levels {
        let (granularity, sector) =
            if sectored { (GranularityKind::Sector, Bytes(32)) } else { (GranularityKind::Line, Bytes(128)) };
        let upper = CacheSpec { sector, granularity, victim_lines, ..spec() };
        let lower = CacheSpec {
            size: Bytes(1024),
            sector,
            granularity,
            inclusion: InclusionKind::Exclusive,
            allocate: Allocate::OnMiss,
            ..spec()
        };
        let (upper, lower) = (
            cache(&upper).above(InclusionKind::Exclusive, &PolicySpec::default()),
            cache(&lower).performing_atomics(),
        );
        Levels { upper, lower, effects: Effects::default(), sectored }
    }

    fn take(&mut self, request: Request) {
        self.effects.clear();
        match self.upper.access(&request, &mut self.effects) {
            Outcome::Miss(fetch) => {
                // The lower cache is asked for the sectors that are fetched.
                let words = match self.sectored {
                    true => (0..32)
                        .filter(|word| fetch.sectors.0 >> (word / 8) & 1 == 1)
                        .fold(0, |w, n| w | 1 << n),
                    false => u32::MAX,
                };
                serve(&mut self.lower, Request { words, ..request }, &mut self.effects);
                self.effects.victims.clear();
                self.upper.fill(fetch.line, fetch.sectors, Answerer::shared(0), 0, &mut self.effects);
            }
            Outcome::Below => {
                serve(&mut self.lower, request, &mut self.effects);
            }
            _ => {}
        }
        for gone in std::mem::take(&mut self.effects.victims) {
            self.lower.insert(&gone, CoreId(0), &mut self.effects);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nothing_is_in_both_levels_under_exclusion(
        sectored: bool, victim_lines in 0u32..3,
        steps in prop::collection::vec((0u8..8, 0u64..16, 1u32..), 1..200),
    ) {
        let mut levels = Levels::new(sectored, victim_lines);
        for (kind, number, words) in steps {
            let access = match kind {
                0..=5 => Access::Read,
                6 => Access::Write,
                _ => Access::Atomic,
            };
            levels.take(request(access, number, words, 0));
            for number in 0..16 {
                let (above, below) = (levels.upper.probe(line(number)), levels.lower.probe(line(number)));
                prop_assert_eq!(above.0 & below.0, 0, "line {}", number);
            }
        }
    }
}

#[test]
fn exclusion_adds_the_capacities_up() {
    let mut levels = Levels::new(false, 0);
    // Two sets of two ways above and four sets of two ways below hold twelve lines.
    for _ in 0..3 {
        for number in 0..12 {
            levels.take(read(number, 0));
        }
    }
    let held = |cache: &Cache| (0..12).filter(|&n| !cache.probe(line(n)).is_empty()).count();
    assert_eq!(held(&levels.upper) + held(&levels.lower), 12);
}

#[test]
fn costs_grow_with_the_parameters_and_are_nothing_for_trivial_policies() {
    let policies = PolicySpec::default();
    let plain = fermi().policy_bits(&policies, InclusionKind::NonInclusive, 16);
    assert_eq!((plain.bypass, plain.prefetch), (0, 0));
    assert_eq!(plain.replacement, 384 * 3);
    let both = CacheSpec { bypass: BypassKind::Obm, prefetch: PrefetchKind::Stride, ..fermi() };
    let costs = both.policy_bits(&policies, InclusionKind::NonInclusive, 16);
    // 64 pairs of two tags of 31 bits and two counter numbers of 5, with two flags; 32 counters; 384 lines.
    assert_eq!(costs.bypass, 64 * (2 * 36 + 2) + 32 * 5 + 384 * 5);
    let twice = PolicySpec { obm: ObmSpec { history_entries: 128, ..ObmSpec::default() }, ..policies };
    assert_eq!(both.policy_bits(&twice, InclusionKind::NonInclusive, 16).bypass - costs.bypass, 64 * 74);
}

#[test]
fn seeds_change_nothing_but_the_lots() {
    let mut random = Random::new(9);
    let numbers: Vec<u64> =
        (0..5_000).map(|n| if random.one_in_power_of_two(1) { n } else { n % 97 }).collect();
    let run = |seed| {
        let mut cache =
            Cache::new(&CacheSpec { bypass: BypassKind::Obm, ..fermi() }, &PolicySpec::default(), seed);
        let mut effects = Effects::default();
        for &number in &numbers {
            serve(&mut cache, by(number as u32 % 5, number), &mut effects);
        }
        cache.counters
    };
    assert_eq!(run(1), run(1));
    assert_eq!(run(1).accesses, run(2).accesses);
}
