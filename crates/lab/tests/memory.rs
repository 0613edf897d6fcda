//! A sweep of many points takes no more memory than one of few: neither the runs that points share nor their tables.
//!
//! In a binary of its own: the allocator counts for the whole process.

use heddle_lab::experiment::Experiment;
use heddle_lab::hash::Key;
use heddle_lab::record::{Labels, Made, Outcome, Record, Row, SCHEMA};
use heddle_lab::results::{About, Dictionary, FILES, ResultsError, TableKind, load, write_records};
use heddle_lab::runner::{self, Event, Host, Options, Stop, Totals};
use heddle_lab::simulate::{Build, Workbench};
use heddle_lab::store::{Store, Timing};
use heddle_lab::sweep::Sweep;
use peak_alloc::PeakAlloc;
use std::collections::BTreeMap;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const POINTS: u64 = 2000;
const LAUNCHES: u64 = 10;
const COUNTERS: u64 = 300;

fn row(seed: u64) -> Row {
    let count = |number| (format!("l1.counter_of_some_name_{number:03}"), seed * number % 977);
    Row { counts: (0..COUNTERS).map(count).collect(), ..Row::default() }
}

fn record(number: u64) -> Record {
    Record {
        schema: SCHEMA,
        key: Key::of(&number.to_string()),
        labels: Labels::new(),
        made: Made {
            version: "0.1.0".to_owned(),
            build: "0123456789abcdef".to_owned(),
            behaviour: 1,
            program: "aa".to_owned(),
            graph: "bb".to_owned(),
            machine: "cc".to_owned(),
        },
        outcome: Outcome::Done {
            run: row(number),
            launches: (0..LAUNCHES).map(|launch| row(number + launch)).collect(),
        },
    }
}

/// Peak of the memory that `work` takes beyond what there was.
fn peak_of(work: impl FnOnce()) -> u64 {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    work();
    (ALLOCATOR.peak_usage() - before) as u64
}

/// Peak memory while the tables of so many points are written.
fn peak_of_tables(points: u64) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let (meaning, derived) = (|_: &str| None, |_: &Row| BTreeMap::new());
    let dictionary = Dictionary { meaning: &meaning, derived: &derived };
    let about = About { experiment: "large".to_owned(), question: String::new() };
    let each = |visit: &mut dyn FnMut(&Labels, &Record)| {
        for number in 0..points {
            visit(&Labels::from([("source".to_owned(), number.to_string())]), &record(number));
        }
        Ok::<_, ResultsError>(())
    };
    let peak = peak_of(|| drop(write_records(folder.path(), &about, &dictionary, &each).unwrap()));
    let written = folder.path().join("large");
    assert!(FILES.iter().all(|file| written.join(file).is_file()));
    let launches = load(&written, Some(TableKind::Launches)).unwrap().table;
    assert_eq!(launches.rows as u64, points * LAUNCHES);
    let last = launches.column("l1.counter_of_some_name_299").unwrap();
    let expected = (points - 1 + LAUNCHES - 1) * 299 % 977;
    assert_eq!(last.values.number(launches.rows - 1), Some(expected as f64));
    peak
}

const REAL: &str = r#"
name = "real"
question = "Does memory grow with the number of points?"
refuted_by = "More of it for more points."

[fixed]
workload = "h-bfs"
graph = "uniform:scale=11,degree=4"
cold = true
launches = "1,largest=1"
"#;

/// Peak memory of a sweep of so many real points, each with a run without time of its own.
fn peak_of_sweep(points: u32) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("real.toml");
    let sources: Vec<u32> = (0..points).collect();
    std::fs::write(&file, format!("{REAL}\n[axes]\nsource = {sources:?}\n")).unwrap();
    let experiment = Experiment::named(file.to_str().unwrap(), None).unwrap();
    let bench = Workbench::new(Build { version: "0".to_owned(), hash: "b".to_owned() }, 1 << 30);
    let store = Store::create(&folder.path().join("store")).unwrap();
    peak_of(|| {
        let sweep = Sweep::new(&bench, &experiment.points, &|| Box::new(|| false), &|_| {});
        let options = Options {
            name: "test".to_owned(),
            threads: 1,
            time_limit: None,
            retry_failed: false,
            replace_older: false,
            timing: Timing::default(),
        };
        let clock = || Duration::ZERO;
        let host = Host { clock: &clock, interrupted: &|| false, memory_bytes: &|| u64::MAX };
        let execute = |task: usize, stop: &Stop<'_>| sweep.execute(task, stop);
        let mut listen = |_: &Event<'_>, _: &Totals| {};
        let summary = runner::run(&store, &sweep.tasks, &execute, &options, &host, &mut listen).unwrap();
        assert_eq!((summary.ran, summary.failed.len()), (points as usize, 0));
    })
}

/// One test: what runs at the same time is counted, too.
#[test]
fn memory_does_not_grow_with_the_number_of_points() {
    let (few, many) = (peak_of_tables(POINTS / 5), peak_of_tables(POINTS));
    assert!(many < few + few / 4 + (1 << 20), "{few} bytes for {} points, {many} for {POINTS}", POINTS / 5);
    peak_of_sweep(2);
    let (few, many) = (peak_of_sweep(8), peak_of_sweep(64));
    // A run without time has the answer and the counts of its launches, which all runs together must not.
    assert!(many < few + (1 << 20), "{few} bytes for 8 points, {many} for 64");
}
