//! MAT, AB and B+C in caches, and whose data is hit.

use super::common::*;
use heddle_engine::units::Bytes;
use heddle_memory::cache::*;
use heddle_memory::request::*;
use heddle_memory::{CoreId, Pc, RegionId};

/// Sixteen sets of four ways: 64 lines.
fn small(bypass: BypassKind) -> CacheSpec {
    CacheSpec { size: Bytes(64 * 128), ways: 4, sector: Bytes(128), mshrs: 32, bypass, ..spec() }
}

/// One instruction streams three lines for each that another walks, of 32 that it comes back to: too far apart for 64
/// lines. Returns the hits of the second, of 20000, and the cache.
fn stream_beside_reuse(spec: &CacheSpec) -> (u64, Cache) {
    let mut cache = cache(spec);
    let mut effects = Effects::default();
    let mut hits = 0;
    for step in 0..20_000 {
        for streamed in 0..3 {
            serve(&mut cache, Request { pc: Pc(1), ..read(100_000 + step * 3 + streamed, 0) }, &mut effects);
        }
        let walked = Request { pc: Pc(2), ..read(step % 32, 0) };
        hits += u64::from(serve(&mut cache, walked, &mut effects) == Outcome::Hit);
        effects.clear();
    }
    (hits, cache)
}

#[test]
fn a_memory_address_table_keeps_busy_memory_beside_a_stream() {
    for allocate in [Allocate::OnFill, Allocate::OnMiss] {
        let (before, _) = stream_beside_reuse(&CacheSpec { allocate, ..small(BypassKind::Never) });
        let (hits, cache) = stream_beside_reuse(&CacheSpec { allocate, ..small(BypassKind::Mat) });
        assert_eq!(before, 0);
        // Now and then the stream comes through the entries of the memory that is walked.
        assert!(hits > 15_000, "{hits} of 20000 hit");
        // A streamed line gives way to another; it passes where its victim would be one that is walked.
        let passed = cache.counters.bypassed_fills;
        assert!((10_000..50_000).contains(&passed), "{passed} of 60000 that streamed");
    }
}

#[test]
fn a_memory_address_table_goes_by_how_often_memory_is_accessed_and_not_by_hits() {
    // A walk over 512 lines, which never hits in a cache of 64, makes their memory busy; beside it lines are read that are
    // read once more at once and never again.
    let run = |bypass| {
        let mut cache = cache(&small(bypass));
        let (mut effects, mut hits) = (Effects::default(), 0);
        for step in 0..10_000 {
            serve(&mut cache, read(step % 512, 0), &mut effects);
            for _ in 0..2 {
                let once_more = read(100_000 + step * 8, 0);
                hits += u64::from(serve(&mut cache, once_more, &mut effects) == Outcome::Hit);
            }
            effects.clear();
        }
        hits
    };
    let (before, after) = (run(BypassKind::Never), run(BypassKind::Mat));
    assert!(before == 10_000 && after < 5_000, "{after}: what section 4.5.8 says of its use at L1");
}

#[test]
fn adaptive_bypass_learns_in_each_set_that_victims_are_used_first() {
    let (before, _) = stream_beside_reuse(&small(BypassKind::Never));
    let (hits, mut cache) = stream_beside_reuse(&small(BypassKind::Ab));
    assert_eq!(before, 0);
    assert!(hits > 5_000, "{hits} of 20000 hit");
    let decisions = cache.decisions().unwrap();
    assert!(decisions.effective > 4 * decisions.ineffective, "{decisions:?}");
}

#[test]
fn adaptive_bypass_leaves_a_cache_alone_whose_lines_are_used_soon() {
    let mut cache = cache(&small(BypassKind::Ab));
    let mut effects = Effects::default();
    for number in 0..20_000 {
        serve(&mut cache, read(number, 0), &mut effects);
        serve(&mut cache, read(number, 0), &mut effects);
        effects.clear();
    }
    let passed = cache.counters.bypassed_fills;
    assert!(passed < 20_000 / 100, "{passed} of 20000 passed, where one in 256 is the least");
    let decisions = cache.decisions().unwrap();
    assert_eq!(decisions.effective, 0);
    assert!(decisions.ineffective > 500, "{decisions:?}");
}

#[test]
fn counts_of_a_cache_that_starts_cold_go_on() {
    let (_, mut earlier) = stream_beside_reuse(&small(BypassKind::Ab));
    let (counters, decisions) = (earlier.counters.clone(), earlier.decisions().cloned());
    let mut fresh = cache(&small(BypassKind::Ab)).continues(&mut earlier);
    assert_eq!((fresh.counters.clone(), fresh.decisions().cloned()), (counters, decisions));
    assert_eq!(fresh.probe(line(1)), Sectors::NONE);
}

#[test]
fn hits_are_told_apart_by_whether_one_core_or_several_have_read_the_line() {
    let mut cache = cache(&small(BypassKind::Never)).counting_sharing();
    let mut effects = Effects::default();
    let mut by = |core, number| {
        serve(&mut cache, Request { core: CoreId(core), ..read(number, 0) }, &mut effects);
        let counts = cache.sharing().unwrap();
        (counts.private_hits, counts.shared_hits)
    };
    assert_eq!(by(0, 1), (0, 0), "a miss");
    assert_eq!(by(0, 1), (1, 0));
    assert_eq!(by(1, 1), (1, 1));
    assert_eq!(by(0, 1), (1, 2), "another core has read it since it came");
    // Four lines of the same set evict it; then it comes anew.
    (2..6).for_each(|n| {
        by(0, 1 + n * 16);
    });
    by(1, 1);
    assert_eq!(by(1, 1), (2, 2));
    assert!(super::common::cache(&spec()).sharing().is_none());
}

/// Two cores' caches above one, with data that moves at once, under B+C; instructions are tracked if asked for.
struct Chip {
    uppers: [Cache; 2],
    lower: Cache,
    effects: Effects,
}

/// Fills, and reads, after which tables are updated.
const PERIOD: u32 = 128;

impl Chip {
    fn new(of_instructions: bool) -> Chip {
        let policies = PolicySpec {
            bc: BcSpec { period: PERIOD, ..BcSpec::default() },
            pc_reuse: PcReuseSpec { period: PERIOD, ..PcReuseSpec::default() },
            ..PolicySpec::default()
        };
        let bypass = if of_instructions { BypassKind::PcReuse } else { BypassKind::Never };
        let inclusion = InclusionKind::BypassCopyback;
        let upper = || Cache::new(&CacheSpec { bypass, ..spec() }, &policies, 1).above(inclusion, &policies);
        let lower = CacheSpec { size: Bytes(128 * 64), inclusion, ..spec() };
        lower.check("l2").unwrap();
        let mut tables = lower.tables(&policies, 2);
        bypass.share(&policies, 2, &mut tables);
        Chip {
            uppers: [upper(), upper()],
            lower: Cache::new(&lower, &policies, 2).performing_atomics(),
            effects: Effects::with_tables(tables),
        }
    }

    /// An instruction of a core reads a line of a region.
    fn read(&mut self, core: u16, pc: u32, region: u16, number: u64) {
        let request = Request { core: CoreId(core), pc: Pc(pc), region: RegionId(region), ..read(number, 0) };
        let upper = &mut self.uppers[usize::from(core)];
        let Outcome::Miss(fetch) = upper.access(&request, &mut self.effects) else { return };
        let below = Request { words: u32::MAX, policy_bits: fetch.policy_bits, ..request };
        if let Outcome::Miss(fetch) = self.lower.access(&below, &mut self.effects) {
            self.lower.fill(fetch.line, fetch.sectors, Answerer::MEMORY, 0, &mut self.effects);
        }
        let bits = self.lower.reply_bits();
        let answerer = Answerer::shared(0);
        self.uppers[usize::from(core)].fill(fetch.line, fetch.sectors, answerer, bits, &mut self.effects);
        for victim in std::mem::take(&mut self.effects.victims) {
            self.lower.insert(&victim, CoreId(core), &mut self.effects);
        }
        self.effects.clear();
    }

    fn below(&self, number: u64) -> bool {
        !self.lower.probe(line(number)).is_empty()
    }

    fn above(&self, core: usize, number: u64) -> bool {
        !self.uppers[core].probe(line(number)).is_empty()
    }
}

#[test]
fn a_region_without_reuse_bypasses_the_lower_cache_and_is_not_copied_back() {
    let mut chip = Chip::new(false);
    (0..u64::from(PERIOD)).for_each(|number| chip.read(0, 1, 1, number));
    assert_eq!(chip.lower.counters.bypassed_fills, 0, "nothing is known in the first period");
    (200..210).for_each(|number| chip.read(0, 1, 1, number));
    assert_eq!(chip.lower.counters.bypassed_fills, 10);
    assert!((200..210).all(|number| !chip.below(number)));
    assert_eq!(chip.uppers[0].counters.victims_given, 0);
    chip.read(0, 1, 2, 300);
    assert!(chip.below(300), "another region");
}

#[test]
fn a_region_that_one_core_reuses_bypasses_is_copied_back_and_moves_up_on_a_hit() {
    let mut chip = Chip::new(false);
    for _ in 0..u64::from(PERIOD) / 16 {
        (0..16).for_each(|number| chip.read(0, 1, 1, number));
    }
    chip.read(0, 1, 1, 100);
    assert!(!chip.below(100) && chip.above(0, 100));
    (101..105).for_each(|number| chip.read(0, 1, 1, number));
    assert!(chip.below(100) && !chip.above(0, 100), "its victim is copied back");
    chip.read(1, 1, 1, 100);
    assert!(chip.below(100), "a hit by another core leaves it");
    let moved = chip.lower.counters.moved_up;
    chip.read(0, 1, 1, 100);
    assert!(!chip.below(100) && chip.lower.counters.moved_up == moved + 1);
}

#[test]
fn a_region_that_cores_share_is_cached_as_ever() {
    let mut chip = Chip::new(false);
    for number in 0..4 * u64::from(PERIOD) {
        chip.read(0, 1, 1, number % 16);
        chip.read(1, 1, 1, number % 16);
    }
    let counted = (chip.lower.counters.bypassed_fills, chip.uppers[0].counters.victims_given);
    assert_eq!(counted, (0, 0));
}

#[test]
fn an_instruction_whose_blocks_give_no_hits_bypasses_the_upper_cache_and_one_that_brings_hits_does_not() {
    let mut chip = Chip::new(true);
    // Instruction 1 streams shared data; instruction 2 brings lines that instruction 3 hits at once.
    for number in 0..2 * u64::from(PERIOD) {
        chip.read(0, 1, 1, 1000 + number);
        chip.read(1, 1, 1, 1000 + number);
        chip.read(0, 2, 2, number * 2);
        chip.read(0, 3, 2, number * 2);
    }
    let before = chip.uppers[0].counters.bypassed_fills;
    chip.read(0, 1, 1, 9000);
    assert!(!chip.above(0, 9000) && chip.uppers[0].counters.bypassed_fills == before + 1);
    chip.read(0, 2, 2, 9002);
    assert!(chip.above(0, 9002), "its blocks are hit, if by another instruction");
    chip.read(0, 4, 1, 9004);
    assert!(chip.above(0, 9004), "nothing is known of it");
    assert_eq!(chip.uppers[1].counters.accesses, chip.uppers[1].counters.read_misses, "core 1 streams alone");
}
