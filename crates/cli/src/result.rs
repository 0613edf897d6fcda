//! What `heddle run` says about a run, as plain data. The field names are the keys of its JSON.

use heddle_device::LaunchReport;
use heddle_workloads::UNREACHED;
use heddle_workloads::library::{Answer, Iteration, LaunchRecord, Outcome, RegionRecord};
use heddle_workloads::plan::PlanOutcome;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Version of the JSON's shape.
const SCHEMA: u32 = 1;

/// One run of a workload.
#[derive(Debug, Serialize)]
pub(crate) struct RunResult {
    pub(crate) schema: u32,
    /// Version of the program.
    pub(crate) version: &'static str,
    pub(crate) workload: String,
    pub(crate) problem: Option<&'static str>,
    pub(crate) machine: &'static str,
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
    /// Figures of the answer.
    pub(crate) answer: Map<String, Value>,
    pub(crate) warp_instructions: u64,
    pub(crate) thread_instructions: u64,
    pub(crate) iterations: Vec<IterationRow>,
    pub(crate) launches: Vec<LaunchRow>,
    pub(crate) regions: Vec<RegionRow>,
    /// What the kernels printed.
    pub(crate) printed: String,
    pub(crate) notes: Vec<String>,
    /// What depends on the host, and on nothing else.
    pub(crate) host: Host,
}

/// One iteration of the host's loop.
#[derive(Debug, Serialize)]
pub(crate) struct IterationRow {
    pub(crate) iteration: usize,
    /// Active vertices, where the algorithm has a frontier.
    pub(crate) frontier: Option<u64>,
    pub(crate) launches: usize,
    pub(crate) warp_instructions: u64,
    pub(crate) thread_instructions: u64,
}

/// One launch.
#[derive(Debug, Serialize)]
pub(crate) struct LaunchRow {
    pub(crate) launch: usize,
    /// The iteration it belongs to, from 1; none before the first.
    pub(crate) iteration: Option<usize>,
    pub(crate) kernel: String,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) warp_instructions: u64,
    pub(crate) thread_instructions: u64,
    pub(crate) global_loads: u64,
    pub(crate) global_stores: u64,
    pub(crate) atomics: u64,
    pub(crate) shared_accesses: u64,
    pub(crate) branches: u64,
    pub(crate) divergent_branches: u64,
    pub(crate) barriers: u64,
    /// Sectors of 32 bytes, if they were counted.
    pub(crate) global_load_sectors: Option<u64>,
    pub(crate) global_store_sectors: Option<u64>,
}

/// One buffer.
#[derive(Debug, Serialize)]
pub(crate) struct RegionRow {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

/// Time on the host.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Host {
    pub(crate) wall_seconds: f64,
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
        let thread_instructions: u64 = total(|report| report.lane_instructions);
        let region = |region: &RegionRecord| RegionRow { name: region.name.clone(), bytes: region.bytes };
        let rows = launches.iter().enumerate();
        RunResult {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            workload: setting.workload,
            problem: setting.problem,
            machine: "functional",
            graph: setting.graph,
            vertices: setting.vertices,
            arcs: setting.arcs,
            source: None,
            source_is_default: setting.source_is_default,
            target: None,
            settings: Vec::new(),
            verified: true,
            answer: Map::new(),
            warp_instructions: total(|report| report.warp_instructions),
            thread_instructions,
            iterations: iteration_rows(iterations, launches),
            launches: rows.map(|(index, launch)| launch_row(index, launch, setting.sectors)).collect(),
            regions: regions.iter().map(region).collect(),
            printed: launches.iter().map(|launch| launch.report.printed.as_str()).collect(),
            notes: setting.notes.into_iter().chain(notices(launches)).collect(),
            host: Host {
                wall_seconds: setting.wall_seconds,
                thread_instructions_per_second: thread_instructions as f64 / setting.wall_seconds.max(1e-9),
            },
        }
    }
}

/// What the machine noticed in any launch, each text once.
fn notices(launches: &[LaunchRecord]) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for launch in launches {
        let kernel = &launch.report.kernel;
        for text in launch.report.notices.iter().map(|notice| format!("{kernel}: {}", notice.text)) {
            if !notes.contains(&text) {
                notes.push(text);
            }
        }
    }
    notes
}

fn iteration_rows(iterations: &[Iteration], launches: &[LaunchRecord]) -> Vec<IterationRow> {
    let row = |(index, iteration): (usize, &Iteration)| {
        let own = launches.iter().skip(iteration.first_launch);
        let own: Vec<&LaunchReport> =
            own.take_while(|launch| launch.iteration == Some(index)).map(|launch| &launch.report).collect();
        IterationRow {
            iteration: index + 1,
            frontier: iteration.frontier,
            launches: own.len(),
            warp_instructions: own.iter().map(|report| report.warp_instructions).sum(),
            thread_instructions: own.iter().map(|report| report.lane_instructions).sum(),
        }
    };
    iterations.iter().enumerate().map(row).collect()
}

fn launch_row(index: usize, launch: &LaunchRecord, sectors: bool) -> LaunchRow {
    let LaunchReport { kernel, grid, block, classes, .. } = &launch.report;
    LaunchRow {
        launch: index + 1,
        iteration: launch.iteration.map(|iteration| iteration + 1),
        kernel: kernel.clone(),
        grid: [grid.x, grid.y, grid.z],
        block: [block.x, block.y, block.z],
        warp_instructions: launch.report.warp_instructions,
        thread_instructions: launch.report.lane_instructions,
        global_loads: classes.global_loads[1],
        global_stores: classes.global_stores[1],
        atomics: classes.atomics[1],
        shared_accesses: classes.shared_accesses[1],
        branches: classes.branches[0],
        divergent_branches: classes.divergent_branches,
        barriers: classes.barriers[0],
        global_load_sectors: sectors.then_some(classes.global_load_sectors),
        global_store_sectors: sectors.then_some(classes.global_store_sectors),
    }
}

/// The figures of an answer that a reader can compare at a glance, and a path in full.
fn figures(answer: &Answer) -> Map<String, Value> {
    let reached = |values: &[u32]| values.iter().filter(|&&value| value != UNREACHED).count();
    let largest =
        |values: &[u32]| values.iter().filter(|&&value| value != UNREACHED).max().copied().unwrap_or(0);
    let distinct = |values: &[u32]| values.iter().collect::<BTreeSet<_>>().len();
    let largest_real = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let figures = match answer {
        Answer::Depths(depths) => json!({ "reached": reached(depths), "depth": largest(depths) }),
        Answer::Distances(distances) => {
            json!({ "reached": reached(distances), "largest_distance": largest(distances) })
        }
        Answer::Colours(colours) => json!({ "colours": distinct(colours) }),
        Answer::Set(set) => json!({ "members": set.iter().filter(|&&member| member).count() }),
        Answer::Forest(edges) => json!({ "edges": edges.len() }),
        Answer::Path(None) => json!({ "connected": false }),
        Answer::Path(Some(path)) => {
            json!({ "connected": true, "hops": path.len().saturating_sub(1), "path": path })
        }
        Answer::Ranks { ranks, tolerance, .. } => {
            json!({ "largest_rank": largest_real(ranks), "tolerance": tolerance })
        }
        Answer::Labels(labels) => json!({ "components": distinct(labels) }),
        Answer::Centrality { values, sources, tolerance } => json!({
            "sources": sources.len(), "largest_centrality": largest_real(values), "tolerance": tolerance,
        }),
    };
    match figures {
        Value::Object(figures) => figures,
        _ => Map::new(),
    }
}
