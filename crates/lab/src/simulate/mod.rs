//! From a point to its figures.
//!
//! A [`Workbench`] holds what points share: graphs, resolved machines, runs without time. Points are independent of
//! each other and of the threads that they run on.

mod behaviour;
mod checkpoint;
mod cost;
mod energy;
mod graph_figures;
mod graphs;
mod kept;
mod occupancy;
mod programs;
mod rows;
mod run;
mod shared;

pub use behaviour::golden_hashes;
pub use energy::fitted;
pub(crate) use run::Asked as SharedRun;
pub use run::{Flag, Ran};

use crate::error::LabError;
use crate::experiment::{Measure, Point};
use crate::hash::{Key, sha256};
use crate::record::{Made, Outcome, Record};
use crate::select::LaunchChoice;
use energy::Prices;
use graphs::{Graphs, HeldGraph};
use heddle_machine::{Machine, Resolved};
use heddle_workloads::library::{Problem, Settings, Workload, registry};
use programs::Programs;
use run::FunctionalRuns;
use shared::Shared;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Version of the program that makes results, and of the build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// Its version.
    pub version: String,
    /// The hash of its executable, the first 16 digits.
    pub hash: String,
}

/// A machine as a point asks for it: its name, mechanisms and settings.
type MachineAsked = (String, Vec<String>, Vec<String>);

/// What the points of a sweep share.
pub struct Workbench {
    build: Build,
    graphs: Graphs,
    machines: Shared<MachineAsked, Result<Arc<HeldMachine>, LabError>>,
    programs: Programs,
    functional_runs: FunctionalRuns,
    graph_folder: Option<PathBuf>,
}

/// A machine in memory.
pub(crate) struct HeldMachine {
    resolved: Resolved,
    /// Of its resolved file.
    sha256: String,
    /// Its behaviour version.
    behaviour: u32,
    /// What its counts cost; none where its energy table does not price them all.
    prices: Option<Prices>,
}

impl Deref for HeldMachine {
    type Target = Resolved;

    fn deref(&self) -> &Resolved {
        &self.resolved
    }
}

/// What stands for the user's folder of real graphs.
const GRAPH_FOLDER: &str = "{graphs}";

/// What a point is made from, and so which point it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The point's key.
    pub key: Key,
    /// What its record will say.
    pub made: Made,
}

impl Workbench {
    /// An empty one, which keeps about so many bytes of graphs that no point uses at the moment, and half as many of the
    /// states of programs that points begin with.
    pub fn new(build: Build, graph_bytes: u64) -> Workbench {
        Workbench {
            build,
            graphs: Graphs::new(graph_bytes),
            machines: Shared::default(),
            programs: Programs::default(),
            functional_runs: FunctionalRuns::new(graph_bytes / 2),
            graph_folder: None,
        }
    }

    /// The same with a folder of real graphs, which `{graphs}` at the beginning of a graph's name stands for.
    pub fn with_graphs(self, folder: Option<PathBuf>) -> Workbench {
        Workbench { graph_folder: folder, ..self }
    }

    /// Refuses a point that cannot run, before anything does. Graphs are not made for that, but their names are looked
    /// at.
    pub fn check(&self, point: &Point) -> Result<(), LabError> {
        // What is missing stands nowhere: then any line of the point tells which file it is.
        let anywhere = || point.places.values().next().cloned();
        let at = |error: LabError, keys: &[&str]| match point.place_of(keys).or_else(anywhere) {
            Some(place) => error.at(place),
            None => error,
        };
        self.check_machine(point).map_err(|error| at(error, &["with", "mechanism", "set", "machine"]))?;
        if matches!(point.measure, Measure::Run | Measure::Occupancy) {
            let workload = workload(point).map_err(|error| at(error, &["workload", "kernel", "graph"]))?;
            Settings::new(workload.settings, &point.params)
                .map_err(|problem| at(LabError::new(problem), &["param"]))?;
            refuse_ends(workload, point).map_err(|error| at(error, &["source", "target"]))?;
            let of_kernel = self.programs.check_kernel(workload, point);
            of_kernel.map_err(|error| at(error, &["kernel", "registers", "launches", "workload"]))?;
            self.check_registers(point).map_err(|error| at(error, &["registers"]))?;
        }
        self.check_graph(point).map_err(|error| at(error, &["graph", "transform", "workload"]))
    }

    fn check_machine(&self, point: &Point) -> Result<(), LabError> {
        match point.measure {
            Measure::Graph => Ok(()),
            Measure::Cost => cost::figures(point).map(drop),
            Measure::Run | Measure::Occupancy => self.machine(point).map(drop),
        }
    }

    /// A core has registers for one warp of a kernel, or the kernel never runs.
    fn check_registers(&self, point: &Point) -> Result<(), LabError> {
        let Some(registers) = point.registers else { return Ok(()) };
        let most = self.machine(point)?.core_limits().registers_per_thread;
        match registers <= most {
            true => Ok(()),
            false => Err(LabError::new(format!(
                "registers = {registers}: a thread of {} has at most {most}",
                point.machine
            ))),
        }
    }

    fn check_graph(&self, point: &Point) -> Result<(), LabError> {
        match (point.measure, &point.graph) {
            (Measure::Run | Measure::Graph, None) => Err(LabError::new("the point has no `graph`")),
            (Measure::Run | Measure::Graph, Some(graph)) => {
                graphs::check(&self.graph_name(graph)?, &point.transforms)
            }
            (Measure::Occupancy | Measure::Cost, _) => Ok(()),
        }
    }

    /// The file or recipe that a point's graph stands for.
    fn graph_name(&self, graph: &str) -> Result<String, LabError> {
        let Some(rest) = graph.strip_prefix(GRAPH_FOLDER) else { return Ok(graph.to_owned()) };
        match &self.graph_folder {
            Some(folder) => Ok(format!("{}{rest}", folder.display())),
            None => Err(LabError::new(format!("{graph}: no folder of real graphs was named"))
                .with_help("name it with --graphs DIR, or in HEDDLE_GRAPHS")),
        }
    }

    /// Which point it is; its graph is loaded for that, unless it has been. An error if it is stopped before that.
    pub fn identify(&self, point: &Point, is_stopped: &dyn Fn() -> bool) -> Result<Identity, LabError> {
        let graph = match point.measure.has_graph() {
            true => self.graph(point, is_stopped)?.sha256.clone(),
            false => String::new(),
        };
        self.identify_on(point, graph)
    }

    /// Which point it is, on a graph of this hash; empty for a point without one.
    pub fn identify_on(&self, point: &Point, graph: String) -> Result<Identity, LabError> {
        let program = match point.measure {
            Measure::Run | Measure::Occupancy => self.programs.hash(workload(point)?)?,
            Measure::Cost | Measure::Graph => String::new(),
        };
        let (machine, behaviour) = match point.measure {
            Measure::Graph => (String::new(), 0),
            _ => {
                let resolved = self.machine(point)?;
                (resolved.sha256.clone(), resolved.behaviour)
            }
        };
        let made = Made {
            version: self.build.version.clone(),
            build: self.build.hash.clone(),
            behaviour,
            program,
            graph,
            machine,
        };
        Ok(Identity { key: key(point, &made), made })
    }

    /// What stands for a point whose graph cannot be had: a key that no point with a graph has.
    pub fn identify_without_graph(&self, point: &Point) -> Result<Identity, LabError> {
        let named = format!("not to be had: {:?} {:?}", point.graph, point.transforms);
        let identity = self.identify_on(point, sha256(named.as_bytes()))?;
        Ok(Identity { made: Made { graph: String::new(), ..identity.made }, ..identity })
    }

    /// Whether a point's graph is made by a recipe, and not read from a file.
    pub fn is_recipe(&self, point: &Point) -> bool {
        let name = point.graph.as_deref().and_then(|graph| self.graph_name(graph).ok());
        name.is_some_and(|name| !Path::new(&name).exists())
    }

    /// The build that makes results.
    pub fn build(&self) -> &str {
        &self.build.hash
    }

    /// Runs a point, until it is done or is to stop: then there is an error. The flag is raised soon after
    /// `is_stopped` says so.
    pub fn run(&self, point: &Point, stopped: &Flag, is_stopped: &dyn Fn() -> bool) -> Result<Ran, LabError> {
        match point.measure {
            Measure::Run => {
                let (graph, machine) = (self.graph(point, is_stopped)?, self.machine(point)?);
                run::run(point, workload(point)?, &graph.graph, &machine, &self.functional_runs, stopped)
            }
            Measure::Occupancy => {
                occupancy::figures(point, workload(point)?, &self.programs, &self.machine(point)?.resolved)
                    .map(Ran::from)
            }
            Measure::Cost => cost::figures(point).map(Ran::from),
            Measure::Graph => graph_figures::figures(&self.graph(point, is_stopped)?.graph).map(Ran::from),
        }
    }

    /// The run without time that a point shares with others, if it needs one.
    pub(crate) fn shared_run(&self, point: &Point) -> Option<SharedRun> {
        let is_run = point.measure == Measure::Run;
        is_run.then(|| run::asked(point, workload(point).ok()?).map(|(_, asked)| asked)).flatten()
    }

    /// Drops a run without time that no further point needs.
    pub(crate) fn forget_run(&self, run: &SharedRun) {
        self.functional_runs.forget(run);
    }

    /// What the statistics of a point's machine mean; nothing where there is no machine.
    pub fn catalogue(&self, point: &Point) -> Option<heddle_engine::Catalogue> {
        let is_run = point.measure == Measure::Run;
        is_run
            .then(|| self.machine(point).ok().map(|resolved| heddle_gpu::catalogue(&resolved.spec)))
            .flatten()
    }

    /// Adds energy to the figures of a point's record, from its counts.
    pub fn price(&self, point: &Point, record: &mut Record) {
        let Outcome::Done { run, launches } = &mut record.outcome else { return };
        let machine = if point.measure == Measure::Run { self.machine(point).ok() } else { None };
        let Some(prices) = machine.as_ref().and_then(|machine| machine.prices.as_ref()) else { return };
        std::iter::once(run).chain(launches).for_each(|row| prices.add_to(row));
    }

    /// Arcs of a point's graph, where it has one.
    pub fn arcs(&self, point: &Point) -> Option<u64> {
        let has_graph = point.measure.has_graph();
        has_graph.then(|| self.graph(point, &|| false).ok().map(|graph| graph.graph.num_arcs())).flatten()
    }

    /// Bytes of a point's graph, where it has one: of its arcs.
    pub fn graph_bytes(&self, point: &Point) -> u64 {
        let has_graph = point.measure.has_graph();
        let bytes = || self.graph(point, &|| false).map_or(0, |graph| graph.bytes);
        if has_graph { bytes() } else { 0 }
    }

    /// Bytes that a point's run takes, roughly: its graph, the copy that the device holds, and what kernels keep for
    /// each vertex and arc.
    pub fn memory_estimate(&self, point: &Point) -> u64 {
        const OF_A_RUN: u64 = 64 << 20;
        const COPIES: u64 = 6;
        OF_A_RUN + COPIES * self.graph_bytes(point)
    }

    fn machine(&self, point: &Point) -> Result<Arc<HeldMachine>, LabError> {
        // The cost of a mechanism is that beside the machine as it is.
        let with = if point.measure == Measure::Cost { Vec::new() } else { point.with.clone() };
        let asked = (point.machine.clone(), with.clone(), point.set.clone());
        let resolve = || {
            let resolved = Machine::named(&point.machine)?.with(&with).set(&point.set).resolve()?;
            Ok(HeldMachine {
                sha256: sha256(resolved.toml.as_bytes()),
                behaviour: behaviour::version(&resolved.spec.name),
                prices: Prices::new(&resolved.spec),
                resolved,
            })
        };
        self.machines.get_or_make(asked, resolve)
    }

    fn graph(&self, point: &Point, is_stopped: &dyn Fn() -> bool) -> Result<Arc<HeldGraph>, LabError> {
        let name = point.graph.as_deref().ok_or_else(|| LabError::new("the point has no `graph`"))?;
        // A problem without weights does not care what they look like.
        let needs_weights = point.measure == Measure::Run && workload(point)?.problem.is_weighted();
        self.graphs.get(&self.graph_name(name)?, &point.transforms, needs_weights, is_stopped)
    }
}

fn workload(point: &Point) -> Result<&'static Workload, LabError> {
    if point.workload.is_empty() {
        return Err(LabError::new("the point has no `workload`").with_help("`heddle workloads` lists them"));
    }
    registry::find(&point.workload)
        .map_err(|problem| LabError::new(problem).with_help("`heddle workloads` lists them"))
}

/// An end of a path that the problem knows nothing of is a misunderstanding.
fn refuse_ends(workload: &Workload, point: &Point) -> Result<(), LabError> {
    let problem = workload.problem;
    match (point.source, point.target) {
        (Some(_), _) if !problem.has_source() => {
            Err(LabError::new(format!("{} starts at no single vertex: leave `source` out", problem.name())))
        }
        (_, Some(_)) if problem != Problem::Stcon => {
            Err(LabError::new(format!("{} has no target: leave `target` out", problem.name())))
        }
        _ => Ok(()),
    }
}

/// Version of what a key is made of. That of records is another: how they are written changes nothing of what they say.
const KEY_SCHEMA: u32 = 1;

/// How the launches of a point begin. Several that start cold have a word of their own: there are records from
/// when more than memory reached the next one, which must not be taken for those of launches that each stand alone. The
/// figures of a single one were never others, and no version of a machine's behaviour is raised.
fn start(point: &Point) -> &'static str {
    let is_at_most_one = point.launches.as_ref().is_some_and(LaunchChoice::is_at_most_one);
    match (point.cold, is_at_most_one) {
        (false, _) => "false",
        (true, true) => "true",
        (true, false) => "each",
    }
}

/// The content of everything that a point's figures follow from, and nothing of what it is called.
fn key(point: &Point, made: &Made) -> Key {
    let workload = registry::find(&point.workload).map_or("", |workload| workload.name);
    let mechanism = if point.measure == Measure::Cost { point.with.join("+") } else { String::new() };
    Key::of(&format!(
        "schema {KEY_SCHEMA}\nmeasure {:?}\nbehaviour {}\nprogram {workload} {}\ngraph {}\nmachine {}\nmechanism \
         {mechanism}\nparams {:?}\nends {:?} {:?}\nblock {:?}\nkernel {:?}\nregisters {:?}\nlaunches {}\ncold {}\n\
         max_cycles {:?}\n",
        point.measure,
        made.behaviour,
        made.program,
        made.graph,
        made.machine,
        point.params,
        point.source,
        point.target,
        point.block,
        point.kernel,
        point.registers,
        point.launches.as_ref().map_or(String::new(), ToString::to_string),
        start(point),
        point.max_cycles,
    ))
}
