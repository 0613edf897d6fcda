//! The ledgers that are committed follow from the points that are committed with them.

use heddle_lab::claims::book::Book;
use heddle_lab::claims::ledger::Committed;
use heddle_lab::claims::recorded::{Recorded, families};
use heddle_lab::scale::Scale;
use heddle_lab::simulate::{Build, Workbench};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

fn records() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../records")
}

/// A machine that changes makes the points of before those of another machine: until they are recorded anew there is
/// nothing that a ledger could be compared with.
fn tell_skipped(scale: Scale, obsolete: usize) {
    let line = format!(
        "SKIPPED every_committed_ledger_follows_from_its_points: {obsolete} points of {scale} are of a machine or an \
         experiment that has changed since; record the scale again\n"
    );
    std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written to");
}

#[test]
fn every_committed_ledger_follows_from_its_points() {
    let book = Book::built_in().unwrap();
    let bench = Workbench::new(Build { version: "0".to_owned(), hash: "test".to_owned() }, 0);
    let mut larger: Vec<Committed> = Vec::new();
    for scale in Scale::ALL.into_iter().rev() {
        let folder = records().join(scale.name());
        let Ok(text) = std::fs::read_to_string(folder.join("ledger.tsv")) else { continue };
        let committed = Committed::parse("ledger.tsv", &text).unwrap();
        let points = Recorded::read(&folder.join("points.jsonl.gz")).unwrap();
        let obsolete = points.obsolete(&book, &bench, scale).unwrap().len();
        match obsolete {
            0 => {
                let ledger = points.judge(&book, &bench, scale, committed.heading.clone(), &larger).unwrap();
                let (ours, theirs) = (ledger.to_tsv(), text);
                for (ours, theirs) in ours.lines().zip(theirs.lines()) {
                    assert_eq!(
                        ours, theirs,
                        "{scale}: `heddle claims --scale {scale} --no-run --record` writes it anew"
                    );
                }
                assert_eq!(ours.lines().count(), theirs.lines().count(), "{scale}");
            }
            some => tell_skipped(scale, some),
        }
        larger.push(committed);
    }
}

#[test]
fn builds_that_were_compared_with_one_another_are_a_family() {
    let set = |names: &[&str]| -> BTreeSet<String> { names.iter().map(ToString::to_string).collect() };
    let alike = [set(&["a", "x"]), set(&["c", "d"]), set(&["x", "b"])];
    let mut found = families(set(&["a", "b", "c", "e"]), &alike);
    found.sort();
    assert_eq!(found, [set(&["a", "b"]), set(&["c"]), set(&["e"])]);
    assert_eq!(families(BTreeSet::new(), &alike), Vec::<BTreeSet<String>>::new());
}
