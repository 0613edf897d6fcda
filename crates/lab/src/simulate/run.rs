//! One run of a workload on a machine with time.

use super::rows::{launch_row, run_row};
use super::shared::Shared;
use crate::error::LabError;
use crate::experiment::Point;
use crate::record::Outcome;
use crate::select::LaunchSize;
use heddle_device::{Device, DeviceError, LaunchError};
use heddle_gpu::{Gpu, LaunchSet, RunSettings, SharedRecord};
use heddle_graph::Graph;
use heddle_machine::Resolved;
use heddle_ptx::exec::Functional;
use heddle_workloads::library::{self, RunOptions, Workload, WorkloadError};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Raised when a run is to end.
pub type Flag = Arc<AtomicBool>;

/// What the sizes of launches follow from: workload, graph, and settings of the run.
type Asked = (&'static str, String, String);

/// Sizes of the launches of functional runs.
pub(super) type Sizes = Shared<Asked, Result<Arc<Vec<LaunchSize>>, LabError>>;

/// Runs a point and judges its answer.
pub(super) fn run(
    point: &Point,
    workload: &'static Workload,
    graph: &Graph,
    machine: &Resolved,
    sizes: &Sizes,
    stopped: &Flag,
) -> Result<Outcome, LabError> {
    let options = RunOptions {
        source: point.source,
        target: point.target,
        block: point.block,
        settings: point.params.clone(),
    };
    let settings = RunSettings {
        launches: launches(point, workload, graph, &options, sizes, stopped)?,
        max_cycles: point.max_cycles,
        cold: point.cold,
        registers: point.kernel.iter().cloned().zip(point.registers).collect(),
        interrupt: Some(Arc::clone(stopped)),
        ..RunSettings::default()
    };
    let run = |settings: RunSettings| in_time(workload, graph, machine, &options, settings, stopped);
    let (mut record, mut outcome) = run(settings.clone())?;
    if machine.spec.memory.foresees() {
        // The first run has recorded what the second one decides by.
        let foresight = record.borrow_mut().take_foresight();
        let help = "simulate fewer launches";
        let foresight = foresight.map_err(|problem| LabError::new(problem).with_help(help))?;
        (record, outcome) = run(RunSettings { foresight: Some(foresight), ..settings })?;
    }
    let record = record.borrow();
    if let Some(choice) = point.launches.as_ref().filter(|choice| !choice.may_be_none())
        && record.launches.is_empty()
        && !outcome.launches.is_empty()
    {
        let problem =
            format!("launches = \"{choice}\" names none of the {} of the run", outcome.launches.len());
        return Err(LabError::new(problem));
    }
    let launches = record.launches.iter().map(|launch| launch_row(launch, &outcome.launches)).collect();
    Ok(Outcome::Done { run: run_row(graph, &record, &outcome), launches })
}

/// Runs a workload on a machine in time.
fn in_time(
    workload: &'static Workload,
    graph: &Graph,
    machine: &Resolved,
    options: &RunOptions,
    settings: RunSettings,
    stopped: &Flag,
) -> Result<(SharedRecord, library::Outcome), LabError> {
    let mut gpu =
        Gpu::new(machine.spec.clone(), settings).map_err(|error| LabError::new(error.to_string()))?;
    let flag = Arc::clone(stopped);
    gpu.on_progress(Box::new(move |_| match flag.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }));
    let record = gpu.record();
    let mut device = Device::new(Box::new(gpu));
    let outcome = library::run(workload, graph.clone(), &mut device, options, &|_, _| {});
    let outcome = outcome.map_err(|error| LabError::new(words(&error)))?;
    Ok((record, outcome))
}

/// The launches that are simulated in time; all if there is no choice.
fn launches(
    point: &Point,
    workload: &'static Workload,
    graph: &Graph,
    options: &RunOptions,
    sizes: &Sizes,
    stopped: &Flag,
) -> Result<Option<LaunchSet>, LabError> {
    let Some(choice) = &point.launches else { return Ok(None) };
    if let Some(known) = choice.known() {
        return Ok(Some(known));
    }
    let named = (point.graph.clone(), &point.transforms);
    let asked = (workload.name, format!("{named:?}"), format!("{options:?}"));
    let sizes = sizes.get_or_make(asked, || functional_sizes(workload, graph, options, stopped))?;
    let chosen = choice.choose(&sizes);
    if chosen.is_empty() && !choice.may_be_none() {
        let problem = format!("launches = \"{choice}\" names none of the {} of the run", sizes.len());
        return Err(LabError::new(problem));
    }
    Ok(Some(chosen))
}

/// The launches of a run without time.
fn functional_sizes(
    workload: &Workload,
    graph: &Graph,
    options: &RunOptions,
    stopped: &Flag,
) -> Result<Vec<LaunchSize>, LabError> {
    let interrupt = Some(Arc::clone(stopped));
    let mut device = Device::new(Box::new(Functional { interrupt, ..Functional::default() }));
    let outcome = library::run(workload, graph.clone(), &mut device, options, &|_, _| {});
    let outcome = outcome.map_err(|error| LabError::new(words(&error)))?;
    let size = |launch: library::LaunchRecord| LaunchSize {
        kernel: launch.report.kernel,
        warp_instructions: launch.report.warp_instructions,
    };
    Ok(outcome.launches.into_iter().map(size).collect())
}

/// A failure in words; one that the hook asked for says only that.
fn words(error: &WorkloadError) -> String {
    match error {
        WorkloadError::Device(DeviceError::Launch(LaunchError::Interrupted { kernel, at })) => {
            format!("stopped in {kernel} at {at}")
        }
        other => other.to_string(),
    }
}
