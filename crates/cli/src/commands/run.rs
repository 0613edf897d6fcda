//! `heddle run`.

use super::save::save;
use crate::arguments::{CommonArguments, RunArguments};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::result::{RunResult, Setting};
use crate::timed::{HostTime, Timed};
use crate::{input, output, view};
use heddle_device::Device;
use heddle_graph::progress::Progress;
use heddle_graph::read::WeightPolicy;
use heddle_ptx::exec::Functional;
use heddle_workloads::library::{self, RunOptions, WorkloadError, registry};
use heddle_workloads::plan::{Plan, PlanError};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The graph if the user names none.
const EXAMPLE: &str = "rmat:scale=14,degree=8";

/// Runs a workload or a plan and shows what it did.
pub(super) fn run(arguments: &RunArguments, common: CommonArguments) -> Result<(), Failure> {
    if !arguments.functional {
        let problem = "this version has no machine with a notion of time";
        return Err(Failure::usage(
            problem,
            "add --functional for the answer and counts of what was executed",
        ));
    }
    let progress = Bar::new(common.quiet);
    let result = match arguments.workload.ends_with(".toml") {
        true => plan(arguments, &progress)?,
        false => workload(arguments, &progress)?,
    };
    drop(progress);
    match arguments.json {
        true => output::json(&result),
        false => output::page(&view::run::page(&result, arguments.all)),
    }
}

fn workload(arguments: &RunArguments, progress: &Bar) -> Result<RunResult, Failure> {
    let workload = registry::find(&arguments.workload).map_err(|problem| {
        Failure::new(problem).with_help("`heddle workloads` lists them; a launch plan ends in .toml")
    })?;
    let named = arguments.graph.as_deref().unwrap_or(OsStr::new(EXAMPLE));
    // A problem without weights does not care what they look like.
    let policy = if workload.problem.is_weighted() { WeightPolicy::Refuse } else { WeightPolicy::Describe };
    let loaded = input::load(named, &arguments.read, policy, progress)?;
    let loaded = input::apply(loaded, &arguments.transforms, progress);
    let (vertices, arcs) = (loaded.graph.num_vertices(), loaded.graph.num_arcs());
    let (mut device, time) = device(arguments);
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
        workload: workload.name.to_owned(),
        problem: Some(workload.problem.name()),
        graph: Some(named.to_string_lossy().into_owned()),
        vertices,
        arcs,
        source_is_default: arguments.source.is_none(),
        sectors: arguments.sectors,
        wall_seconds: time.seconds(),
        notes: loaded.notes,
    };
    Ok(RunResult::of_workload(setting, &outcome))
}

fn plan(arguments: &RunArguments, progress: &Bar) -> Result<RunResult, Failure> {
    refuse_workload_options(arguments)?;
    let plan = Plan::read(Path::new(&arguments.workload)).map_err(|error| Failure::new(error.to_string()))?;
    let named = arguments.graph.clone().or_else(|| plan.graph().map(OsString::from));
    let loaded =
        match &named {
            None => None,
            Some(named) => {
                let loaded = input::load(named, &arguments.read, WeightPolicy::Refuse, progress)?;
                let mut transforms = Vec::new();
                for text in plan.transforms() {
                    let parsed = heddle_graph::transform::parse(text);
                    transforms.push(parsed.map_err(|error| {
                        Failure::new(format!("{}: transforms: {error}", arguments.workload))
                    })?);
                }
                transforms.extend(arguments.transforms.iter().cloned());
                Some(input::apply(loaded, &transforms, progress))
            }
        };
    if named.is_none() && (arguments.source.is_some() || !arguments.transforms.is_empty()) {
        let problem = "--source and --transform concern a graph, and the plan has none";
        return Err(Failure::usage(problem, "leave them out, or name a graph with --graph"));
    }
    let (mut device, time) = device(arguments);
    progress.begin("plan", 0);
    let told = |_: usize, _: u64| progress.advance(1);
    let graph = loaded.as_ref().map(|loaded| &loaded.graph);
    let outcome = plan.run(graph, arguments.source, &mut device, &told);
    let outcome = outcome.map_err(plan_failure)?;
    outcome.saved.iter().try_for_each(save)?;
    let setting = Setting {
        workload: arguments.workload.clone(),
        problem: None,
        graph: named.map(|named| named.to_string_lossy().into_owned()),
        vertices: graph.map_or(0, |graph| graph.num_vertices()),
        arcs: graph.map_or(0, |graph| graph.num_arcs()),
        source_is_default: arguments.source.is_none() && !plan.names_source(),
        sectors: arguments.sectors,
        wall_seconds: time.seconds(),
        notes: loaded.map_or(Vec::new(), |loaded| loaded.notes),
    };
    Ok(RunResult::of_plan(setting, &outcome))
}

/// A plan's error in words; a wrong result is saved all the same, so that it can be looked at.
pub(super) fn plan_failure(error: PlanError) -> Failure {
    if let PlanError::Wrong { saved, .. } = &error
        && let Err(failure) = saved.iter().filter(|saved| !saved.file.is_empty()).try_for_each(save)
    {
        return failure;
    }
    Failure::new(error.to_string())
}

/// An option that would be ignored is a misunderstanding, so it is not.
fn refuse_workload_options(arguments: &RunArguments) -> Result<(), Failure> {
    let given = [
        ("--target", arguments.target.is_some()),
        ("--block", arguments.block.is_some()),
        ("--param", !arguments.settings.is_empty()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((option, _)) => {
            let problem = format!("{option} concerns the workloads of the library; a plan says it itself");
            Err(Failure::usage(problem, "leave it out"))
        }
        None => Ok(()),
    }
}

/// A functional device, and the time that its launches take.
fn device(arguments: &RunArguments) -> (Device, HostTime) {
    let machine = Timed::new(Functional {
        count_sectors: arguments.sectors,
        instruction_limit: arguments.limit,
        ..Functional::default()
    });
    let time = machine.time();
    (Device::new(Box::new(machine)), time)
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
