//! Points that only pretend to be simulated.

use heddle_lab::hash::Key;
use heddle_lab::record::{Made, Row};
use heddle_lab::runner::{
    self, Cost, Ended, Event, Executed, Host, Options, RunError, Stop, Summary, Task, Totals,
};
use heddle_lab::store::{Store, Timing};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A sweep of fake points.
#[derive(Clone, Debug)]
pub(super) struct Fake {
    pub(super) points: usize,
    /// How long a point takes.
    pub(super) micros: u64,
    /// Bytes of its record, about.
    pub(super) payload: usize,
    /// From this point on records are ten times as large.
    pub(super) large_from: usize,
    pub(super) build: String,
    /// Added to every figure, as a changed simulator would.
    pub(super) shift: u64,
    pub(super) threads: usize,
    pub(super) heartbeat: Duration,
    pub(super) expiry: Duration,
}

impl Default for Fake {
    fn default() -> Fake {
        Fake {
            points: 12,
            micros: 200,
            payload: 500,
            large_from: usize::MAX,
            build: "build-a".to_owned(),
            shift: 0,
            threads: 2,
            heartbeat: Duration::from_millis(20),
            expiry: Duration::from_millis(400),
        }
    }
}

/// Time since the first call.
#[expect(clippy::disallowed_types, reason = "a runner gets its clock from whoever calls it")]
pub(super) fn clock() -> Duration {
    static BEGUN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(std::time::Instant::now).elapsed()
}

impl Fake {
    pub(super) fn tasks(&self) -> Vec<Task> {
        let task = |index: usize| Task {
            key: Key::of(&format!("fake {index}")),
            labels: [
                ("workload", "fake".to_owned()),
                ("graph", format!("g{index}")),
                ("machine", "m".to_owned()),
            ]
            .map(|(name, value)| (name.to_owned(), value))
            .into(),
            made: Made {
                version: "1".to_owned(),
                build: self.build.clone(),
                behaviour: 1,
                program: "p".to_owned(),
                graph: format!("g{index}"),
                machine: "m".to_owned(),
            },
            arcs: Some(1000),
            memory_bytes: 1 << 20,
        };
        (0..self.points).map(task).collect()
    }

    pub(super) fn options(&self) -> Options {
        Options {
            name: format!("host {}", std::process::id()),
            threads: self.threads,
            time_limit: None,
            retry_failed: false,
            replace_older: false,
            timing: Timing { heartbeat: self.heartbeat, expiry: self.expiry },
        }
    }

    /// What comes out of a point, after its time.
    pub(super) fn execute(&self, index: usize, stop: &Stop<'_>) -> Result<Executed, Ended> {
        let end = clock() + Duration::from_micros(self.micros);
        while clock() < end {
            if stop.is_wanted() {
                return Err(Ended::Stopped);
            }
            std::thread::sleep(end.saturating_sub(clock()).min(Duration::from_millis(5)));
        }
        let payload = if index >= self.large_from { self.payload * 10 } else { self.payload };
        let row = |number: u64| Row {
            counts: [("cycles".to_owned(), number * 1000 + self.shift), ("launch".to_owned(), 1)].into(),
            reals: [("seconds".to_owned(), number as f64 / 3.0)].into(),
            texts: [("kernel".to_owned(), "k".repeat(payload))].into(),
        };
        let cost = Cost { peak_bytes: Some(1 << 20), warp_instructions: Some(1000) };
        Ok(Executed { run: row(index as u64 + 1), launches: vec![row(index as u64 + 2)], cost })
    }

    /// Runs the sweep in this process, and gives what was told.
    pub(super) fn run(&self, folder: &Path) -> (Result<Summary, RunError>, Vec<String>) {
        self.run_with(folder, &self.options(), &|index, stop| self.execute(index, stop))
    }

    pub(super) fn run_with(
        &self,
        folder: &Path,
        options: &Options,
        execute: &runner::Execute<'_>,
    ) -> (Result<Summary, RunError>, Vec<String>) {
        let store = Store::create(folder).unwrap();
        let mut told = Vec::new();
        let mut listen = |event: &Event<'_>, totals: &Totals| {
            assert!(totals.finished + totals.failed <= totals.points);
            assert!(totals.running <= options.threads, "{} running", totals.running);
            told.push(format!("{event:?}"));
        };
        let host = Host { clock: &clock, interrupted: &|| false, memory_bytes: &|| u64::MAX };
        let result = runner::run(&store, &self.tasks(), execute, options, &host, &mut listen);
        (result, told)
    }

    /// The records of an uninterrupted sweep.
    pub(super) fn expected(&self) -> BTreeMap<String, Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let quick = Fake { micros: 0, ..self.clone() };
        let summary = quick.run(folder.path()).0.unwrap();
        assert_eq!((summary.ran, summary.finished), (self.points, self.points));
        files(folder.path(), "points")
    }
}

/// The files in a folder of a store, by name.
pub(super) fn files(store: &Path, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(store.join(folder)).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.filter_map(|path| Some((name(&path), fs::read(&path).ok()?))).collect()
}

/// That nothing is left in a store but what is finished.
#[track_caller]
pub(super) fn assert_clean(store: &Path) {
    for folder in ["leases", "runners", "partial"] {
        assert_eq!(files(store, folder).keys().collect::<Vec<_>>(), Vec::<&String>::new(), "{folder}");
    }
    assert_whole(store);
}

/// That no part of a file is left.
#[track_caller]
pub(super) fn assert_whole(store: &Path) {
    for folder in ["points", "failed", "host", "builds"] {
        let end = if folder == "host" { ".jsonl" } else { ".json" };
        let odd: Vec<String> = files(store, folder).into_keys().filter(|name| !name.ends_with(end)).collect();
        assert_eq!(odd, Vec::<String>::new(), "{folder}");
    }
}

/// That two sets of files are the same, without showing them.
#[track_caller]
pub(super) fn assert_same(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>());
    let differ: Vec<&String> =
        left.iter().filter(|(name, bytes)| right[*name] != **bytes).map(|(name, _)| name).collect();
    assert_eq!(differ, Vec::<&String>::new());
}
