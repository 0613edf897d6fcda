//! The ledgers that are committed follow from the points that are committed with them.

use heddle_lab::claims::book::Book;
use heddle_lab::claims::ledger::{Committed, Heading, Verdict};
use heddle_lab::claims::recorded::{Recorded, families};
use heddle_lab::experiment::Experiment;
use heddle_lab::hash::Key;
use heddle_lab::record::{Record, SCHEMA};
use heddle_lab::scale::Scale;
use heddle_lab::simulate::{Build, Identity, Workbench};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn records() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../records")
}

/// Without the simulator, and without graphs.
fn bench() -> Workbench {
    Workbench::new(Build { version: "0".to_owned(), hash: "test".to_owned() }, 0)
}

/// Why a committed ledger does not follow from the points beside it, if it does not. A point whose machine or experiment
/// has changed since it ran counts as one that has not run; recording leaves it out.
fn contradiction(
    scale: Scale,
    committed: &Committed,
    text: &str,
    points: &Recorded,
    larger: &[Committed],
) -> Option<String> {
    let (book, bench) = (Book::built_in().unwrap(), bench());
    let anew = format!("`heddle claims --scale {scale} --no-run --record` writes it anew");
    let ours = points.judge(&book, &bench, scale, committed.heading.clone(), larger).unwrap().to_tsv();
    if let Some((ours, theirs)) = ours.lines().zip(text.lines()).find(|(ours, theirs)| ours != theirs) {
        return Some(format!("{scale}: {theirs}\nis, by the points that are recorded:\n{ours}\n{anew}"));
    }
    if ours.lines().count() != text.lines().count() {
        return Some(format!("{scale}: the ledger has not one line per claim; {anew}"));
    }
    if let Some(refuted) = points.refuted_causes(&book, &bench, scale).unwrap().first() {
        return Some(format!("{scale}: claims/causes.toml: {refuted}"));
    }
    match points.obsolete(&book, &bench, scale).unwrap().len() {
        0 => None,
        some => Some(format!("{scale}: no claim looks at {some} of its points any more; {anew}")),
    }
}

#[test]
fn every_committed_ledger_follows_from_its_points() {
    let mut larger: Vec<Committed> = Vec::new();
    let mut problems = Vec::new();
    for scale in Scale::ALL.into_iter().rev() {
        let folder = records().join(scale.name());
        let Ok(text) = std::fs::read_to_string(folder.join("ledger.tsv")) else { continue };
        let committed = Committed::parse("ledger.tsv", &text).unwrap();
        let points = Recorded::read(&folder.join("points.jsonl.gz")).unwrap();
        problems.extend(contradiction(scale, &committed, &text, &points, &larger));
        larger.push(committed);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A ledger of points of which one is of a machine that has changed since: its claims are incomplete until it runs again,
/// and a ledger that says otherwise is found out.
#[test]
fn a_point_of_a_machine_that_changed_makes_its_claims_incomplete() {
    let (book, bench, scale) = (Book::built_in().unwrap(), bench(), Scale::Quick);
    let heading = Heading { command: String::new(), version: "0".to_owned(), date: "2026-01-31".to_owned() };
    let occupancy = |is_changed: bool| {
        let mut points = Recorded::default();
        for point in Experiment::named("occupancy", Some(scale)).unwrap().points {
            let ran = bench.run(&point, &Default::default(), &|| false).unwrap();
            let Identity { key, made } = bench.identify(&point, &|| false).unwrap();
            let is_older = (&*point.labels["workload"], &*point.labels["label"]) == ("bfs-swp", "ours");
            let key = if is_changed && is_older { Key::of("of an older machine") } else { key };
            points.insert(Record { schema: SCHEMA, key, labels: point.labels, made, outcome: ran.outcome });
        }
        points
    };
    let judged = |points: &Recorded| {
        let text = points.judge(&book, &bench, scale, heading.clone(), &[]).unwrap().to_tsv();
        let committed = Committed::parse("ledger.tsv", &text).unwrap();
        (text, committed)
    };
    let points = occupancy(false);
    let (text, committed) = judged(&points);
    assert_eq!(contradiction(scale, &committed, &text, &points, &[]), None);
    let changed = occupancy(true);
    let (anew, incomplete) = judged(&changed);
    let regs = |ledger: &Committed| ledger.verdicts["ch5-regs"].0;
    assert_eq!((regs(&committed), regs(&incomplete)), (Verdict::DoesNotAgree, Verdict::Incomplete));
    let told = contradiction(scale, &committed, &text, &changed, &[]).unwrap();
    assert!(told.contains("ch5-regs") && told.contains("--scale quick --no-run --record"), "{told}");
    let told = contradiction(scale, &incomplete, &anew, &changed, &[]).unwrap();
    assert!(told.contains("no claim looks at 1 of its points"), "{told}");
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
