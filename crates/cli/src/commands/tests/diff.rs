//! Differences between two stored results.

use super::{run, words};
use crate::difference::{Difference, compare};
use crate::result::Stored;
use crate::view;
use std::fs;
use std::path::Path;

fn stored(folder: &Path, options: &[&str]) -> Stored {
    run(&[&["--out", words(folder)], options].concat()).unwrap();
    Stored::read(folder).map_err(|failure| failure.words().to_owned()).unwrap()
}

fn difference(options: &[&str]) -> (Difference, String) {
    let folder = tempfile::tempdir().unwrap();
    let before = stored(&folder.path().join("a"), &[]);
    let after = stored(&folder.path().join("b"), options);
    let difference = compare(&before, &after);
    let page = view::diff::page(&difference, "a", "b", false);
    (difference, page)
}

#[test]
fn two_runs_of_one_thing_are_equal_whatever_the_host_did() {
    let (difference, page) = difference(&[]);
    assert!(difference.equal, "{page}");
    assert!(difference.stats.is_empty() && difference.figures.is_empty() && difference.setting.is_empty());
    assert!(difference.machine.is_empty() && difference.launches.is_empty() && difference.parts.is_empty());
}

#[test]
fn intervals_of_one_run_alone_are_said_and_change_no_verdict() {
    let (only_after, page) = difference(&["--interval", "1000"]);
    assert!(only_after.equal && only_after.parts.is_empty(), "{page}");
    assert_eq!(only_after.notes, ["intervals are in B only, and were not compared"]);
    assert!(page.contains("intervals are in B only"), "{page}");
    let (other, page) = difference(&["--interval", "1000", "--with", "fast"]);
    assert!(!other.equal && !other.parts.contains(&"intervals".to_owned()), "{page}");
}

#[test]
fn a_mechanism_shows_in_keys_figures_statistics_and_launches() {
    let (difference, page) = difference(&["--with", "fast"]);
    assert!(!difference.equal);
    let changed: Vec<_> = difference.setting.iter().map(|change| change.name.as_str()).collect();
    assert_eq!(changed, ["mechanisms", "machine's hash"]);
    assert_eq!(difference.machine[0].name, "core.with");
    assert_eq!(difference.figures[0].name, "cycles");
    assert_eq!(difference.figures[0].percent, Some(-50.0));
    assert!(difference.stats.iter().all(|shift| shift.name.starts_with("slots.")));
    // Two thirds of the waiting are the idle slots: the larger change comes first.
    assert_eq!(difference.stats[0].name, "slots.fetch");
    assert!(difference.launches.iter().all(|shift| shift.percent == Some(-50.0)));
    for words in ["different", "-50.00 %", "core.with", "Also different"] {
        assert!(page.contains(words), "{words}:\n{page}");
    }
}

#[test]
fn what_is_no_result_of_this_schema_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.json");
    for (text, problem) in [
        ("{\"schema\": 1}", "it has schema 1, and this version reads schema 2"),
        ("{\"schema\": 3}", "it has schema 3, newer than 2"),
        ("{}", "it has no `schema`"),
        ("{\"schema\": ", "result.json:1:11: it is no JSON"),
        ("[]", "it has no `schema`"),
    ] {
        fs::write(&path, text).unwrap();
        let failure = Stored::read(folder.path()).unwrap_err();
        assert!(failure.words().contains(problem), "{}", failure.words());
    }
    assert!(Stored::read(&folder.path().join("nowhere")).unwrap_err().words().contains("nowhere"));
}
