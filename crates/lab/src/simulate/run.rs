//! One run of a workload on a machine with time.

use super::checkpoint::{Checkpoint, FunctionalRun, Recorder, Resumed};
use super::kept::Kept;
use super::rows::{launch_row, run_row};
use crate::error::LabError;
use crate::experiment::Point;
use crate::record::Outcome;
use crate::select::{LaunchChoice, LaunchSize};
use heddle_device::{Device, DeviceError, LaunchError, Machine};
use heddle_gpu::{Gpu, LaunchSet, RunSettings, SharedRecord};
use heddle_graph::Graph;
use heddle_image::Image;
use heddle_machine::Resolved;
use heddle_ptx::exec::Functional;
use heddle_workloads::library::{self, RunOptions, Workload, WorkloadError};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Raised when a run is to end.
pub type Flag = Arc<AtomicBool>;

/// What a run without time follows from: workload, graph, settings of the run, and the launches that are chosen.
pub(crate) type Asked = (&'static str, String, String, String);

/// Runs without time.
pub(super) type FunctionalRuns = Kept<Asked, FunctionalRun>;

/// A program and its input.
struct Program<'a> {
    workload: &'static Workload,
    graph: &'a Graph,
    options: RunOptions,
    stopped: &'a Flag,
}

/// What came out of a run.
pub struct Ran {
    /// Figures.
    pub outcome: Outcome,
    /// Bytes of the device's memory that no allocator counts, because large buffers are mapped.
    pub mapped_bytes: u64,
}

impl From<Outcome> for Ran {
    fn from(outcome: Outcome) -> Ran {
        Ran { outcome, mapped_bytes: 0 }
    }
}

/// Buffers from this length on are mapped by themselves.
const MAPPED: u64 = 4 << 20;

/// Runs a point and judges its answer.
pub(super) fn run(
    point: &Point,
    workload: &'static Workload,
    graph: &Graph,
    machine: &Resolved,
    runs: &FunctionalRuns,
    stopped: &Flag,
) -> Result<Ran, LabError> {
    let program = Program { workload, graph, options: options(point), stopped };
    let without_time = functional_run(point, &program, runs)?;
    let settings = RunSettings {
        launches: launches(point, without_time.as_deref())?,
        max_cycles: point.max_cycles,
        cold: point.cold,
        registers: point.kernel.iter().cloned().zip(point.registers).collect(),
        interrupt: Some(Arc::clone(stopped)),
        ..RunSettings::default()
    };
    // A warm launch depends on more than memory.
    let known = without_time.as_deref().filter(|_| point.cold);
    let (mut record, mut outcome, mapped_bytes) = program.in_time(machine, settings.clone(), known)?;
    if machine.spec.memory.foresees() {
        // The first run has recorded what the second one decides by.
        let foresight = record.borrow_mut().take_foresight();
        let help = "simulate fewer launches";
        let foresight = foresight.map_err(|problem| LabError::new(problem).with_help(help))?;
        let settings = RunSettings { foresight: Some(foresight), ..settings };
        (record, outcome, _) = program.in_time(machine, settings, known)?;
    }
    let record = record.borrow();
    if let Some(choice) = &point.launches {
        refuse_missing(choice, outcome.launches.len(), record.launches.is_empty())?;
    }
    let launches = record.launches.iter().map(|launch| launch_row(launch, &outcome.launches)).collect();
    let outcome = Outcome::Done { run: run_row(graph, &record, &outcome), launches };
    Ok(Ran { outcome, mapped_bytes })
}

fn options(point: &Point) -> RunOptions {
    let Point { source, target, block, .. } = *point;
    RunOptions { source, target, block, settings: point.params.clone() }
}

/// Which run without time a point needs, if it needs one: that which says which launches are chosen.
pub(super) fn asked<'a>(point: &'a Point, workload: &Workload) -> Option<(&'a LaunchChoice, Asked)> {
    let choice = point.launches.as_ref().filter(|choice| choice.known().is_none())?;
    let named = (&point.graph, &point.transforms);
    let options = format!("{:?}", options(point));
    Some((choice, (workload.name, format!("{named:?}"), options, choice.to_string())))
}

/// The run without time that says which launches are chosen, where that is needed.
fn functional_run(
    point: &Point,
    program: &Program<'_>,
    runs: &FunctionalRuns,
) -> Result<Option<Arc<FunctionalRun>>, LabError> {
    let Some((choice, asked)) = asked(point, program.workload) else { return Ok(None) };
    loop {
        let mut is_own = false;
        let made = runs.get_or_make(asked.clone(), || {
            is_own = true;
            program.without_time(choice)
        });
        // Another point's run may have been stopped, which is no failure of this one.
        if made.is_ok() || is_own {
            return made.map(Some);
        }
    }
}

/// The launches that are simulated in time; all if there is no choice.
fn launches(point: &Point, without_time: Option<&FunctionalRun>) -> Result<Option<LaunchSet>, LabError> {
    let Some(choice) = &point.launches else { return Ok(None) };
    let Some(FunctionalRun { sizes, .. }) = without_time else { return Ok(choice.known()) };
    let chosen = choice.choose(sizes);
    refuse_missing(choice, sizes.len(), chosen.is_empty())?;
    Ok(Some(chosen))
}

/// Refuses a choice that names launches which a run of so many has not, or none at all. A run that launches nothing lacks
/// nothing.
fn refuse_missing(choice: &LaunchChoice, launches: usize, is_none: bool) -> Result<(), LabError> {
    let problem = match choice.beyond(launches) {
        _ if launches == 0 => return Ok(()),
        Some(number) => format!("names launch {number}, and the run has {launches}"),
        None if is_none && !choice.may_be_none() => format!("names none of the {launches} of the run"),
        None => return Ok(()),
    };
    Err(LabError::new(format!("launches = \"{choice}\" {problem}")))
}

impl Program<'_> {
    /// Runs it in time, from the launch of a checkpoint if there is one.
    fn in_time(
        &self,
        machine: &Resolved,
        settings: RunSettings,
        known: Option<&FunctionalRun>,
    ) -> Result<(SharedRecord, library::Outcome, u64), LabError> {
        let mut gpu =
            Gpu::new(machine.spec.clone(), settings).map_err(|error| LabError::new(error.to_string()))?;
        let flag = Arc::clone(self.stopped);
        gpu.on_progress(Box::new(move |_| match flag.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }));
        let record = gpu.record();
        let (outcome, mapped) = match known.and_then(|known| Some((known, known.checkpoint.as_ref()?))) {
            Some((known, checkpoint)) => self.run_from(known, checkpoint, gpu)?,
            None => self.run(Box::new(gpu))?,
        };
        Ok((record, outcome, mapped))
    }

    /// Runs it from the beginning. With what came out is how much of the device's memory was mapped.
    fn run(&self, machine: Box<dyn Machine>) -> Result<(library::Outcome, u64), LabError> {
        let mut device = Device::new(machine);
        let outcome = library::run(self.workload, self.graph.clone(), &mut device, &self.options, &|_, _| {});
        let outcome = outcome.map_err(|error| LabError::new(words(&error)))?;
        Ok((outcome, mapped_bytes(device.image())))
    }

    /// Runs the launch of a checkpoint in time, and what follows from it without.
    fn run_from(
        &self,
        known: &FunctionalRun,
        checkpoint: &Checkpoint,
        mut gpu: Gpu,
    ) -> Result<(library::Outcome, u64), LabError> {
        let mut image = checkpoint.image();
        gpu.continue_at(checkpoint.number);
        let report = gpu
            .launch(checkpoint.request(&mut image))
            .map_err(|error| LabError::new(words(&WorkloadError::Device(DeviceError::Launch(error)))))?;
        if !checkpoint.is_followed_by(&image) {
            return self.run(Box::new(Resumed::new(self.functional(), checkpoint.number, image, report)));
        }
        let mut outcome = known.outcome.clone();
        outcome.launches[checkpoint.number as usize].report = report;
        Ok((outcome, mapped_bytes(&image)))
    }

    /// Runs it without time.
    fn without_time(&self, choice: &LaunchChoice) -> Result<FunctionalRun, LabError> {
        let recorder = Recorder::new(self.functional(), choice);
        let left = recorder.left();
        let (outcome, _) = self.run(Box::new(recorder))?;
        let size = |launch: &library::LaunchRecord| LaunchSize {
            kernel: launch.report.kernel.clone(),
            warp_instructions: launch.report.warp_instructions,
        };
        let sizes: Vec<LaunchSize> = outcome.launches.iter().map(size).collect();
        let chosen = choice.choose(&sizes);
        let alone =
            |checkpoint: &Checkpoint| chosen == LaunchSet::from(checkpoint.number..checkpoint.number + 1);
        let checkpoint = left.take().filter(alone);
        Ok(FunctionalRun { outcome, sizes, checkpoint })
    }

    fn functional(&self) -> Functional {
        Functional { interrupt: Some(Arc::clone(self.stopped)), ..Functional::default() }
    }
}

/// The buffers of a device that are mapped.
fn mapped_bytes(image: &Image) -> u64 {
    image.regions().iter().map(|region| region.length()).filter(|&length| length >= MAPPED).sum()
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

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_graph::read::ReadOptions;
    use heddle_graph::source;
    use heddle_machine::Machine as MachineFile;
    use heddle_workloads::library::registry;

    fn gpu() -> Gpu {
        let spec = MachineFile::named("fermi").unwrap().resolve().unwrap().spec;
        Gpu::new(spec, RunSettings { cold: true, ..RunSettings::default() }).unwrap()
    }

    #[test]
    fn the_rest_of_a_program_is_executed_from_what_a_launch_left() {
        let graph = source::load("uniform:scale=8,degree=4", &ReadOptions::default()).unwrap().graph;
        let choices =
            [("colouring-topology", "kernel=color_mark,largest=1"), ("h-bfs", "kernel=Kernel,largest=1")];
        for (workload, choice) in choices {
            let workload = registry::find(workload).unwrap();
            let options = RunOptions::default();
            let program = Program { workload, graph: &graph, options, stopped: &Flag::default() };
            let mut known = program.without_time(&LaunchChoice::parse(choice).unwrap()).unwrap();
            let checkpoint = known.checkpoint.take().unwrap();
            let (shared, _) = program.run_from(&known, &checkpoint, gpu()).unwrap();
            // Had the rest been taken from this run, there would be no answer.
            known.outcome.answer = library::Answer::Set(Vec::new());
            let (executed, _) = program.run_from(&known, &checkpoint.followed_by_nothing(), gpu()).unwrap();
            assert_eq!(shared.answer, executed.answer);
            assert_eq!(shared.iterations, executed.iterations);
            let sizes = |outcome: &library::Outcome| -> Vec<u64> {
                outcome.launches.iter().map(|launch| launch.report.warp_instructions).collect()
            };
            assert_eq!(sizes(&shared), sizes(&executed));
        }
    }
}
