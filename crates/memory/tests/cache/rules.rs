//! The rules of a cache, one claim each.

use super::common::*;
use heddle_memory::SliceId;
use heddle_memory::cache::*;
use heddle_memory::request::*;

#[test]
fn a_read_misses_once_and_then_hits() {
    let mut cache = cache(&spec());
    let mut effects = Effects::default();
    let Outcome::Miss(fetch) = cache.access(&read(1, 7), &mut effects) else {
        panic!("the cache was empty");
    };
    assert_eq!((fetch.line, fetch.sectors), (line(1), Sectors(0b1111)));
    assert_eq!(cache.access(&read(1, 8), &mut effects), Outcome::Merged);
    assert_eq!(cache.outstanding(), 1);
    cache.fill(line(1), fetch.sectors, Answerer::shared(0), 0, &mut effects);
    assert_eq!(effects.released, [Token(7), Token(8)]);
    assert_eq!(cache.outstanding(), 0);
    assert_eq!(cache.access(&read(1, 9), &mut effects), Outcome::Hit);
    let counted = &cache.counters;
    assert_eq!((counted.reads, counted.read_hits, counted.read_misses, counted.merges), (3, 1, 1, 1));
}

#[test]
fn a_write_under_eviction_takes_its_line_away_and_goes_below() {
    let mut cache = cache(&spec());
    let mut effects = Effects::default();
    serve(&mut cache, read(1, 0), &mut effects);
    assert_eq!(cache.access(&write(1, 1, 1), &mut effects), Outcome::Below);
    assert_eq!(cache.probe(line(1)), Sectors::NONE);
    assert!(effects.writebacks.is_empty() && effects.victims.is_empty());
}

#[test]
fn atomics_pass_above_their_point_of_ownership_and_are_performed_there() {
    let mut effects = Effects::default();
    let mut upper = cache(&spec());
    serve(&mut upper, read(1, 0), &mut effects);
    assert_eq!(upper.access(&atomic(1, 1), &mut effects), Outcome::Below);
    assert_eq!(upper.probe(line(1)), Sectors::NONE);
    let mut lower = cache(&spec()).performing_atomics();
    assert!(matches!(serve(&mut lower, atomic(1, 2), &mut effects), Outcome::Miss(_)));
    assert_eq!(lower.access(&atomic(1, 3), &mut effects), Outcome::Hit);
    lower.invalidate_all(&mut effects);
    assert_eq!(effects.writebacks.len(), 1);
    assert_eq!(effects.writebacks[0].dirty, Sectors(1));
}

#[test]
fn the_least_recently_used_leaves_or_the_first_that_came() {
    let mut effects = Effects::default();
    for (replacement, leaves) in [(ReplacementKind::Lru, 2), (ReplacementKind::Fifo, 0)] {
        let mut cache = cache(&CacheSpec { replacement, ..spec() });
        for number in [0, 2, 0, 4] {
            serve(&mut cache, read(number, 0), &mut effects);
        }
        let gone: Vec<u64> = (0..6).step_by(2).filter(|&n| cache.probe(line(n)).is_empty()).collect();
        assert_eq!(gone, [leaves]);
    }
}

#[test]
fn allocation_on_a_miss_reserves_ways_and_on_a_fill_does_not() {
    let mut effects = Effects::default();
    let mut on_miss = cache(&CacheSpec { allocate: Allocate::OnMiss, ..spec() });
    let mut on_fill = cache(&spec());
    for cache in [&mut on_miss, &mut on_fill] {
        for number in [0, 2] {
            assert!(matches!(cache.access(&read(number, 0), &mut effects), Outcome::Miss(_)));
        }
    }
    assert_eq!(on_miss.access(&read(4, 0), &mut effects), Outcome::Blocked(Blocked::Ways));
    assert!(matches!(on_fill.access(&read(4, 0), &mut effects), Outcome::Miss(_)));
    on_miss.fill(line(2), Sectors(0b1111), Answerer::MEMORY, 0, &mut effects);
    assert!(matches!(on_miss.access(&read(4, 0), &mut effects), Outcome::Miss(_)));
    assert_eq!((on_miss.counters.blocked_ways, on_miss.counters.evictions), (1, 1));
}

#[test]
fn mshrs_and_merges_are_bounded() {
    let mut effects = Effects::default();
    let mut cache = cache(&CacheSpec { mshrs: 2, merges: 2, ..spec() });
    assert!(matches!(cache.access(&read(0, 0), &mut effects), Outcome::Miss(_)));
    assert_eq!(cache.access(&read(0, 1), &mut effects), Outcome::Merged);
    assert_eq!(cache.access(&read(0, 2), &mut effects), Outcome::Blocked(Blocked::Merges));
    assert!(matches!(cache.access(&read(1, 3), &mut effects), Outcome::Miss(_)));
    assert_eq!(cache.access(&read(2, 4), &mut effects), Outcome::Blocked(Blocked::Mshrs));
    cache.fill(line(0), Sectors(0b1111), Answerer::MEMORY, 0, &mut effects);
    assert_eq!(effects.released, [Token(0), Token(1)]);
    assert!(matches!(cache.access(&read(2, 4), &mut effects), Outcome::Miss(_)));
}

#[test]
fn a_request_is_released_when_the_last_of_its_sectors_arrives() {
    let mut effects = Effects::default();
    let mut cache = cache(&CacheSpec { granularity: GranularityKind::Sector, ..spec() });
    let wide = request(Access::Read, 0, 0x0000_ffff, 1);
    let Outcome::Miss(fetch) = cache.access(&wide, &mut effects) else { panic!("empty") };
    assert_eq!(fetch.sectors, Sectors(0b0011));
    let Outcome::Miss(more) = cache.access(&request(Access::Read, 0, 0x00ff_ff00, 2), &mut effects) else {
        panic!("sector 2 has not been asked for");
    };
    assert_eq!(more.sectors, Sectors(0b0100));
    cache.fill(line(0), Sectors(0b0010), Answerer::MEMORY, 0, &mut effects);
    assert!(effects.released.is_empty());
    cache.fill(line(0), Sectors(0b0100), Answerer::MEMORY, 0, &mut effects);
    assert_eq!(effects.released, [Token(2)]);
    cache.fill(line(0), Sectors(0b0001), Answerer::MEMORY, 0, &mut effects);
    assert_eq!(effects.released, [Token(2), Token(1)]);
    assert_eq!(cache.probe(line(0)), Sectors(0b0111));
}

#[test]
fn sectors_used_are_counted_when_the_line_leaves() {
    let mut effects = Effects::default();
    let mut cache = cache(&spec());
    serve(&mut cache, request(Access::Read, 0, 0x0000_0001, 0), &mut effects);
    serve(&mut cache, request(Access::Read, 0, 0x0100_0000, 0), &mut effects);
    for number in [2, 4] {
        serve(&mut cache, read(number, 0), &mut effects);
    }
    assert_eq!((cache.counters.lines_used_counted, cache.counters.sectors_used), (1, 2));
}

#[test]
fn a_write_back_fetches_only_the_sectors_that_it_covers_in_part() {
    let mut effects = Effects::default();
    let write_back = CacheSpec {
        write_hit: WriteHit::Back,
        write_miss: WriteMiss::Allocate,
        granularity: GranularityKind::Sector,
        ..spec()
    };
    let mut cache = cache(&write_back);
    assert_eq!(cache.access(&write(0, 0x0000_ff00, 0), &mut effects), Outcome::Hit);
    let Outcome::Miss(fetch) = cache.access(&write(2, 0x0001_ff00, 1), &mut effects) else {
        panic!("sector 2 is written in part");
    };
    assert_eq!(fetch.sectors, Sectors(0b0100));
    cache.fill(line(2), fetch.sectors, Answerer::MEMORY, 0, &mut effects);
    assert_eq!(effects.released, [Token(1)]);
    cache.invalidate_all(&mut effects);
    let written: Vec<_> = effects.writebacks.iter().map(|evicted| (evicted.line, evicted.dirty)).collect();
    assert_eq!(written, [(line(0), Sectors(0b0010)), (line(2), Sectors(0b0110))]);
    assert_eq!(cache.probe(line(0)), Sectors::NONE);
}

#[test]
fn local_memory_is_written_back_where_global_memory_is_evicted() {
    let mut effects = Effects::default();
    let mut cache = cache(&spec());
    serve(&mut cache, read(0, 0), &mut effects);
    let local = Request { path: Path::Local, ..write(0, 1, 1) };
    assert_eq!(cache.access(&local, &mut effects), Outcome::Hit);
    assert_eq!(cache.invalidate(line(0), &mut effects), Sectors(1));
    assert_eq!(cache.access(&local, &mut effects), Outcome::Below);
}

#[test]
fn a_hit_in_the_victim_cache_moves_the_line_back() {
    let mut effects = Effects::default();
    let mut cache = cache(&CacheSpec { victim_lines: 1, ..spec() });
    for number in [0, 2, 4] {
        serve(&mut cache, read(number, 0), &mut effects);
    }
    assert_eq!(cache.access(&read(0, 0), &mut effects), Outcome::Hit);
    assert_eq!(cache.counters.victim_hits, 1);
    // Line 2 went aside for it, and leaves when line 6 drives out line 4.
    assert_eq!(cache.access(&read(2, 0), &mut effects), Outcome::Hit);
    assert_eq!(cache.counters.victim_hits, 2);
    serve(&mut cache, read(6, 0), &mut effects);
    let here: Vec<u64> = (0..8).filter(|&n| !cache.probe(line(n)).is_empty()).collect();
    assert_eq!(here, [0, 2, 6]);
}

#[test]
fn victims_of_the_victim_cache_go_below_under_exclusion_but_not_what_a_store_evicts() {
    let mut effects = Effects::default();
    let mut cache = cache(&CacheSpec { victim_lines: 1, ..spec() })
        .above(InclusionKind::Exclusive, &PolicySpec::default());
    for number in [0, 2, 4] {
        serve(&mut cache, read(number, 0), &mut effects);
    }
    assert!(effects.victims.is_empty());
    cache.access(&write(0, 1, 0), &mut effects);
    cache.access(&write(4, 1, 0), &mut effects);
    assert!(effects.victims.is_empty());
    for number in [4, 6, 8] {
        serve(&mut cache, read(number, 0), &mut effects);
    }
    let given: Vec<_> = effects.victims.iter().map(|evicted| evicted.line).collect();
    assert_eq!(given, [line(2)]);
}

#[test]
fn slices_use_all_of_their_sets() {
    let wide = CacheSpec { size: heddle_engine::units::Bytes(128 * 64 * 2), ..spec() };
    let mut effects = Effects::default();
    let mut slice = cache(&wide).sliced(Slicing::new(6, 256), SliceId(2));
    let mine: Vec<u64> = (0..6 * 128).filter(|number| number / 2 % 6 == 2).collect();
    assert_eq!(mine.len(), 128);
    for &number in &mine {
        serve(&mut slice, read(number, 0), &mut effects);
    }
    assert!(mine.iter().all(|&number| !slice.probe(line(number)).is_empty()));
}
