//! Two runners on one folder.

use super::fake::{Fake, assert_clean, assert_same, files};
use heddle_lab::hash::Key;
use heddle_lab::store::{Claim, Leases, Store, Timing};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

/// How often each point was executed, by the marks that processes leave.
fn executions(folder: &Path) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for entry in fs::read_dir(folder.with_extension("runs")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        if let Some((point, _)) = name.split_once('-') {
            *counts.entry(point.to_owned()).or_default() += 1;
        }
    }
    counts
}

/// A folder of its own, with a place for marks beside it.
fn place() -> (tempfile::TempDir, std::path::PathBuf) {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("sweep");
    fs::create_dir(folder.with_extension("runs")).unwrap();
    (outer, folder)
}

fn signal(child: &Child, signal: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
}

/// Waits until a process has begun points.
fn wait_for_executions(folder: &Path, count: usize) {
    for _ in 0..2000 {
        if executions(folder).len() >= count {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the other runner did not begin");
}

#[test]
fn two_runners_share_the_points_and_run_none_twice() {
    let (_outer, folder) = place();
    let fake = Fake { points: 60, micros: 10_000, expiry: Duration::from_secs(30), ..Fake::default() };
    let mut children = [fake.child(&folder).spawn().unwrap(), fake.child(&folder).spawn().unwrap()];
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let runs = executions(&folder);
    assert_eq!(runs.len(), fake.points);
    assert!(runs.values().all(|&count| count == 1), "{runs:?}");
    let marks = fs::read_dir(folder.with_extension("runs")).unwrap();
    let marks = marks.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let processes: std::collections::BTreeSet<String> =
        marks.filter_map(|name| Some(name.split_once('-')?.1.to_owned())).collect();
    assert_eq!(processes.len(), 2, "both had a share");
    assert_same(&files(&folder, "points"), &fake.expected());
    assert_clean(&folder);
}

#[test]
fn the_points_of_a_killed_runner_are_taken_over() {
    let (_outer, folder) = place();
    let slow = Fake { micros: 60_000_000, ..Fake::default() };
    let mut killed = slow.child(&folder).spawn().unwrap();
    wait_for_executions(&folder, 2);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(files(&folder, "leases").len(), 2);
    let fake = Fake::default();
    let (result, told) = fake.run(&folder);
    assert_eq!(result.unwrap().ran, fake.points);
    assert_eq!(told.iter().filter(|line| line.starts_with("TakenOver")).count(), 2, "{told:?}");
    assert!(told.iter().any(|line| line.starts_with("Waiting { points: 2, runner: \"1 host")), "{told:?}");
    assert_same(&files(&folder, "points"), &fake.expected());
    assert_clean(&folder);
}

#[test]
fn a_runner_that_was_suspended_comes_back_and_mixes_nothing() {
    let (_outer, folder) = place();
    let slow = Fake { points: 2, micros: 600_000, ..Fake::default() };
    let mut suspended = slow.child(&folder).spawn().unwrap();
    wait_for_executions(&folder, 2);
    signal(&suspended, "STOP");
    let fake = Fake { points: 2, ..Fake::default() };
    let (result, told) = fake.run(&folder);
    assert_eq!(result.unwrap().ran, 2);
    assert!(told.iter().any(|line| line.starts_with("TakenOver")), "{told:?}");
    assert_clean(&folder);
    let before = files(&folder, "points");
    signal(&suspended, "CONT");
    assert!(suspended.wait().unwrap().success());
    assert_same(&files(&folder, "points"), &before);
    assert_same(&before, &fake.expected());
    assert_clean(&folder);
}

/// Several runners in one process, with a clock that the test moves.
fn joined(store: &Store, now: Duration) -> Leases {
    Leases::join(
        store,
        "host",
        Timing { heartbeat: Duration::from_secs(1), expiry: Duration::from_secs(10) },
        now,
    )
    .unwrap()
}

fn is_taken(claim: Claim) -> bool {
    matches!(claim, Claim::Taken(_))
}

#[test]
fn a_lease_is_taken_over_only_when_its_runner_was_silent_for_the_whole_time() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path()).unwrap();
    let at = Duration::from_secs;
    let key = Key::of("point");
    let mut first = joined(&store, at(0));
    assert!(is_taken(first.claim(&key, at(0)).unwrap()));
    // The clocks of two hosts have nothing to do with each other.
    let mut second = joined(&store, at(5000));
    assert_ne!(first.member().id(), second.member().id());
    assert!(!is_taken(second.claim(&key, at(5000)).unwrap()));
    first.member().beat().unwrap();
    assert!(!is_taken(second.claim(&key, at(5009)).unwrap()), "heard a moment ago");
    assert!(!is_taken(second.claim(&key, at(5018)).unwrap()), "nine seconds of silence");
    let mut third = joined(&store, at(70));
    let Claim::Taken(taken) = second.claim(&key, at(5019)).unwrap() else { panic!("ten seconds of silence") };
    assert!(taken.from.as_ref().unwrap().starts_with("1 host"), "{taken:?}");
    // The third finds the first gone too, but the second has the point.
    second.member().beat().unwrap();
    assert!(!is_taken(third.claim(&key, at(81)).unwrap()));
    second.member().beat().unwrap();
    assert!(!is_taken(third.claim(&key, at(91)).unwrap()));
    // Who was given up gives nothing back that is another's.
    first.leave(at(20)).unwrap();
    assert_eq!(files(folder.path(), "leases").len(), 2);
    taken.give_back().unwrap();
    assert_eq!(files(folder.path(), "leases").len(), 0);
    assert!(is_taken(third.claim(&key, at(92)).unwrap()));
}

#[test]
fn a_runner_is_given_up_by_the_longer_of_its_time_and_of_the_observers() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path()).unwrap();
    let at = Duration::from_secs;
    let join = |expiry| {
        Leases::join(&store, "host", Timing { heartbeat: at(1), expiry: at(expiry) }, at(0)).unwrap()
    };
    let (patient, hasty) = (Key::of("patient"), Key::of("hasty"));
    let (mut first, mut second) = (join(600), join(1));
    assert!(
        is_taken(first.claim(&patient, at(0)).unwrap()) && is_taken(second.claim(&hasty, at(0)).unwrap())
    );
    assert!(!is_taken(second.claim(&patient, at(599)).unwrap()), "its heartbeats may be a minute apart");
    assert!(is_taken(second.claim(&patient, at(600)).unwrap()));
    assert!(!is_taken(first.claim(&hasty, at(1)).unwrap()));
    assert!(!is_taken(first.claim(&hasty, at(600)).unwrap()), "first looked for at 1");
    assert!(is_taken(first.claim(&hasty, at(601)).unwrap()));
}

#[test]
fn of_many_runners_that_find_a_lease_stale_one_wins() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path()).unwrap();
    for round in 0..20 {
        let key = Key::of(&format!("point {round}"));
        let mut dead = joined(&store, Duration::ZERO);
        assert!(is_taken(dead.claim(&key, Duration::ZERO).unwrap()));
        drop(dead);
        let mut runners: Vec<Leases> = (0..4).map(|_| joined(&store, Duration::ZERO)).collect();
        for runner in &mut runners {
            assert!(!is_taken(runner.claim(&key, Duration::from_secs(1)).unwrap()));
        }
        let late = Duration::from_secs(60);
        let wins: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = runners
                .iter_mut()
                .map(|runner| {
                    // The others have been heard meanwhile.
                    runner.member().beat().unwrap();
                    scope.spawn(|| usize::from(is_taken(runner.claim(&key, late).unwrap())))
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(wins, 1, "round {round}");
        for runner in runners {
            runner.leave(late).unwrap();
        }
    }
}

#[test]
fn a_runner_that_was_given_up_registers_anew() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path()).unwrap();
    let mut runner = joined(&store, Duration::ZERO);
    fs::remove_file(folder.path().join("runners/1")).unwrap();
    let other = Leases::join(&store, "other", Timing::default(), Duration::ZERO).unwrap();
    runner.member().beat().unwrap();
    assert_eq!(runner.member().id(), "2 host");
    assert_eq!(files(folder.path(), "runners").keys().collect::<Vec<_>>(), ["1", "1.id", "2", "2.id"]);
    runner.leave(Duration::ZERO).unwrap();
    other.leave(Duration::ZERO).unwrap();
    assert_clean(folder.path());
}
