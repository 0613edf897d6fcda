//! The stream prefetcher, read by read.

use super::super::super::context::read_at;
use super::*;
use crate::ids::{CoreId, WarpId};
use heddle_engine::Random;

fn stream(spec: StreamSpec) -> Stream {
    Stream::new(&spec, 0)
}

/// What a read of the line with this number by a warp makes it wish for, in numbers of lines.
fn wishes_of(stream: &mut Stream, warp: u16, number: u64) -> Vec<u64> {
    let warp = WarpId(warp);
    let mut wished = Vec::new();
    let read = Visit { warp, ..read_at(number * 128) };
    stream.observe(&read, &mut CoreTables::default(), |wish| wished.push(wish.address.0 / 128));
    wished
}

fn wishes(stream: &mut Stream, number: u64) -> Vec<u64> {
    wishes_of(stream, 0, number)
}

#[test]
fn two_more_reads_in_one_direction_train_an_entry_and_the_second_fetches() {
    let mut up = stream(StreamSpec::default());
    assert!(wishes(&mut up, 100).is_empty());
    assert!(wishes(&mut up, 103).is_empty());
    assert_eq!(wishes(&mut up, 104), [105, 106], "the region is 100 to 104");
    assert_eq!(wishes(&mut up, 105), [107, 108]);
    assert_eq!(wishes(&mut up, 101), [109, 110], "anywhere in the region");
    let mut down = stream(StreamSpec::default());
    assert!(wishes(&mut down, 100).is_empty());
    assert!(wishes(&mut down, 98).is_empty());
    assert_eq!(wishes(&mut down, 97), [96, 95]);
    assert_eq!(wishes(&mut down, 95), [94, 93]);
}

#[test]
fn the_region_grows_to_the_distance_and_then_its_start_follows() {
    let mut up = stream(StreamSpec { distance: 6, ..StreamSpec::default() });
    for number in [10, 11] {
        assert!(wishes(&mut up, number).is_empty());
    }
    assert_eq!(wishes(&mut up, 12), [13, 14], "10 to 14");
    assert_eq!(wishes(&mut up, 12), [15, 16], "10 to 16");
    assert_eq!(wishes(&mut up, 12), [17, 18], "12 to 18");
    assert!(wishes(&mut up, 11).is_empty(), "which is outside now, and trains another");
    assert_eq!(wishes(&mut up, 12), [19, 20], "14 to 20");
    assert!(wishes(&mut up, 13).is_empty());
}

#[test]
fn a_read_against_the_direction_begins_the_training_again() {
    let mut both = stream(StreamSpec::default());
    for number in [50, 52, 51] {
        assert!(wishes(&mut both, number).is_empty(), "{number}");
    }
    assert!(wishes(&mut both, 50).is_empty(), "the first of a new direction");
    assert_eq!(wishes(&mut both, 49), [48, 47], "51, 50, 49");
}

#[test]
fn a_line_that_is_read_again_at_once_tells_nothing() {
    let mut up = stream(StreamSpec::default());
    for number in [8, 8, 8, 9, 9, 9] {
        assert!(wishes(&mut up, number).is_empty(), "{number}");
    }
    assert_eq!(wishes(&mut up, 10), [11, 12]);
}

#[test]
fn reads_beyond_the_window_train_entries_of_their_own() {
    let mut far = stream(StreamSpec { window: 4, ..StreamSpec::default() });
    for number in [100, 110, 120, 130] {
        assert!(wishes(&mut far, number).is_empty(), "{number}");
    }
    assert!(wishes(&mut far, 101).is_empty());
    assert_eq!(wishes(&mut far, 102), [103, 104], "100, 101, 102, whatever came between");
}

#[test]
fn warps_and_cores_are_followed_apart_unless_they_are_not() {
    let mut apart = stream(StreamSpec::default());
    let mut together = stream(StreamSpec { by_warp: false, ..StreamSpec::default() });
    for (warp, number) in [(0, 20), (1, 21), (2, 22)] {
        assert!(wishes_of(&mut apart, warp, number).is_empty());
        let wished = wishes_of(&mut together, warp, number);
        assert_eq!(wished, if warp == 2 { vec![23, 24] } else { Vec::new() });
    }
    let on = |core| Visit { core: CoreId(core), ..read_at(21 * 128) };
    apart.observe(&on(1), &mut CoreTables::default(), |_| panic!("another core's first read"));
    assert!(wishes_of(&mut apart, 0, 21).is_empty());
    assert_eq!(wishes_of(&mut apart, 0, 22), [23, 24]);
}

#[test]
fn the_least_recently_used_entry_is_replaced() {
    let mut two = stream(StreamSpec { entries: 2, ..StreamSpec::default() });
    for number in [100, 101, 200, 201] {
        assert!(wishes(&mut two, number).is_empty());
    }
    assert_eq!(wishes(&mut two, 102), [103, 104], "100 is the newer one now");
    assert!(wishes(&mut two, 300).is_empty(), "and 200 makes room");
    assert!(wishes(&mut two, 202).is_empty(), "which is forgotten, as is 100 from here on");
    assert!(wishes(&mut two, 103).is_empty());
}

#[test]
fn nothing_is_fetched_below_the_first_line() {
    let mut down = stream(StreamSpec { degree: 4, ..StreamSpec::default() });
    for number in [4, 3] {
        assert!(wishes(&mut down, number).is_empty());
    }
    assert_eq!(wishes(&mut down, 2), [1, 0]);
    assert!(wishes(&mut down, 1).is_empty());
}

/// The same by a list that is searched from end to end.
#[test]
fn lists_of_owners_find_what_a_search_of_all_entries_finds() {
    let spec = StreamSpec { entries: 16, window: 3, ..StreamSpec::default() };
    let mut fast = stream(spec.clone());
    // All owners in one list.
    let mut slow = Stream { heads: vec![NONE], ..stream(spec) };
    let mut random = Random::new(5);
    let mut bits =
        |count: u32| (0..count).fold(0, |bits, _| bits << 1 | u64::from(random.one_in_power_of_two(1)));
    let mut wished = 0;
    for _ in 0..20_000 {
        let (warp, number) = (bits(2) as u16, bits(5));
        let ours = wishes_of(&mut fast, warp, number);
        assert_eq!(ours, wishes_of(&mut slow, warp, number));
        wished += ours.len();
    }
    assert!(wished > 1000, "{wished}");
}

#[test]
fn the_cost_is_that_of_the_entries() {
    let storage = Storage { lines: 384, line_bytes: 128, sectors_per_line: 1, cores: 16 };
    let entry = 2 * 33 + 2 + 2 + 1 + 16 + 9;
    assert_eq!(stream(StreamSpec::default()).bits(&storage), 512 * entry + 384);
}
