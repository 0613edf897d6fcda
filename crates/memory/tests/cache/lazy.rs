//! Writes that allocate lazily, one claim each.

use super::common::*;
use heddle_memory::cache::*;
use heddle_memory::request::*;

fn lazy() -> CacheSpec {
    CacheSpec {
        write_hit: WriteHit::Back,
        write_miss: WriteMiss::AllocateLazily,
        granularity: GranularityKind::Sector,
        ..spec()
    }
}

fn written(effects: &Effects) -> Vec<(LineAddress, Sectors, Sectors)> {
    effects.writebacks.iter().map(|gone| (gone.line, gone.sectors, gone.dirty)).collect()
}

#[test]
fn a_write_that_misses_fetches_nothing_and_is_written_back_as_it_is() {
    for allocate in [Allocate::OnMiss, Allocate::OnFill] {
        let mut effects = Effects::default();
        let mut cache = cache(&CacheSpec { allocate, ..lazy() });
        assert_eq!(cache.access(&write(0, 0x0000_ff01, 0), &mut effects), Outcome::Hit);
        assert_eq!(cache.probe(line(0)), Sectors(0b0010), "the first sector is there in part");
        assert_eq!((cache.outstanding(), cache.counters.sectors_fetched), (0, 0));
        for number in [2, 4] {
            serve(&mut cache, read(number, 0), &mut effects);
        }
        assert_eq!(written(&effects), [(line(0), Sectors(0b0010), Sectors(0b0011))]);
        assert_eq!((cache.counters.write_misses, cache.counters.sectors_used), (1, 2));
    }
}

#[test]
fn writes_into_a_sector_written_in_part_hit_and_the_last_word_makes_it_readable() {
    let mut effects = Effects::default();
    let mut cache = cache(&lazy());
    for word in 0..8 {
        assert_eq!(cache.probe(line(0)), Sectors::NONE);
        assert_eq!(cache.access(&write(0, 1 << word, 0), &mut effects), Outcome::Hit);
    }
    assert_eq!(cache.access(&read(0, 1), &mut effects), Outcome::Hit);
    let counted = &cache.counters;
    assert_eq!((counted.write_misses, counted.write_hits, counted.sector_misses), (1, 7, 0));
    assert_eq!(cache.access(&write(0, 0x100, 0), &mut effects), Outcome::Hit);
    assert_eq!(cache.counters.sector_misses, 1, "nothing of the second sector was there");
}

#[test]
fn a_read_or_an_atomic_of_a_sector_written_in_part_fetches_it_and_leaves_it_dirty() {
    for access in [Access::Read, Access::Atomic] {
        let mut effects = Effects::default();
        let mut cache = cache(&lazy()).performing_atomics();
        cache.access(&write(0, 0x0000_0101, 0), &mut effects);
        let Outcome::Miss(fetch) = cache.access(&request(access, 0, 1, 7), &mut effects) else {
            panic!("seven words of the sector are not there");
        };
        assert_eq!(fetch.sectors, Sectors(0b0001));
        cache.fill(line(0), fetch.sectors, Answerer::MEMORY, 0, &mut effects);
        assert_eq!(effects.released, [Token(7)]);
        assert_eq!(cache.access(&request(access, 0, 2, 8), &mut effects), Outcome::Hit);
        assert_eq!(cache.counters.sector_misses, 1);
        cache.invalidate_all(&mut effects);
        assert_eq!(written(&effects), [(line(0), Sectors(0b0001), Sectors(0b0011))]);
    }
}

#[test]
fn a_write_finds_no_place_among_reserved_ways() {
    let mut effects = Effects::default();
    let mut cache = cache(&CacheSpec { allocate: Allocate::OnMiss, ..lazy() });
    for number in [0, 2] {
        assert!(matches!(cache.access(&read(number, 0), &mut effects), Outcome::Miss(_)));
    }
    assert_eq!(cache.access(&write(4, 1, 0), &mut effects), Outcome::Blocked(Blocked::Ways));
    assert_eq!(cache.access(&write(2, 2, 0), &mut effects), Outcome::Hit, "the line has a place");
    cache.fill(line(2), Sectors(1), Answerer::MEMORY, 0, &mut effects);
    assert_eq!((cache.probe(line(2)), cache.invalidate(line(2), &mut effects)), (Sectors(1), Sectors(1)));
}

#[test]
fn a_line_keeps_its_words_in_the_victim_cache() {
    let mut effects = Effects::default();
    let mut cache = cache(&CacheSpec { victim_lines: 1, ..lazy() });
    cache.access(&write(0, 0x7f, 0), &mut effects);
    for number in [2, 4] {
        serve(&mut cache, read(number, 0), &mut effects);
    }
    assert_eq!(cache.access(&write(0, 0x80, 0), &mut effects), Outcome::Hit);
    assert_eq!((cache.probe(line(0)), cache.counters.victim_hits), (Sectors(1), 1));
}

#[test]
fn under_exclusion_what_was_written_in_part_is_written_below_by_the_read() {
    let mut effects = Effects::default();
    let mut cache = cache(&CacheSpec { inclusion: InclusionKind::Exclusive, ..lazy() });
    cache.access(&write(0, 0x0000_0101, 0), &mut effects);
    assert!(matches!(serve(&mut cache, read(0, 1), &mut effects), Outcome::Miss(_)));
    assert_eq!(written(&effects), [(line(0), Sectors(1), Sectors(1))]);
    cache.access(&write(0, 0xfe, 0), &mut effects);
    assert_eq!(cache.probe(line(0)), Sectors::NONE, "the first word is below");
    assert_eq!(cache.invalidate(line(0), &mut effects), Sectors(0b0011));
}

#[test]
fn a_victim_is_given_without_what_was_written_in_part() {
    let mut effects = Effects::default();
    let mut cache = cache(&lazy()).above(InclusionKind::Exclusive, &PolicySpec::default());
    cache.access(&write(0, 0x0000_ff01, 0), &mut effects);
    for number in [2, 4] {
        serve(&mut cache, read(number, 0), &mut effects);
    }
    let given: Vec<_> = effects.victims.iter().map(|gone| (gone.line, gone.sectors, gone.dirty)).collect();
    assert_eq!(given, [(line(0), Sectors(0b0010), Sectors(0b0010))]);
    assert_eq!(written(&effects), [(line(0), Sectors(0b0010), Sectors(0b0001))]);
}
