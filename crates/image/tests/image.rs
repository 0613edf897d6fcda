//! Accesses are granted exactly where an allocation is, and refused with the allocation that was missed.

use heddle_image::{AccessError, AllocationError, FIRST_ADDRESS, Hint, Image, Miss, RegionId, RegionKind};
use proptest::prelude::*;

fn image() -> Image {
    Image::new(1 << 20)
}

#[test]
fn a_store_is_read_back_and_counts_as_a_change_only_if_it_changes_something() {
    let mut image = image();
    let id = image.allocate("a", 64, RegionKind::Buffer).unwrap();
    let start = image.region(id).start();
    let mut hint = Hint::default();
    let before = image.changes();
    image.store(start + 8, &7u32.to_le_bytes(), &mut hint).unwrap();
    assert_eq!(image.changes(), before + 1);
    image.store(start + 8, &7u32.to_le_bytes(), &mut hint).unwrap();
    assert_eq!(image.changes(), before + 1);
    assert_eq!(image.read(start + 8, 4, &mut hint).unwrap(), 7u32.to_le_bytes());
    assert_eq!(hint.region(), id);
}

/// It is a hint to the host: wherever it points, nothing is read, written, counted or refused.
#[test]
fn fetching_ahead_changes_nothing_wherever_it_points() {
    let mut image = image();
    let id = image.allocate("a", 256, RegionKind::Buffer).unwrap();
    let freed = image.allocate("b", 256, RegionKind::Buffer).unwrap();
    image.free(freed);
    let mut hint = Hint::default();
    let start = image.region(id).start();
    image.store(start + 252, &7u32.to_le_bytes(), &mut hint).unwrap();
    let before = (image.changes(), image.uninitialised_reads(), image.contents(id).to_vec());
    for (first, last) in [(start, start + 252), (start + 255, start + 4096), (0, u64::MAX), (u64::MAX, 0)] {
        for id in [id, freed, RegionId(77)] {
            image.fetch_ahead(id, first, last);
        }
    }
    assert_eq!((image.changes(), image.uninitialised_reads(), image.contents(id).to_vec()), before);
}

#[test]
fn regions_do_not_touch() {
    let mut image = image();
    let a = image.allocate("a", 512, RegionKind::Buffer).unwrap();
    let b = image.allocate("b", 1, RegionKind::Buffer).unwrap();
    assert_eq!(image.region(a).start(), FIRST_ADDRESS);
    assert!(image.region(b).start() > image.region(a).start() + 512);
    assert!(image.region(b).start().is_multiple_of(512));
}

#[test]
fn an_access_past_the_end_names_the_allocation_and_the_distance() {
    let mut image = image();
    let id = image.allocate("edges", 100, RegionKind::Buffer).unwrap();
    let start = image.region(id).start();
    let error = image.read(start + 100, 4, &mut Hint::default()).unwrap_err();
    let miss = Miss::Past { name: "edges".into(), length: 100, past: 4 };
    assert_eq!(error, AccessError::OutOfBounds { address: start + 100, bytes: 4, miss });
    assert!(error.to_string().contains("4 bytes past the end of 'edges' (100 bytes)"));
}

#[test]
fn a_null_pointer_is_called_one() {
    let mut image = image();
    image.allocate("a", 8, RegionKind::Buffer).unwrap();
    let error = image.read(16, 4, &mut Hint::default()).unwrap_err();
    assert!(matches!(error, AccessError::OutOfBounds { miss: Miss::Null, .. }));
}

#[test]
fn an_access_that_straddles_two_regions_is_refused() {
    let mut image = image();
    let id = image.allocate("a", 6, RegionKind::Buffer).unwrap();
    let start = image.region(id).start();
    assert!(image.read(start + 4, 4, &mut Hint::default()).is_err());
    assert!(image.read(start + 4, 2, &mut Hint::default()).is_ok());
}

#[test]
fn misaligned_and_constant_and_freed_are_told_apart() {
    let mut image = image();
    let buffer = image.allocate("b", 64, RegionKind::Buffer).unwrap();
    let constant = image.allocate("c", 64, RegionKind::Constant).unwrap();
    let (b, c) = (image.region(buffer).start(), image.region(constant).start());
    let mut hint = Hint::default();
    assert_eq!(
        image.read(b + 2, 4, &mut hint).unwrap_err(),
        AccessError::Misaligned { address: b + 2, bytes: 4 }
    );
    let error = image.store(c, &[1], &mut hint).unwrap_err();
    assert_eq!(error, AccessError::ReadOnly { address: c, name: "c".into() });
    image.free(buffer);
    let error = image.read(b, 4, &mut hint).unwrap_err();
    assert!(matches!(error, AccessError::OutOfBounds { miss: Miss::Freed { .. }, .. }), "{error}");
}

#[test]
fn more_than_the_limit_is_refused_and_freeing_makes_room() {
    let mut image = image();
    let id = image.allocate("a", 1 << 19, RegionKind::Buffer).unwrap();
    let error = image.allocate("b", 1 << 20, RegionKind::Buffer).unwrap_err();
    let AllocationError::OutOfMemory { name, free, .. } = error else { panic!("{error}") };
    assert_eq!((name.as_str(), free), ("b", 1 << 19));
    image.free(id);
    image.allocate("b", 1 << 20, RegionKind::Buffer).unwrap();
}

#[test]
fn reads_before_any_write_are_counted() {
    let mut image = image();
    let id = image.allocate("a", 16, RegionKind::Buffer).unwrap();
    let start = image.region(id).start();
    let mut hint = Hint::default();
    image.read(start, 4, &mut hint).unwrap();
    assert_eq!(image.uninitialised_reads(), 1);
    image.store(start, &[0; 4], &mut hint).unwrap();
    image.read(start, 4, &mut hint).unwrap();
    assert_eq!(image.uninitialised_reads(), 1);
    assert!(image.write(id, 0, &[0; 16]));
    image.read(start + 8, 8, &mut hint).unwrap();
    assert_eq!(image.uninitialised_reads(), 1);
}

proptest! {
    #[test]
    fn an_access_is_granted_exactly_if_its_bytes_are_in_one_region(
        lengths in prop::collection::vec(0u64..2000, 1..8),
        accesses in prop::collection::vec((0u64..20_000, 0u32..4), 1..40),
    ) {
        let mut image = image();
        for (number, &length) in lengths.iter().enumerate() {
            image.allocate(&number.to_string(), length, RegionKind::Buffer).unwrap();
        }
        let mut hint = Hint::default();
        for (offset, log) in accesses {
            let bytes = 1u64 << log;
            let address = (FIRST_ADDRESS + offset) & !(bytes - 1);
            let inside = |region: &heddle_image::Region| {
                region.start() <= address && address + bytes <= region.start() + region.length()
            };
            let expected = image.regions().iter().any(inside);
            prop_assert_eq!(image.read(address, bytes, &mut hint).is_ok(), expected);
        }
    }
}

#[test]
fn small_allocations_take_whole_units_of_the_memory() {
    let mut image = Image::new(4096);
    let ids: Vec<_> = (0..8).map(|_| image.allocate("one", 1, RegionKind::Buffer).unwrap()).collect();
    assert!(image.allocate("one", 1, RegionKind::Buffer).is_err(), "8 units of 512 bytes are taken");
    image.free(ids[3]);
    assert_eq!(image.free_bytes(), 512);
}

#[test]
fn what_was_freed_is_there_for_accesses_that_began_before() {
    let mut image = Image::new(1 << 20);
    let id = image.allocate("old", 64, RegionKind::Buffer).unwrap();
    let start = image.region(id).start();
    let mut hint = Hint::default();
    image.store(start, &[7; 4], &mut hint).unwrap();
    image.retire(id);
    assert!(image.refuse_retired(start, 4).unwrap_err().to_string().contains("which was freed"));
    assert_eq!(image.read(start, 4, &mut hint).unwrap(), [7; 4]);
    image.release_retired(|region| region.start() == start);
    assert_eq!(image.read(start, 4, &mut hint).unwrap(), [7; 4], "something still needs it");
    image.release_retired(|_| false);
    assert!(image.read(start, 4, &mut hint).is_err());
    assert_eq!(image.free_bytes(), 1 << 20);
}
