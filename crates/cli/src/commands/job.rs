//! A workload or plan with its graph, loaded once and run on as many machines as wanted.

use crate::arguments::WorkArguments;
use crate::failure::Failure;
use crate::input;
use crate::provenance::{Hashed, Provenance};
use crate::result::{RunResult, Setting};
use crate::timed::HostTime;
use heddle_device::Device;
use heddle_graph::Graph;
use heddle_graph::progress::Progress;
use heddle_graph::read::WeightPolicy;
use heddle_workloads::library::{self, RunOptions, Workload, WorkloadError, registry};
use heddle_workloads::plan::{Plan, PlanError, SavedBuffer};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The graph if the user names none.
const EXAMPLE: &str = "rmat:scale=14,degree=8";

/// What is run, on what.
pub(super) struct Job<'a> {
    arguments: &'a WorkArguments,
    program: Program,
    graph: Option<Graph>,
    named: Option<String>,
    notes: Vec<String>,
    provenance: Provenance,
}

enum Program {
    Workload(&'static Workload),
    Plan(Box<Plan>),
}

impl<'a> Job<'a> {
    /// Finds the program and loads its graph.
    pub(super) fn load(arguments: &'a WorkArguments, progress: &dyn Progress) -> Result<Job<'a>, Failure> {
        match arguments.workload.ends_with(".toml") {
            true => Job::plan(arguments, progress),
            false => Job::workload(arguments, progress),
        }
    }

    fn workload(arguments: &'a WorkArguments, progress: &dyn Progress) -> Result<Job<'a>, Failure> {
        let workload = registry::find(&arguments.workload).map_err(|problem| {
            Failure::new(problem).with_help("`heddle workloads` lists them; a launch plan ends in .toml")
        })?;
        let named = arguments.graph.as_deref().unwrap_or(OsStr::new(EXAMPLE));
        // A problem without weights does not care what they look like.
        let policy =
            if workload.problem.is_weighted() { WeightPolicy::Refuse } else { WeightPolicy::Describe };
        let loaded = input::load(named, &arguments.read, policy, progress)?;
        let loaded = input::apply(loaded, &arguments.transforms, progress);
        let named = named.to_string_lossy().into_owned();
        let hashed = Hashed::graph(&named, &loaded.graph);
        Ok(Job {
            arguments,
            program: Program::Workload(workload),
            graph: Some(loaded.graph),
            named: Some(named),
            notes: loaded.notes,
            provenance: Provenance::new(Some(hashed), Hashed::workload(workload)),
        })
    }

    fn plan(arguments: &'a WorkArguments, progress: &dyn Progress) -> Result<Job<'a>, Failure> {
        refuse_workload_options(arguments)?;
        let plan = Plan::read(Path::new(&arguments.workload));
        let plan = plan.map_err(|error| Failure::new(error.to_string()))?;
        let named = arguments.graph.clone().or_else(|| plan.graph().map(OsString::from));
        if named.is_none() && (arguments.source.is_some() || !arguments.transforms.is_empty()) {
            let problem = "--source and --transform concern a graph, and the plan has none";
            return Err(Failure::usage(problem, "leave them out, or name a graph with --graph"));
        }
        let (mut graph, mut notes) = (None, Vec::new());
        if let Some(named) = &named {
            let loaded = input::load(named, &arguments.read, WeightPolicy::Refuse, progress)?;
            let mut transforms = Vec::new();
            for text in plan.transforms() {
                let wrong = |error| Failure::new(format!("{}: transforms: {error}", arguments.workload));
                transforms.push(heddle_graph::transform::parse(text).map_err(wrong)?);
            }
            transforms.extend(arguments.transforms.iter().cloned());
            let loaded = input::apply(loaded, &transforms, progress);
            (graph, notes) = (Some(loaded.graph), loaded.notes);
        }
        let named = named.map(|named| named.to_string_lossy().into_owned());
        let hashed = named.as_deref().zip(graph.as_ref()).map(|(name, graph)| Hashed::graph(name, graph));
        let provenance = Provenance::new(hashed, Hashed::files(&plan.programs())?);
        Ok(Job { arguments, program: Program::Plan(Box::new(plan)), graph, named, notes, provenance })
    }

    /// What is run.
    pub(super) fn name(&self) -> &str {
        match &self.program {
            Program::Workload(workload) => workload.name,
            Program::Plan(_) => &self.arguments.workload,
        }
    }

    /// Runs it on a device that measures its time, and says what it did; with the buffers that a plan wants saved.
    pub(super) fn run(
        &self,
        device: &mut Device,
        time: &HostTime,
        sectors: bool,
        told: &dyn Fn(usize, u64),
    ) -> Result<(RunResult, Vec<SavedBuffer>), Failure> {
        let arguments = self.arguments;
        match &self.program {
            Program::Workload(workload) => {
                let options = RunOptions {
                    source: arguments.source,
                    target: arguments.target,
                    block: arguments.block,
                    settings: arguments.settings.clone(),
                };
                let graph =
                    self.graph.clone().unwrap_or_else(|| Graph::directed(heddle_graph::Csr::empty(0)));
                let outcome = library::run(workload, graph, device, &options, told).map_err(failure)?;
                let setting = self.setting(Some(workload.problem.name()), false, sectors, time);
                Ok((RunResult::of_workload(setting, &outcome), Vec::new()))
            }
            Program::Plan(plan) => {
                let outcome = plan.run(self.graph.as_ref(), arguments.source, device, told);
                let outcome = outcome.map_err(plan_failure)?;
                let setting = self.setting(None, plan.names_source(), sectors, time);
                Ok((RunResult::of_plan(setting, &outcome), outcome.saved))
            }
        }
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
            source_is_default: self.arguments.source.is_none() && !names_source,
            sectors,
            wall_seconds: time.seconds(),
            notes: self.notes.clone(),
            provenance: self.provenance.clone(),
        }
    }
}

/// A plan's error in words; a wrong result is saved all the same, so that it can be looked at.
pub(super) fn plan_failure(error: PlanError) -> Failure {
    if let PlanError::Wrong { saved, .. } = &error
        && let Err(failure) =
            saved.iter().filter(|saved| !saved.file.is_empty()).try_for_each(super::save::save)
    {
        return failure;
    }
    Failure::new(error.to_string())
}

/// An option that would be ignored is a misunderstanding, so it is not.
fn refuse_workload_options(arguments: &WorkArguments) -> Result<(), Failure> {
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

/// A workload's error in words.
fn failure(error: WorkloadError) -> Failure {
    match error {
        WorkloadError::Setting(problem) => {
            Failure::usage(problem, "`heddle workloads NAME` shows the settings of a workload")
        }
        error => Failure::new(error.to_string()),
    }
}
