//! `heddle run`.

use crate::arguments::{CommonArguments, RunArguments};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::result::{RunResult, Setting};
use crate::timed::Timed;
use crate::{input, output, view};
use heddle_device::Device;
use heddle_graph::progress::Progress;
use heddle_graph::read::WeightPolicy;
use heddle_ptx::exec::Functional;
use heddle_workloads::library::{self, RunOptions, WorkloadError, registry};
use std::ffi::OsStr;

/// The graph if the user names none.
const EXAMPLE: &str = "rmat:scale=14,degree=8";

/// Runs a workload and shows what it did.
pub(super) fn run(arguments: &RunArguments, common: CommonArguments) -> Result<(), Failure> {
    if !arguments.functional {
        let problem = "this version has no machine with a notion of time";
        return Err(Failure::usage(
            problem,
            "add --functional for the answer and counts of what was executed",
        ));
    }
    let workload = registry::find(&arguments.workload).map_err(|problem| {
        Failure::new(problem).with_help("`heddle workloads` lists them; a launch plan ends in .toml")
    })?;
    let named = arguments.graph.as_deref().unwrap_or(OsStr::new(EXAMPLE));
    let progress = Bar::new(common.quiet);
    // A problem without weights does not care what they look like.
    let policy = if workload.problem.is_weighted() { WeightPolicy::Refuse } else { WeightPolicy::Describe };
    let loaded = input::load(named, &arguments.read, policy, &progress)?;
    let loaded = input::apply(loaded, &arguments.transforms, &progress);
    let (vertices, arcs) = (loaded.graph.num_vertices(), loaded.graph.num_arcs());
    let machine = Timed::new(Functional { count_sectors: arguments.sectors, ..Functional::default() });
    let time = machine.time();
    let mut device = Device::new(Box::new(machine));
    let options = RunOptions {
        source: arguments.source,
        target: arguments.target,
        block: arguments.block,
        settings: arguments.settings.clone(),
    };
    progress.begin(workload.name, 0);
    let told = |_: usize, _: u64| progress.advance(1);
    let outcome = library::run(workload, loaded.graph, &mut device, &options, &told).map_err(failure)?;
    let setting = Setting {
        workload,
        graph: named.to_string_lossy().into_owned(),
        vertices,
        arcs,
        source_is_default: arguments.source.is_none(),
        sectors: arguments.sectors,
        wall_seconds: time.seconds(),
        notes: loaded.notes,
    };
    let result = RunResult::new(setting, &outcome);
    drop(progress);
    match arguments.json {
        true => output::json(&result),
        false => output::page(&view::run::page(&result, arguments.all)),
    }
}

/// A workload's error in words.
pub(super) fn failure(error: WorkloadError) -> Failure {
    match error {
        WorkloadError::Setting(problem) => {
            Failure::usage(problem, "`heddle workloads NAME` shows the settings of a workload")
        }
        error => Failure::new(error.to_string()),
    }
}
