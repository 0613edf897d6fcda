//! The rules of a cache, one claim each.

use crate::common::*;
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
    cache.fill(line(1), fetch.sectors, Level::L2, &mut effects);
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
