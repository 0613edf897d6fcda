//! Records in one file.

use super::fake::{Fake, assert_clean, assert_same, files};
use heddle_lab::record::Record;
use heddle_lab::store::{Found, Store, Unpacked, pack, unpack};
use std::fs;
use std::path::Path;

/// The finished points of a store.
fn records(folder: &Path) -> Vec<Record> {
    let store = Store::open(folder).unwrap();
    let find = |key| match store.find(&key).unwrap() {
        Found::Done(record) => Some(*record),
        _ => None,
    };
    store.keys().unwrap().into_iter().filter_map(find).collect()
}

/// What is told where so many are new and so many known.
fn told(new: usize, known: usize) -> Unpacked {
    Unpacked { new, known, ..Unpacked::default() }
}

#[test]
fn packed_records_are_the_same_bytes_and_resume_elsewhere() {
    let (fake, outer) = (Fake::default(), tempfile::tempdir().unwrap());
    let (one, two) = (outer.path().join("one"), outer.path().join("two"));
    Fake { points: 7, ..fake.clone() }.run(&one).0.unwrap();
    let (file, again) = (outer.path().join("records.gz"), outer.path().join("again.gz"));
    let mut order = records(&one);
    assert_eq!(pack(&order, &file).unwrap(), 7);
    order.reverse();
    pack(&order, &again).unwrap();
    let bytes = fs::read(&file).unwrap();
    assert_eq!(bytes, fs::read(&again).unwrap());
    assert_eq!(bytes[4..8], [0; 4], "no time of modification");
    let other = Store::create(&two).unwrap();
    assert_eq!(unpack(&file, &other, "build-a", false).unwrap(), told(7, 0));
    assert_eq!(unpack(&file, &other, "build-a", false).unwrap(), told(0, 7));
    assert_same(&files(&two, "points"), &files(&one, "points"));
    assert_clean(&two);
    assert_eq!(fake.run(&two).0.unwrap().ran, 5);
    assert_same(&files(&two, "points"), &fake.expected());
}

#[test]
fn unpacking_replaces_nothing_that_differs_and_writes_nothing_then() {
    let (fake, outer) = (Fake::default(), tempfile::tempdir().unwrap());
    let (one, two) = (outer.path().join("one"), outer.path().join("two"));
    fake.run(&one).0.unwrap();
    Fake { points: 1, shift: 3, ..fake.clone() }.run(&two).0.unwrap();
    let file = outer.path().join("records.gz");
    pack(&records(&one), &file).unwrap();
    let before = files(&two, "points");
    let error = unpack(&file, &Store::open(&two).unwrap(), "build-a", false).unwrap_err();
    assert!(error.to_string().contains("has other figures"), "{error}");
    assert_same(&files(&two, "points"), &before);
    let bytes = fs::read(&file).unwrap();
    for damaged in [&bytes[..bytes.len() / 2], b"no gzip", &[]] {
        fs::write(&file, damaged).unwrap();
        let empty = Store::create(&outer.path().join("three")).unwrap();
        let error = unpack(&file, &empty, "build-a", false).unwrap_err();
        assert_eq!(empty.keys().unwrap(), []);
        assert!(error.to_string().contains("cut off, or no packed records"), "{error}");
    }
    assert_same(&files(&two, "points"), &before);
}

/// A store in which a new build has begun to run everything again goes on, with or without the option that began it.
#[test]
fn what_a_build_ran_again_is_not_mixed_with_what_others_packed() {
    let outer = tempfile::tempdir().unwrap();
    let (one, two) = (outer.path().join("one"), outer.path().join("two"));
    let old = Fake { build: "old".to_owned(), micros: 0, ..Fake::default() };
    old.run(&one).0.unwrap();
    let file = outer.path().join("records.gz");
    pack(&records(&one), &file).unwrap();
    let store = Store::create(&two).unwrap();
    // All are to be run again: nothing of the old build comes in.
    let unpacked = unpack(&file, &store, "new", true).unwrap();
    assert_eq!((unpacked.new, unpacked.left_out), (0, ["old".to_owned()].into()));
    let new = Fake { build: "new".to_owned(), shift: 3, points: 5, ..old.clone() };
    new.run(&two).0.unwrap();
    for replaced in [true, false] {
        let unpacked = unpack(&file, &store, "new", replaced).unwrap();
        assert_eq!((unpacked.new, unpacked.left_out), (0, ["old".to_owned()].into()), "{replaced}");
    }
    let new = Fake { points: 12, ..new };
    assert_eq!(new.run(&two).0.unwrap().ran, 7);
    assert_same(&files(&two, "points"), &new.expected());
    // A third build knows nothing of either.
    assert!(unpack(&file, &store, "third", false).is_err());
}
