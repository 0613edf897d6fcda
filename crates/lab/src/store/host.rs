//! What points cost the host, and what is learnt from that about others. None of it is a result.

use super::{Store, StoreError, json_line, names_in, read_if_there};
use crate::hash::Key;
use crate::record::Labels;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// What a point cost the host, as far as who ran it knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Most memory that it held at a time.
    pub peak_bytes: Option<u64>,
    /// Warp instructions that were simulated in time.
    pub warp_instructions: Option<u64>,
}

/// What a point cost, as a line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostRecord {
    /// Which point.
    pub key: Key,
    /// How the experiment that ran it calls it.
    pub labels: Labels,
    /// Arcs of its graph, where it has one.
    pub arcs: Option<u64>,
    /// Wall time.
    pub seconds: f64,
    /// See [`Cost`].
    #[serde(flatten)]
    pub cost: Cost,
    /// Simulated warp instructions by wall time.
    pub warp_instructions_per_second: Option<f64>,
}

impl HostRecord {
    /// What a point cost in so many seconds.
    pub fn new(key: Key, labels: Labels, arcs: Option<u64>, seconds: f64, cost: Cost) -> HostRecord {
        let rate = cost.warp_instructions.filter(|_| seconds > 0.0).map(|count| count as f64 / seconds);
        HostRecord { key, labels, arcs, seconds, cost, warp_instructions_per_second: rate }
    }

    /// Whether a point can have cost that; a damaged file may say anything.
    fn is_sane(&self) -> bool {
        (0.0..=SECONDS_MAX).contains(&self.seconds)
            && self.cost.peak_bytes.is_none_or(|bytes| bytes <= BYTES_MAX)
    }
}

/// Longest wall time and most memory that are believed: a century, and 2^50 bytes.
const SECONDS_MAX: f64 = 100.0 * 365.25 * 86_400.0;
const BYTES_MAX: u64 = 1 << 50;

/// What an estimate was learnt from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearntFrom {
    /// The point itself, when it ran before.
    ThePoint,
    /// Points with the same workload, graph and machine.
    Alike,
    /// Points with the same workload, by the arcs of their graphs.
    Workload,
    /// Nothing.
    Nothing,
}

/// What a point will probably cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Wall time.
    pub seconds: Option<f64>,
    /// Memory.
    pub peak_bytes: u64,
    /// How it is known.
    pub from: LearntFrom,
}

/// Sums over points that are alike.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    points: f64,
    seconds: f64,
    /// The largest, because memory that does not suffice ends everything.
    peak_bytes: Option<u64>,
}

impl Sums {
    fn add(&mut self, record: &HostRecord) {
        self.points += 1.0;
        self.seconds += record.seconds;
        self.peak_bytes = self.peak_bytes.max(record.cost.peak_bytes);
    }

    fn estimate(&self, from: LearntFrom, otherwise: u64) -> Estimate {
        let peak_bytes = self.peak_bytes.unwrap_or(otherwise);
        Estimate { seconds: Some(self.seconds / self.points), peak_bytes, from }
    }
}

/// Points of one workload whose graphs differ. What they cost has a part that is the same for every graph, and one that
/// grows with the arcs: two sizes tell them apart.
#[derive(Clone, Debug, Default)]
struct ByArcs {
    points: f64,
    arcs: f64,
    arcs_squared: f64,
    seconds: f64,
    seconds_times_arcs: f64,
    /// The largest by size.
    peak_bytes: BTreeMap<u64, u64>,
}

impl ByArcs {
    fn add(&mut self, arcs: u64, record: &HostRecord) {
        let of_graph = arcs as f64;
        self.points += 1.0;
        self.arcs += of_graph;
        self.arcs_squared += of_graph * of_graph;
        self.seconds += record.seconds;
        self.seconds_times_arcs += record.seconds * of_graph;
        if let Some(bytes) = record.cost.peak_bytes {
            let most = self.peak_bytes.entry(arcs).or_default();
            *most = bytes.max(*most);
        }
    }

    /// By the straight line that fits best. Where one size is known, or the line would begin below nothing, in
    /// proportion to the arcs: graphs have work for every arc.
    fn seconds(&self, arcs: u64) -> f64 {
        let arcs = arcs as f64;
        let spread = self.points * self.arcs_squared - self.arcs * self.arcs;
        let slope = (self.points * self.seconds_times_arcs - self.arcs * self.seconds) / spread;
        let fixed = (self.seconds - slope * self.arcs) / self.points;
        match spread > f64::EPSILON * self.points * self.arcs_squared && slope >= 0.0 && fixed >= 0.0 {
            true => fixed + slope * arcs,
            false => self.seconds / self.arcs * arcs,
        }
    }

    /// By the straight line from the smallest to the largest size that is known, so high that no known size is above
    /// it. One size alone, or the smallest, has a part in it that other sizes have too, and nobody knows which: beyond
    /// its own peak nothing more is made of it than of `otherwise`, what nothing but the graph tells.
    fn peak_bytes(&self, arcs: u64, otherwise: u64) -> u64 {
        let (Some((&least, &of_least)), Some((&most, &of_most))) =
            (self.peak_bytes.first_key_value(), self.peak_bytes.last_key_value())
        else {
            return otherwise;
        };
        let in_proportion = (of_least as f64 / least as f64 * arcs as f64) as u64;
        match (arcs <= least, most > least) {
            (true, _) => of_least.min(otherwise.max(in_proportion)),
            (false, false) => in_proportion.min(otherwise.max(of_least)),
            (false, true) => {
                let slope = (of_most as f64 - of_least as f64).max(0.0) / (most - least) as f64;
                let fixed = self.peak_bytes.iter().map(|(&arcs, &bytes)| bytes as f64 - slope * arcs as f64);
                (fixed.fold(f64::MIN, f64::max) + slope * arcs as f64).max(0.0) as u64
            }
        }
    }
}

/// What earlier points cost. Its size depends on how many kinds of points there are, and on how many points ran.
#[derive(Clone, Debug, Default)]
pub struct History {
    points: BTreeMap<Key, (f64, Option<u64>)>,
    alike: BTreeMap<[String; 3], Sums>,
    workloads: BTreeMap<String, ByArcs>,
}

impl History {
    /// Learns from all that a store knows. A line that cannot be understood teaches nothing.
    pub fn of(store: &Store) -> Result<History, StoreError> {
        let (mut history, folder) = (History::default(), store.folder.join("host"));
        for name in names_in(&folder)?.iter().filter(|name| name.ends_with(".json") || name.ends_with(END)) {
            // Not even a folder in its place is worth stopping for.
            let bytes = read_if_there(&folder.join(name)).ok().flatten().unwrap_or_default();
            for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
                serde_json::from_slice(line).iter().for_each(|record| history.learn(record));
            }
        }
        Ok(history)
    }

    /// Learns from a point, if it can have cost what is said.
    pub fn learn(&mut self, record: &HostRecord) {
        if !record.is_sane() {
            return;
        }
        self.points.insert(record.key.clone(), (record.seconds, record.cost.peak_bytes));
        self.alike.entry(alike(&record.labels)).or_default().add(record);
        if let (Some(workload), Some(arcs)) =
            (record.labels.get("workload"), record.arcs.filter(|&arcs| arcs > 0))
        {
            self.workloads.entry(workload.clone()).or_default().add(arcs, record);
        }
    }

    /// What a point will probably cost: as the last time; else as the mean of points with the same workload, graph and
    /// machine, and the most memory of them; else by arcs as points of the same workload. `otherwise` is the memory that
    /// is supposed of it where nothing is known.
    pub fn estimate(&self, key: &Key, labels: &Labels, arcs: Option<u64>, otherwise: u64) -> Estimate {
        if let Some(&(seconds, peak_bytes)) = self.points.get(key) {
            let peak_bytes = peak_bytes.unwrap_or(otherwise);
            return Estimate { seconds: Some(seconds), peak_bytes, from: LearntFrom::ThePoint };
        }
        if let Some(sums) = self.alike.get(&alike(labels)) {
            return sums.estimate(LearntFrom::Alike, otherwise);
        }
        let known = labels.get("workload").and_then(|workload| self.workloads.get(workload));
        match (known, arcs) {
            (Some(known), Some(arcs)) => Estimate {
                seconds: Some(known.seconds(arcs)),
                peak_bytes: known.peak_bytes(arcs, otherwise),
                from: LearntFrom::Workload,
            },
            _ => Estimate { seconds: None, peak_bytes: otherwise, from: LearntFrom::Nothing },
        }
    }
}

/// What makes points alike.
fn alike(labels: &Labels) -> [String; 3] {
    ["workload", "graph", "machine"].map(|name| labels.get(name).cloned().unwrap_or_default())
}

/// How the names of logs end.
const END: &str = ".jsonl";

/// Where a runner keeps what its points cost: a line for each. A line that was cut off, because its runner was killed
/// or the disk was full, teaches nothing, and the next begins behind it.
#[derive(Debug)]
pub struct HostLog {
    path: PathBuf,
    /// Opened with the first line.
    file: Mutex<Option<File>>,
}

impl HostLog {
    /// The log of the runner with this number; who had the number before has left it.
    pub(crate) fn new(store: &Store, runner: u64) -> HostLog {
        let path = store.folder.join("host").join(format!("{runner}{END}"));
        HostLog { path, file: Mutex::default() }
    }

    /// Keeps what a point cost.
    pub(crate) fn keep(&self, record: &HostRecord) -> Result<(), StoreError> {
        let mut line = json_line(&self.path, record)?;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = |error| StoreError::writing(&self.path, &error);
        let mut open = match file.take() {
            Some(open) => open,
            None => {
                line.insert(0, b'\n');
                OpenOptions::new().append(true).create(true).open(&self.path).map_err(failed)?
            }
        };
        // One write, so that lines of several threads and hosts do not mix.
        open.write_all(&line).map_err(failed)?;
        *file = Some(open);
        Ok(())
    }
}
