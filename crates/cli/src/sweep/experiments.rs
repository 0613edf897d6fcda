//! From experiments to results: what `heddle sweep` and `heddle claims` share.

use super::host;
use crate::allocation::Meter;
use crate::failure::Failure;
use crate::output;
use crate::progress::Bar;
use crate::view::text::plural;
use heddle_engine::Catalogue;
use heddle_graph::progress::Progress;
use heddle_lab::LabError;
use heddle_lab::experiment::{Experiment, Point};
use heddle_lab::hash::Key;
use heddle_lab::record::{Labels, Record, Row};
use heddle_lab::results::{About, Dictionary, Meaning, write_records};
use heddle_lab::runner::{Ended, Executed, Stop};
use heddle_lab::simulate::{Build, Workbench};
use heddle_lab::store::{Found, Recent, Store};
use heddle_lab::sweep::{Refused, Sweep, check};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
#[expect(
    clippy::disallowed_types,
    reason = "it limits the time that points take of the host, never what a result is"
)]
use std::time::Instant;

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

/// Errors that are told by name.
const ERRORS_TOLD: usize = 10;

/// Refuses experiments of which a point cannot run: every error is told once.
pub(crate) fn refuse(bench: &Workbench, experiments: &[Experiment]) -> Result<(), Failure> {
    let refused = check(bench, experiments);
    refuse_all(refused.iter().map(|Refused { error, .. }| error))
}

/// Refuses points whose graphs nothing can be made of: every error is told once.
pub(crate) fn refuse_impossible(sweep: &Sweep<'_>) -> Result<(), Failure> {
    refuse_all(sweep.unknown.iter().filter(|unknown| unknown.is_impossible).map(|unknown| &unknown.error))
}

fn refuse_all<'a>(errors: impl IntoIterator<Item = &'a LabError>) -> Result<(), Failure> {
    let distinct = distinct(errors);
    let Some((first, _)) = distinct.first() else { return Ok(()) };
    let mut lines: Vec<String> = distinct.iter().take(ERRORS_TOLD).map(told).collect();
    lines
        .extend((distinct.len() > ERRORS_TOLD).then(|| format!("and {} more", distinct.len() - ERRORS_TOLD)));
    Err(LabError { problem: lines.join("\n  "), place: None, help: first.help.clone() }.into())
}

/// Errors with how many points each is of, in their order.
fn distinct<'a>(errors: impl IntoIterator<Item = &'a LabError>) -> Vec<(&'a LabError, u64)> {
    let mut distinct: Vec<(&LabError, u64)> = Vec::new();
    for error in errors {
        match distinct.iter_mut().find(|(known, _)| *known == error) {
            Some((_, points)) => *points += 1,
            None => distinct.push((error, 1)),
        }
    }
    distinct
}

fn told((error, points): &(&LabError, u64)) -> String {
    match points {
        1 => error.to_string(),
        points => format!("{error} ({})", plural(*points, "point")),
    }
}

/// Says which points will fail, before others run.
pub(crate) fn tell_unknown(sweep: &Sweep<'_>) {
    let distinct = distinct(sweep.unknown.iter().map(|unknown| &unknown.error));
    distinct.iter().map(told).for_each(|line| output::note(&line));
}

/// Identifies points, with progress: their graphs are loaded for that, each within the time that a point has.
pub(crate) fn identify<'a>(
    bench: &'a Workbench,
    points: Vec<&'a Point>,
    time_limit: Option<Duration>,
    quiet: bool,
) -> Sweep<'a> {
    let bar = Bar::new(quiet);
    bar.begin("identifying", points.len() as u64);
    let patience = || -> Box<dyn Fn() -> bool> {
        #[expect(
            clippy::disallowed_types,
            reason = "it limits the time that points take of the host, never what a result is"
        )]
        let begun = Instant::now();
        Box::new(move || time_limit.is_some_and(|limit| begun.elapsed() >= limit))
    };
    let sweep = Sweep::new(bench, points, &patience, &|_| bar.advance(1));
    drop(bar);
    sweep
}

/// Runs a task, and measures what it holds: what its thread allocates, and its graph, which several points may share.
pub(crate) fn execute(sweep: &Sweep<'_>, task: usize, stop: &Stop<'_>) -> Result<Executed, Ended> {
    let meter = Meter::begin();
    let mut executed = sweep.execute(task, stop)?;
    let mapped = executed.cost.peak_bytes.unwrap_or_default();
    executed.cost.peak_bytes = Some(mapped + meter.peak_bytes() + sweep.graph_bytes(task));
    Ok(executed)
}

/// Writes the tables of an experiment's points, as far as they have run or failed; gives the folder. What is `recent` is
/// not read again.
pub(crate) fn write_tables(
    store: &Store,
    bench: &Workbench,
    experiment: &Experiment,
    points: &[(&Point, &Key)],
    recent: &Recent,
    threads: usize,
) -> Result<PathBuf, Failure> {
    let catalogues = catalogues(bench, experiment);
    let meaning = |name: &str| {
        let declared = catalogues.iter().find_map(|catalogue| catalogue.get(name))?;
        Some(Meaning::new(declared.unit.clone(), declared.description.clone()))
    };
    let dictionary = Dictionary { meaning: &meaning, derived: &derived };
    let about = About { experiment: experiment.folder_name(), question: experiment.question.clone() };
    let keys: Vec<_> = points.iter().map(|&(_, key)| key).collect();
    let priced = |index: usize, found: Found| match found {
        Found::Done(mut record) | Found::Failed(mut record) => {
            bench.price(points[index].0, &mut record);
            Some(record)
        }
        Found::Corrupt { .. } | Found::Missing => None,
    };
    // One record at a time: those of a large sweep are more than memory should hold.
    let each = |visit: &mut dyn FnMut(&Labels, &Record)| {
        let add = |index: usize, record: Option<Box<Record>>| {
            record.iter().for_each(|record| visit(&points[index].0.labels, record));
        };
        Ok::<_, Failure>(store.in_order(&keys, recent, threads, priced, add)?)
    };
    write_records(store.folder(), &about, &dictionary, &each)
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
