//! A changed simulator: equal figures are accepted and remembered, others refused.

use super::fake::{Fake, assert_same, files};
use heddle_lab::runner::RunError;
use std::path::Path;

fn of_build(build: &str, shift: u64, points: usize) -> Fake {
    Fake { build: build.to_owned(), shift, points, micros: 0, ..Fake::default() }
}

/// Points that were run again, by what was told.
fn checked(told: &[String]) -> usize {
    told.iter().filter(|line| line.starts_with("Checking")).count()
}

#[test]
fn a_build_with_equal_figures_runs_one_point_in_a_hundred_again_and_remembers() {
    let folder = tempfile::tempdir().unwrap();
    of_build("old", 0, 150).run(folder.path()).0.unwrap();
    let before = files(folder.path(), "points");
    let new = of_build("new", 0, 150);
    // All points are finished; they are only read, and checked all the same.
    let (result, told) = new.run(folder.path());
    assert_eq!((result.unwrap().checked, checked(&told)), (2, 2));
    let (result, told) = new.run(folder.path());
    assert_eq!((result.unwrap().checked, checked(&told)), (0, 0), "it is remembered");
    assert_same(&files(folder.path(), "points"), &before);
    // More points of the old build are checked in their turn.
    of_build("old", 0, 320).run(folder.path()).0.unwrap();
    let (result, _) = of_build("new", 0, 320).run(folder.path());
    assert_eq!(result.unwrap().checked, 2);
}

#[test]
fn the_check_comes_before_everything_else() {
    let folder = tempfile::tempdir().unwrap();
    of_build("old", 0, 4).run(folder.path()).0.unwrap();
    let (_, told) = of_build("new", 0, 8).run(folder.path());
    let place = |word: &str| told.iter().position(|line| line.starts_with(word)).unwrap();
    assert!(place("Checking") < place("Started"), "{told:?}");
}

#[track_caller]
fn assert_refused(folder: &Path, new: &Fake) {
    let before = files(folder, "points");
    let (result, told) = new.run(folder);
    let error = result.unwrap_err();
    assert!(matches!(error, RunError::Build(_)), "{error}");
    let words = error.to_string();
    assert!(
        words.contains("build old made points of this folder, and build new gives other figures"),
        "{words}"
    );
    assert!(words.contains("machine m, workload fake"), "{words}");
    assert!(words.contains("differs in 2\n  cycles: "), "{words}");
    assert!(words.contains("\n  launch 1, cycles: "), "{words}");
    let help = error.help();
    assert!(
        help.contains("another folder") && help.contains("build old") && help.contains("--replace-older"),
        "{help}"
    );
    assert!(!told.iter().any(|line| line.starts_with("Started")), "{told:?}");
    assert_same(&files(folder, "points"), &before);
}

#[test]
fn a_build_with_other_figures_is_refused_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    of_build("old", 0, 6).run(folder.path()).0.unwrap();
    assert_refused(folder.path(), &of_build("new", 7, 12));
    assert_refused(folder.path(), &of_build("new", 7, 6));
    // The old build goes on as if nothing had been.
    let old = of_build("old", 0, 12);
    assert_eq!(old.run(folder.path()).0.unwrap().ran, 6);
    assert_same(&files(folder.path(), "points"), &old.expected());
}

#[test]
fn older_records_are_dropped_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    of_build("old", 0, 6).run(folder.path()).0.unwrap();
    let new = of_build("new", 7, 6);
    let mut options = new.options();
    options.replace_older = true;
    let (result, told) = new.run_with(folder.path(), &options, &|index, stop| new.execute(index, stop));
    assert_eq!(result.unwrap().ran, 6);
    assert!(told.contains(&"Dropped { records: 6 }".to_owned()), "{told:?}");
    assert_same(&files(folder.path(), "points"), &new.expected());
}

#[test]
fn records_of_other_experiments_stay_when_older_ones_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    of_build("old", 0, 9).run(folder.path()).0.unwrap();
    let before = files(folder.path(), "points");
    let new = of_build("new", 7, 4);
    let mut options = new.options();
    options.replace_older = true;
    let (result, told) = new.run_with(folder.path(), &options, &|index, stop| new.execute(index, stop));
    assert_eq!(result.unwrap().ran, 4);
    assert!(told.contains(&"Dropped { records: 4 }".to_owned()), "{told:?}");
    let mut after = files(folder.path(), "points");
    for (name, bytes) in new.expected() {
        assert_eq!(after.insert(name.clone(), before[&name].clone()), Some(bytes));
    }
    assert_same(&after, &before);
}

#[test]
fn a_build_that_fails_or_panics_where_the_old_one_did_not_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    of_build("old", 0, 3).run(folder.path()).0.unwrap();
    let new = of_build("new", 0, 3);
    let failing =
        |_: usize, _: &heddle_lab::runner::Stop<'_>| Err(heddle_lab::runner::Ended::Failed("no".into()));
    let (result, _) = new.run_with(folder.path(), &new.options(), &failing);
    let words = result.unwrap_err().to_string();
    assert!(words.contains("outcome: the failure `no` was figures"), "{words}");
    let (result, _) = new.run_with(folder.path(), &new.options(), &|_, _| panic!("lost a credit"));
    let words = result.unwrap_err().to_string();
    assert!(words.contains("the simulator panicked: lost a credit"), "{words}");
}
