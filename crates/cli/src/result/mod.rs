//! What `heddle run` says about a run, as plain data. The field names are the keys of its JSON.

mod answer;
mod folder;
mod interval;
mod load;
mod rows;
mod stored;
mod time;

pub(crate) use folder::{FILES, remove as remove_folder, write as write_folder, write_text};
pub(crate) use interval::{IntervalRow, MERGED, intervals};
pub(crate) use load::LoadRow;
pub(crate) use rows::{IterationRow, LaunchRow, RegionRow};
pub(crate) use stored::{Stored, check_not_newer};
pub(crate) use time::{LaunchTime, Time, Timing};

use crate::provenance::Provenance;
use answer::figures;
use heddle_device::LaunchReport;
use heddle_workloads::library::{Done, Iteration, LaunchRecord, Outcome, RegionRecord};
use heddle_workloads::plan::{PlanOutcome, PlanUnfinished};
use rows::{iteration_rows, launch_row, notices};
use serde::Serialize;
use serde_json::{Map, Value};

/// How a note begins that says what was chosen so that a machine's keys go together.
pub(crate) const OF_MACHINE: &str = "machine: ";

/// Version of the JSON's shape.
pub(crate) const SCHEMA: u32 = 2;

/// One run of a workload.
#[derive(Debug, Serialize)]
pub(crate) struct RunResult {
    pub(crate) schema: u32,
    /// Version of the program.
    pub(crate) version: &'static str,
    pub(crate) workload: String,
    pub(crate) problem: Option<&'static str>,
    pub(crate) machine: String,
    pub(crate) graph: Option<String>,
    pub(crate) vertices: u32,
    pub(crate) arcs: u64,
    pub(crate) source: Option<u32>,
    /// Whether the source was chosen by the program.
    pub(crate) source_is_default: bool,
    pub(crate) target: Option<u32>,
    pub(crate) settings: Vec<(String, f64)>,
    /// The answer was compared with the reference; a plan without a check is not verified.
    pub(crate) verified: bool,
    /// Why the run was stopped before it had an answer; all figures are of what it had done by then.
    pub(crate) partial: Option<String>,
    /// Figures of the answer.
    pub(crate) answer: Map<String, Value>,
    /// Of all launches, or of those that were simulated in time if only some were.
    pub(crate) warp_instructions: u64,
    pub(crate) thread_instructions: u64,
    /// What a machine with time adds.
    #[serde(flatten)]
    pub(crate) time: Option<Time>,
    pub(crate) iterations: Vec<IterationRow>,
    pub(crate) launches: Vec<LaunchRow>,
    pub(crate) regions: Vec<RegionRow>,
    /// What the kernels printed.
    pub(crate) printed: String,
    pub(crate) notes: Vec<String>,
    /// What the result was made from.
    pub(crate) provenance: Provenance,
    /// Seconds of the host in launches; also in `host`.
    pub(crate) wall_seconds: f64,
    /// What depends on the host, and on nothing else.
    pub(crate) host: Host,
}

/// Time on the host.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Host {
    pub(crate) wall_seconds: f64,
    pub(crate) warp_instructions_per_second: f64,
    pub(crate) thread_instructions_per_second: f64,
}

/// What the result says beside the outcome.
pub(crate) struct Setting {
    pub(crate) workload: String,
    pub(crate) problem: Option<&'static str>,
    pub(crate) graph: Option<String>,
    pub(crate) vertices: u32,
    pub(crate) arcs: u64,
    pub(crate) source_is_default: bool,
    pub(crate) sectors: bool,
    pub(crate) wall_seconds: f64,
    pub(crate) notes: Vec<String>,
    pub(crate) provenance: Provenance,
}

impl Host {
    fn new(wall_seconds: f64, warp_instructions: u64, thread_instructions: u64) -> Host {
        let rate = |count: u64| count as f64 / wall_seconds.max(1e-9);
        Host {
            wall_seconds,
            warp_instructions_per_second: rate(warp_instructions),
            thread_instructions_per_second: rate(thread_instructions),
        }
    }
}

impl RunResult {
    /// The result of a workload.
    pub(crate) fn of_workload(setting: Setting, outcome: &Outcome) -> RunResult {
        let settings = outcome.settings.all().iter().map(|&(name, value)| (name.to_owned(), value));
        let mut result = RunResult::new(setting, &outcome.iterations, &outcome.launches, &outcome.regions);
        result.source = outcome.source;
        result.target = outcome.target;
        result.settings = settings.collect();
        result.answer = figures(&outcome.answer);
        result.notes.extend(outcome.notes.iter().cloned());
        result
    }

    /// What is known of a workload that was stopped; `why` marks it as partial.
    pub(crate) fn of_stopped_workload(setting: Setting, done: &Done, why: String) -> RunResult {
        let settings = done.settings.all().iter().map(|&(name, value)| (name.to_owned(), value));
        let mut result = RunResult::new(setting, &done.iterations, &done.launches, &done.regions);
        result.source = done.source;
        result.target = done.target;
        result.settings = settings.collect();
        result.notes.extend(done.notes.iter().cloned());
        result.stopped(why)
    }

    /// What is known of a launch plan that was stopped; `why` marks it as partial.
    pub(crate) fn of_stopped_plan(setting: Setting, done: &PlanUnfinished, why: String) -> RunResult {
        let mut result = RunResult::new(setting, &done.iterations, &done.launches, &done.regions);
        result.source = done.source;
        result.stopped(why)
    }

    fn stopped(self, why: String) -> RunResult {
        RunResult { verified: false, partial: Some(why), ..self }
    }

    /// The result of a launch plan.
    pub(crate) fn of_plan(setting: Setting, outcome: &PlanOutcome) -> RunResult {
        let mut result = RunResult::new(setting, &outcome.iterations, &outcome.launches, &outcome.regions);
        result.source = outcome.source;
        result.verified = outcome.checks > 0;
        result
    }

    fn new(
        setting: Setting,
        iterations: &[Iteration],
        launches: &[LaunchRecord],
        regions: &[RegionRecord],
    ) -> RunResult {
        let total =
            |count: fn(&LaunchReport) -> u64| launches.iter().map(|launch| count(&launch.report)).sum();
        let warp_instructions: u64 = total(|report| report.warp_instructions);
        let thread_instructions: u64 = total(|report| report.lane_instructions);
        let region = |region: &RegionRecord| RegionRow { name: region.name.clone(), bytes: region.bytes };
        let rows = launches.iter().enumerate();
        RunResult {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            workload: setting.workload,
            problem: setting.problem,
            machine: "functional".to_owned(),
            graph: setting.graph,
            vertices: setting.vertices,
            arcs: setting.arcs,
            source: None,
            source_is_default: setting.source_is_default,
            target: None,
            settings: Vec::new(),
            verified: true,
            partial: None,
            answer: Map::new(),
            warp_instructions,
            thread_instructions,
            time: None,
            iterations: iteration_rows(iterations, launches),
            launches: rows.map(|(index, launch)| launch_row(index, launch, setting.sectors)).collect(),
            regions: regions.iter().map(region).collect(),
            printed: launches.iter().map(|launch| launch.report.printed.as_str()).collect(),
            notes: setting.notes.into_iter().chain(notices(launches)).collect(),
            provenance: setting.provenance,
            wall_seconds: setting.wall_seconds,
            host: Host::new(setting.wall_seconds, warp_instructions, thread_instructions),
        }
    }

    /// Adds what a machine with time recorded.
    pub(crate) fn in_time(mut self, timing: &Timing<'_>) -> RunResult {
        for launch in &timing.record.launches {
            let row = usize::try_from(launch.launch).ok().and_then(|index| self.launches.get_mut(index));
            if let Some(row) = row {
                row.time = Some(LaunchTime::new(launch, row.warp_instructions));
            }
        }
        let timed = || self.launches.iter().filter(|row| row.time.is_some());
        self.warp_instructions = timed().map(|row| row.warp_instructions).sum();
        self.thread_instructions = timed().map(|row| row.thread_instructions).sum();
        for iteration in &mut self.iterations {
            let own = self.launches.iter().filter(|row| row.iteration == Some(iteration.iteration));
            let cycles: Vec<u64> = own.filter_map(|row| row.time.as_ref()).map(|time| time.cycles).collect();
            // An iteration of which nothing was simulated took no cycles that anybody knows.
            iteration.cycles = (!cycles.is_empty()).then(|| cycles.iter().sum());
            iteration.timed_launches = (!cycles.is_empty()).then_some(cycles.len());
        }
        self.host = Host::new(self.wall_seconds, self.warp_instructions, self.thread_instructions);
        self.machine = timing.name.to_owned();
        self.time = Some(Time::new(timing, self.warp_instructions, self.thread_instructions));
        self
    }
}
