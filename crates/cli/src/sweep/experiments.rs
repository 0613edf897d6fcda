//! From experiments to results: what `heddle sweep` and `heddle claims` share.

use super::host;
use crate::failure::Failure;
use crate::progress::Bar;
use heddle_engine::Catalogue;
use heddle_graph::progress::Progress;
use heddle_lab::experiment::{Experiment, Point};
use heddle_lab::record::Row;
use heddle_lab::results::{About, Dictionary, Meaning, TablesBuilder, write_folder};
use heddle_lab::simulate::{Build, Workbench};
use heddle_lab::store::{Found, Store};
use heddle_lab::sweep::{Refused, Sweep, check};
use heddle_lab::{LabError, runner::Task};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Part of the memory that graphs may keep which no point uses at the moment.
const GRAPH_SHARE: u64 = 4;

/// Names the folder of real graphs, where the command line does not.
const GRAPHS: &str = "HEDDLE_GRAPHS";

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        let failure = Failure::new(error.to_string());
        match error.help {
            Some(help) => failure.with_help(help),
            None => failure,
        }
    }
}

/// What points share, with this build's name.
pub(crate) fn workbench(graphs: Option<&Path>) -> Result<Workbench, Failure> {
    let build = Build { version: env!("CARGO_PKG_VERSION").to_owned(), hash: host::build()? };
    let named = || std::env::var_os(GRAPHS).map(PathBuf::from);
    let folder = graphs.map(Path::to_path_buf).or_else(named);
    Ok(Workbench::new(build, host::memory_bytes() / GRAPH_SHARE).with_graphs(folder))
}

/// Refuses experiments of which a point cannot run: the first one is told, and how many others there are.
pub(crate) fn refuse(bench: &Workbench, experiments: &[Experiment]) -> Result<(), Failure> {
    let refused = check(bench, experiments);
    let Some(Refused { error, .. }) = refused.first() else { return Ok(()) };
    let others = refused.iter().filter(|other| other.error != *error).count();
    let mut error = error.clone();
    if others > 0 {
        error.problem += &format!(" (and {others} more points that cannot run)");
    }
    Err(error.into())
}

/// Identifies points, with progress: their graphs are loaded for that.
pub(crate) fn identify<'a>(bench: &'a Workbench, points: Vec<&'a Point>, quiet: bool) -> Sweep<'a> {
    let bar = Bar::new(quiet);
    bar.begin("identifying", points.len() as u64);
    Sweep::new(bench, points, &|_| bar.advance(1))
}

/// Writes the tables of an experiment whose points have these keys, as far as they have run or failed; gives the folder.
pub(crate) fn write_tables(
    store: &Store,
    bench: &Workbench,
    experiment: &Experiment,
    tasks: &[Task],
) -> Result<PathBuf, Failure> {
    let catalogues = catalogues(bench, experiment);
    let meaning = |name: &str| {
        let declared = catalogues.iter().find_map(|catalogue| catalogue.get(name))?;
        Some(Meaning::new(declared.unit, declared.description.clone()))
    };
    let dictionary = Dictionary { meaning: &meaning, derived: &derived };
    let about = About { experiment: experiment.folder_name(), question: experiment.question.clone() };
    let mut builder = TablesBuilder::new(&dictionary);
    // One record at a time: those of a large sweep are more than memory should hold.
    for (point, task) in experiment.points.iter().zip(tasks) {
        if let Found::Done(record) | Found::Failed(record) = store.find(&task.key)? {
            builder.add(&point.labels, &record);
        }
    }
    Ok(write_folder(store.folder(), &about, &builder.finish())?)
}

/// What the statistics of an experiment's machines mean, each machine once.
fn catalogues(bench: &Workbench, experiment: &Experiment) -> Vec<Catalogue> {
    let mut machines: BTreeMap<_, &Point> = BTreeMap::new();
    for point in &experiment.points {
        machines.entry((&point.machine, &point.with, &point.set)).or_insert(point);
    }
    machines.into_values().filter_map(|point| bench.catalogue(point)).collect()
}

/// Instructions per cycle, which nearly everything is compared by.
fn derived(row: &Row) -> BTreeMap<String, Option<f64>> {
    let ipc = row.number("warp_instructions").zip(row.number("cycles"));
    let ipc = ipc.filter(|&(_, cycles)| cycles > 0.0).map(|(count, cycles)| count / cycles);
    ipc.map(|ipc| ("ipc".to_owned(), Some(ipc))).into_iter().collect()
}
