//! The pool: order, failures, panics, limits of time and of memory, interrupts.

use super::fake::{Fake, assert_clean, assert_same, clock, files};
use heddle_lab::runner::{self, Ended, Event, Executed, Host, Stop, Totals};
use heddle_lab::store::{Found, Recent, Store};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Fails at point 3, panics at 5 and is late at 7.
fn troubled(fake: &Fake, index: usize, stop: &Stop<'_>) -> Result<Executed, Ended> {
    match index {
        3 => Err(Ended::Failed("the graph has no source".to_owned())),
        5 => panic!("point {index} lost a credit"),
        7 => {
            while !stop.is_wanted() {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(Ended::Stopped)
        }
        _ => fake.execute(index, stop),
    }
}

#[test]
fn failing_panicking_and_late_points_are_recorded_and_the_rest_goes_on() {
    let (fake, folder) = (Fake::default(), tempfile::tempdir().unwrap());
    let mut options = fake.options();
    options.time_limit = Some(Duration::from_millis(150));
    let (result, _) = fake.run_with(folder.path(), &options, &|index, stop| troubled(&fake, index, stop));
    let summary = result.unwrap();
    assert_eq!((summary.ran, &summary.failed[..], &summary.missing[..]), (9, &[3, 5, 7][..], &[][..]));
    let store = Store::open(folder.path()).unwrap();
    let expected = [
        (3, "the graph has no source".to_owned()),
        (5, "the simulator panicked: point 5 lost a credit".to_owned()),
        (7, "it took longer than the limit of 0.15 s".to_owned()),
    ];
    assert_eq!(runner::gaps(&store, &fake.tasks()).unwrap().failed, expected);
    // They stay failed, until they are to be tried again.
    let (result, told) = fake.run(folder.path());
    assert_eq!((result.unwrap().failed.len(), told.len()), (3, 1));
    options.retry_failed = true;
    let (result, _) = fake.run_with(folder.path(), &options, &|index, stop| fake.execute(index, stop));
    assert_eq!(result.unwrap().ran, 3);
    assert_same(&files(folder.path(), "points"), &fake.expected());
    assert_eq!(files(folder.path(), "failed").len(), 0);
    assert_clean(folder.path());
}

#[test]
fn a_figure_that_is_no_number_is_a_failure_by_name() {
    let (fake, folder) = (Fake { points: 1, ..Fake::default() }, tempfile::tempdir().unwrap());
    let execute = |index: usize, stop: &Stop<'_>| {
        let mut executed = fake.execute(index, stop)?;
        executed.launches[0].reals.insert("ipc".to_owned(), f64::NAN);
        Ok(executed)
    };
    let (result, told) = fake.run_with(folder.path(), &fake.options(), &execute);
    assert_eq!(result.unwrap().failed, [0]);
    assert!(told.iter().any(|line| line.contains("its figure `ipc` is NaN")), "{told:?}");
}

#[test]
fn points_begin_in_order_and_a_point_with_two_names_runs_once() {
    let (fake, folder) = (Fake { threads: 1, ..Fake::default() }, tempfile::tempdir().unwrap());
    let store = Store::create(folder.path()).unwrap();
    let mut tasks = fake.tasks();
    tasks.insert(4, tasks[0].clone());
    let mut begun = Vec::new();
    let mut listen = |event: &Event<'_>, totals: &Totals| {
        assert_eq!(totals.points, if matches!(event, Event::Scanned) { 12 } else { totals.points });
        if let Event::Started { task } = event {
            begun.push(*task);
        }
    };
    let host = Host { clock: &clock, interrupted: &|| false, memory_bytes: &|| u64::MAX };
    let execute = |index: usize, stop: &Stop<'_>| fake.execute(index, stop);
    runner::run(&store, &tasks, &execute, &fake.options(), &host, &mut listen).unwrap();
    assert_eq!(begun, [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12]);
    let keys: Vec<_> = tasks.iter().map(|task| &task.key).collect();
    let mut found = Vec::new();
    let visit = |index: usize, (prepared, record): (usize, Found)| {
        assert_eq!((index, prepared), (found.len(), index));
        found.push(record);
    };
    store.in_order(&keys, &Recent::default(), 3, |index, found| (index, found), visit).unwrap();
    assert_eq!((found.len(), &found[4]), (13, &found[0]));
}

/// Tables need not read what the runner wrote a moment ago, and have the same of it as of the files.
#[test]
fn what_was_written_a_moment_ago_is_not_read_again() {
    let (fake, folder) = (Fake::default(), tempfile::tempdir().unwrap());
    let summary = fake.run(folder.path()).0.unwrap();
    let (store, tasks) = (Store::open(folder.path()).unwrap(), fake.tasks());
    let keys: Vec<_> = tasks.iter().map(|task| &task.key).collect();
    let found = |recent: &Recent| {
        let mut found = Vec::new();
        let outcome = |_: usize, found: Found| match found {
            Found::Done(record) => Some((record.key, record.made, record.outcome)),
            _ => None,
        };
        store.in_order(&keys, recent, 2, outcome, |_, record| found.extend(record)).unwrap();
        found
    };
    let read = found(&Recent::default());
    assert_eq!((read.len(), &found(&summary.recent)), (fake.points, &read));
    std::fs::remove_dir_all(folder.path().join("points")).unwrap();
    assert_eq!((found(&Recent::default()), found(&summary.recent)), (Vec::new(), read));
    // A sweep that finds all finished has written nothing.
    let fresh = tempfile::tempdir().unwrap();
    fake.run(fresh.path()).0.unwrap();
    assert_eq!(fake.run(fresh.path()).0.unwrap().recent, Recent::default());
}

/// Most points at once, with so much memory and points that ask for 1 MiB, or what an earlier sweep has taught.
fn most_at_once(folder: &std::path::Path, fake: &Fake, memory_bytes: u64) -> usize {
    let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let execute = |index: usize, stop: &Stop<'_>| {
        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let mut executed = fake.execute(index, stop)?;
        executed.cost.peak_bytes = Some(4 << 20);
        now.fetch_sub(1, Ordering::SeqCst);
        Ok(executed)
    };
    let store = Store::create(folder).unwrap();
    let host = Host { clock: &clock, interrupted: &|| false, memory_bytes: &|| memory_bytes };
    let summary = runner::run(
        &store,
        &fake.tasks(),
        &execute,
        &fake.options(),
        &host,
        &mut |_: &Event<'_>, _: &Totals| {},
    );
    assert_eq!(summary.unwrap().finished, fake.points);
    most.into_inner()
}

#[test]
fn as_many_points_run_at_once_as_memory_has_room_for_and_one_always_may() {
    let fake = Fake { points: 8, micros: 20_000, threads: 4, ..Fake::default() };
    // What a point of this workload took by arc is learnt while the sweep runs: 4 MiB each, from the first on.
    for (memory_bytes, first, later) in [(u64::MAX, 4, 4), (9 << 20, 4, 2), (100, 1, 1)] {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(most_at_once(folder.path(), &fake, memory_bytes), first);
        for kind in ["points", "leases"] {
            std::fs::remove_dir_all(folder.path().join(kind)).unwrap();
        }
        assert_eq!(most_at_once(folder.path(), &fake, memory_bytes), later, "{memory_bytes}");
    }
}

#[test]
fn an_interrupt_keeps_what_is_finished_and_leaves_the_rest_to_the_next() {
    let (fake, folder) = (Fake { points: 30, micros: 5000, ..Fake::default() }, tempfile::tempdir().unwrap());
    let store = Store::create(folder.path()).unwrap();
    let wanted = AtomicBool::new(false);
    let interrupted = || wanted.load(Ordering::Relaxed);
    let host = Host { clock: &clock, interrupted: &interrupted, memory_bytes: &|| u64::MAX };
    let mut listen = |_: &Event<'_>, totals: &Totals| {
        wanted.fetch_or(totals.finished >= 5, Ordering::Relaxed);
    };
    let execute = |index: usize, stop: &Stop<'_>| fake.execute(index, stop);
    let summary = runner::run(&store, &fake.tasks(), &execute, &fake.options(), &host, &mut listen).unwrap();
    assert!(summary.interrupted && summary.failed.is_empty(), "{summary:?}");
    assert!(summary.finished >= 5 && summary.missing.len() == 30 - summary.finished, "{summary:?}");
    assert_clean(folder.path());
    assert_eq!(fake.run(folder.path()).0.unwrap().ran, summary.missing.len());
    assert_same(&files(folder.path(), "points"), &fake.expected());
}
