//! Records in one file.

use super::fake::{Fake, assert_clean, assert_same, files};
use heddle_lab::hash::Key;
use heddle_lab::store::{Store, Unpacked, pack, unpack};
use std::fs;

fn keys(fake: &Fake) -> Vec<Key> {
    fake.tasks().into_iter().map(|task| task.key).collect()
}

#[test]
fn packed_records_are_the_same_bytes_and_resume_elsewhere() {
    let (fake, outer) = (Fake::default(), tempfile::tempdir().unwrap());
    let (one, two) = (outer.path().join("one"), outer.path().join("two"));
    Fake { points: 7, ..fake.clone() }.run(&one).0.unwrap();
    let (file, again) = (outer.path().join("records.gz"), outer.path().join("again.gz"));
    let store = Store::open(&one).unwrap();
    let mut order = keys(&fake);
    assert_eq!(pack(&store, &order, &file).unwrap(), 7);
    order.reverse();
    pack(&store, &order, &again).unwrap();
    let bytes = fs::read(&file).unwrap();
    assert_eq!(bytes, fs::read(&again).unwrap());
    assert_eq!(bytes[4..8], [0; 4], "no time of modification");
    let other = Store::create(&two).unwrap();
    assert_eq!(unpack(&file, &other).unwrap(), Unpacked { new: 7, known: 0 });
    assert_eq!(unpack(&file, &other).unwrap(), Unpacked { new: 0, known: 7 });
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
    pack(&Store::open(&one).unwrap(), &keys(&fake), &file).unwrap();
    let before = files(&two, "points");
    let error = unpack(&file, &Store::open(&two).unwrap()).unwrap_err();
    assert!(error.to_string().contains("has other figures"), "{error}");
    assert_same(&files(&two, "points"), &before);
    let bytes = fs::read(&file).unwrap();
    for damaged in [&bytes[..bytes.len() / 2], b"no gzip", &[]] {
        fs::write(&file, damaged).unwrap();
        let empty = Store::create(&outer.path().join("three")).unwrap();
        let error = unpack(&file, &empty).unwrap_err();
        assert_eq!(empty.keys().unwrap(), []);
        assert!(error.to_string().contains("cut off, or no packed records"), "{error}");
    }
    assert_same(&files(&two, "points"), &before);
}
