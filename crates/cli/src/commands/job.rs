//! A workload or plan with its graph, loaded once and run on as many machines as wanted.

use super::task::{Program, Task};
use crate::arguments::WorkArguments;
use crate::failure::Failure;
use crate::input;
use crate::provenance::{Hashed, Provenance};
use crate::result::{RunResult, Setting};
use crate::timed::HostTime;
use heddle_device::{Device, DeviceError, LaunchError, LaunchReport};
use heddle_gpu::LaunchSet;
use heddle_graph::Graph;
use heddle_graph::error::nearest;
use heddle_graph::progress::Progress;
use heddle_graph::read::WeightPolicy;
use heddle_lab::select::{LaunchChoice, LaunchSize};
use heddle_workloads::library::{self, LaunchRecord, RunOptions, WorkloadError};
use heddle_workloads::plan::{Plan, PlanError, SavedBuffer};

/// What a plan calls the launch that `heddle ptx run` makes it of.
const ONLY_STEP: &str = "step 1";

/// What is run, on what.
pub(super) struct Job {
    program: Program,
    name: String,
    options: RunOptions,
    graph: Option<Graph>,
    named: Option<String>,
    notes: Vec<String>,
    provenance: Provenance,
    /// Whether it is one launch of the command line, and no plan that its user would know of.
    is_launch: bool,
}

/// A run that came to its end, or was stopped after it had measured something.
pub(super) struct Ran {
    pub(super) result: RunResult,
    /// Buffers that a plan wants saved.
    pub(super) saved: Vec<SavedBuffer>,
    /// Why it was stopped.
    pub(super) stopped: Option<Failure>,
}

impl Job {
    /// Loads the graph of a task.
    pub(super) fn load(
        task: Task,
        arguments: &WorkArguments,
        progress: &dyn Progress,
    ) -> Result<Job, Failure> {
        let policy = match &task.program {
            // A problem without weights does not care what they look like.
            Program::Workload(workload) if !workload.problem.is_weighted() => WeightPolicy::Describe,
            _ => WeightPolicy::Refuse,
        };
        let (mut graph, mut notes) = (None, Vec::new());
        if let Some(named) = &task.graph {
            let loaded = input::load(named, &arguments.read, policy, progress)?;
            let loaded = input::apply(loaded, &task.transforms, progress);
            (graph, notes) = (Some(loaded.graph), loaded.notes);
        }
        let named = task.graph.as_ref().map(|named| named.to_string_lossy().into_owned());
        let hashed = named.as_deref().zip(graph.as_ref()).map(|(name, graph)| Hashed::graph(name, graph));
        let provenance = Provenance::new(hashed, task.program.hashes()?);
        Ok(Job {
            program: task.program,
            name: task.name,
            options: task.options,
            graph,
            named,
            notes,
            provenance,
            is_launch: false,
        })
    }

    /// One launch, without a graph.
    pub(super) fn without_graph(task: Task) -> Result<Job, Failure> {
        let provenance = Provenance::new(None, task.program.hashes()?);
        let (program, name, options) = (task.program, task.name, task.options);
        Ok(Job {
            program,
            name,
            options,
            graph: None,
            named: None,
            notes: Vec::new(),
            provenance,
            is_launch: true,
        })
    }

    /// The launches that are simulated in time, where the choice follows from their sizes: those of a run without time.
    /// None where there is no choice, or numbers alone.
    pub(super) fn chosen(&self, choice: Option<&LaunchChoice>) -> Result<Option<LaunchSet>, Failure> {
        let Some(choice) = choice else { return Ok(None) };
        if let Some(known) = choice.known() {
            return Ok(Some(known));
        }
        let mut device = Device::functional();
        let ran = self.run(&mut device, &HostTime::default(), false, &|_, _| {}, &|| None)?;
        let size = |row: &crate::result::LaunchRow| LaunchSize {
            kernel: row.kernel.clone(),
            warp_instructions: row.warp_instructions,
        };
        let sizes: Vec<LaunchSize> = ran.result.launches.iter().map(size).collect();
        if let Some(number) = choice.beyond(sizes.len()).filter(|_| !sizes.is_empty()) {
            return Err(beyond(number, sizes.len()));
        }
        let chosen = choice.choose(&sizes);
        match chosen.is_empty() && !sizes.is_empty() {
            false => Ok(Some(chosen)),
            true => Err(Failure::usage(
                format!("--launches {choice} names none of the run: it has {}", sizes.len()),
                of_kernels(choice, &sizes),
            )),
        }
    }

    /// What is run.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Runs it on a device that measures its time, and says what it did. `cut_off` gives the report of a launch in
    /// whose midst the run was stopped.
    pub(super) fn run(
        &self,
        device: &mut Device,
        time: &HostTime,
        sectors: bool,
        told: &dyn Fn(usize, u64),
        cut_off: &dyn Fn() -> Option<LaunchReport>,
    ) -> Result<Ran, Failure> {
        match &self.program {
            Program::Workload(workload) => {
                let graph =
                    self.graph.clone().unwrap_or_else(|| Graph::directed(heddle_graph::Csr::empty(0)));
                let outcome = library::attempt(workload, graph, device, &self.options, told);
                let setting = || self.setting(Some(workload.problem.name()), false, sectors, time);
                let unfinished = match outcome {
                    Ok(outcome) => {
                        let result = RunResult::of_workload(setting(), &outcome);
                        return Ok(Ran { result, saved: Vec::new(), stopped: None });
                    }
                    Err(unfinished) => unfinished,
                };
                let (Some(stop), Some(mut done)) = (stop_of_workload(&unfinished.error), unfinished.done)
                else {
                    return Err(failure(unfinished.error));
                };
                add(&mut done.launches, done.iterations.len(), cut_off());
                let result =
                    RunResult::of_stopped_workload(setting(), &done, stop.words(done.launches.len()));
                Ok(Ran { result, saved: Vec::new(), stopped: Some(stop.failure()) })
            }
            Program::Plan(plan) => self.run_plan(plan, device, time, sectors, told, cut_off),
        }
    }

    fn run_plan(
        &self,
        plan: &Plan,
        device: &mut Device,
        time: &HostTime,
        sectors: bool,
        told: &dyn Fn(usize, u64),
        cut_off: &dyn Fn() -> Option<LaunchReport>,
    ) -> Result<Ran, Failure> {
        let outcome = plan.attempt(self.graph.as_ref(), self.options.source, device, told);
        let setting = || self.setting(None, plan.names_source(), sectors, time);
        let mut unfinished = match outcome {
            Ok(outcome) => {
                let result = RunResult::of_plan(setting(), &outcome);
                return Ok(Ran { result, saved: outcome.saved, stopped: None });
            }
            Err(unfinished) => unfinished,
        };
        let stop = match &unfinished.error {
            PlanError::Device { error, .. } => stop_of(error),
            _ => None,
        };
        let Some(stop) = stop else {
            return Err(plan_failure(match self.is_launch {
                true => of_launch(unfinished.error),
                false => unfinished.error,
            }));
        };
        add(&mut unfinished.launches, unfinished.iterations.len(), cut_off());
        let words = stop.words(unfinished.launches.len());
        let result = RunResult::of_stopped_plan(setting(), &unfinished, words);
        Ok(Ran { result, saved: Vec::new(), stopped: Some(stop.failure()) })
    }

    fn setting(
        &self,
        problem: Option<&'static str>,
        names_source: bool,
        sectors: bool,
        time: &HostTime,
    ) -> Setting {
        Setting {
            workload: self.name().to_owned(),
            problem,
            graph: self.named.clone(),
            vertices: self.graph.as_ref().map_or(0, Graph::num_vertices),
            arcs: self.graph.as_ref().map_or(0, Graph::num_arcs),
            source_is_default: self.graph.is_some() && self.options.source.is_none() && !names_source,
            sectors,
            wall_seconds: time.seconds(),
            notes: self.notes.clone(),
            provenance: self.provenance.clone(),
        }
    }
}

/// A launch was named that a run of so many has not.
pub(super) fn beyond(number: u64, launches: usize) -> Failure {
    Failure::usage(
        format!("--launches names launch {number}, and the run has {launches}"),
        format!("name launches from 1 to {launches}"),
    )
}

/// What can be chosen in place of a choice that fits nothing.
fn of_kernels(choice: &LaunchChoice, sizes: &[LaunchSize]) -> String {
    let mut kernels: Vec<&str> = Vec::new();
    for size in sizes {
        if !kernels.contains(&size.kernel.as_str()) {
            kernels.push(&size.kernel);
        }
    }
    match choice.kernel().filter(|name| !kernels.contains(name)) {
        Some(name) => match nearest(name, kernels.iter().copied()) {
            Some(near) => format!("did you mean kernel={near}?"),
            None => format!("its kernels are {}", kernels.join(", ")),
        },
        None => format!("name launches from 1 to {}, of {}", sizes.len(), kernels.join(", ")),
    }
}

/// A run that was ended on purpose.
struct Stop<'a>(&'a LaunchError);

/// The stop in an error, if it is one.
fn stop_of(error: &DeviceError) -> Option<Stop<'_>> {
    match error {
        DeviceError::Launch(error @ (LaunchError::Cycles { .. } | LaunchError::Interrupted { .. })) => {
            Some(Stop(error))
        }
        _ => None,
    }
}

fn stop_of_workload(error: &WorkloadError) -> Option<Stop<'_>> {
    match error {
        WorkloadError::Device(error) => stop_of(error),
        _ => None,
    }
}

impl Stop<'_> {
    /// Why, in one line, for the result.
    fn words(&self, launch: usize) -> String {
        match self.0 {
            LaunchError::Cycles { kernel, cycles, .. } => {
                format!("stopped by --max-cycles {cycles} in launch {launch} ({kernel})")
            }
            LaunchError::Interrupted { kernel, .. } => format!("interrupted in launch {launch} ({kernel})"),
            other => other.to_string(),
        }
    }

    /// Why, for the user; told after the page.
    fn failure(&self) -> Failure {
        match self.0 {
            LaunchError::Interrupted { .. } => Failure::Interrupted { problem: self.0.to_string() },
            other => Failure::new(other.to_string())
                .with_help("what was measured until then is marked as partial; --max-cycles allows more"),
        }
    }
}

/// Adds the launch in whose midst a run was stopped.
fn add(launches: &mut Vec<LaunchRecord>, iterations: usize, cut_off: Option<LaunchReport>) {
    launches.extend(cut_off.map(|report| LaunchRecord { iteration: iterations.checked_sub(1), report }));
}

/// The error of a launch, without the step that it is in the plan that was made of it.
fn of_launch(error: PlanError) -> PlanError {
    match error {
        PlanError::Place { file, place, problem } if place == ONLY_STEP => PlanError::File { file, problem },
        PlanError::Device { file, place, error } if place == ONLY_STEP => {
            PlanError::File { file, problem: error.to_string() }
        }
        other => other,
    }
}

/// A plan's error in words; a wrong result is saved all the same, so that it can be looked at.
fn plan_failure(error: PlanError) -> Failure {
    if let PlanError::Wrong { saved, .. } = &error
        && let Err(failure) =
            saved.iter().filter(|saved| !saved.file.is_empty()).try_for_each(super::save::save)
    {
        return failure;
    }
    Failure::new(error.to_string())
}

/// A workload's error in words.
fn failure(error: WorkloadError) -> Failure {
    match error {
        WorkloadError::Setting(problem) => {
            Failure::usage(problem, "`heddle workloads NAME` shows the settings of a workload")
        }
        error => Failure::new(error.to_string()),
    }
}
