//! `heddle compare`.

use super::job::Job;
use super::limits::{Reached, limits_of, with_limits};
use super::save::save;
use super::simulate::{Simulated, rehearsed, simulate};
use super::task::Task;
use crate::arguments::{CommonArguments, CompareArguments, Mechanisms};
use crate::failure::{Failure, Problems};
use crate::interrupt::Interrupt;
use crate::outputs::Outputs;
use crate::progress::Bar;
use crate::ratio::Levels;
use crate::result::{self, RunResult};
use crate::slots::{GROUPS, group_percent, owners};
use crate::timing::Build;
use crate::{output, view};
use heddle_gpu::RunSettings;
use heddle_graph::progress::Progress;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The file of a folder that holds the comparison.
const COMPARISON: &str = "compare.json";

/// Several runs side by side. The field names are the keys of its JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    pub(crate) schema: u32,
    pub(crate) workload: String,
    pub(crate) machine: String,
    /// The machine as the user named it, where that is not its name.
    pub(crate) machine_file: Option<String>,
    /// Keys that were set on the command line, in every column.
    pub(crate) set: Vec<String>,
    pub(crate) graph: Option<String>,
    /// The baseline first.
    pub(crate) columns: Vec<Column>,
    /// What columns reach of what is possible, if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) limits: Vec<Reached>,
}

/// One run.
#[derive(Debug, Serialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) mechanisms: Vec<String>,
    pub(crate) verified: bool,
    /// It was stopped before its end, and has no speedup.
    pub(crate) partial: bool,
    pub(crate) cycles: u64,
    pub(crate) seconds: f64,
    /// Seconds of the baseline by seconds of this one.
    pub(crate) speedup: Option<f64>,
    pub(crate) ipc: Option<f64>,
    /// Percent of issue slots, by group.
    pub(crate) slots: BTreeMap<&'static str, Option<f64>>,
    pub(crate) ratios: BTreeMap<String, Option<f64>>,
    /// The levels of caches that the ratios are of.
    #[serde(skip)]
    pub(crate) levels: Levels,
    /// Dynamic and static energy together.
    pub(crate) joules: Option<f64>,
    pub(crate) dynamic_joules: Option<f64>,
    pub(crate) static_joules: Option<f64>,
    /// Hash of the resolved machine.
    pub(crate) machine_sha256: Option<String>,
}

/// Runs every column and shows them side by side; what was wrong in the end is told after that.
pub(super) fn run(
    arguments: &CompareArguments,
    common: CommonArguments,
    build: &Build,
) -> Result<(), Failure> {
    let Compared { comparison, problems } = compare(arguments, common, build)?;
    match arguments.json {
        true => output::json(&comparison)?,
        false => output::page(&view::compare::page(&comparison))?,
    }
    problems.into_result()
}

/// A comparison, and what did not go as it was asked for.
pub(crate) struct Compared {
    pub(crate) comparison: Comparison,
    pub(crate) problems: Problems,
}

/// Runs every column, as many at a time as there are threads; writes the folders that were asked for.
pub(crate) fn compare(
    arguments: &CompareArguments,
    common: CommonArguments,
    build: &Build,
) -> Result<Compared, Failure> {
    let named = columns(&arguments.with)?;
    let limits = match arguments.limits {
        true => limits_of(&named)?,
        false => Vec::new(),
    };
    let columns = with_limits(named, &limits);
    let task = Task::find(&arguments.work)?;
    let settings = arguments.time.settings();
    task.check_registers(&settings.registers)?;
    let Checked { names, files } = check_machines(arguments, &columns, build)?;
    let stale = check_outputs(arguments, &task, &names, &files)?;
    let progress = Bar::new(common.quiet);
    let job = Job::load(task, &arguments.work, &progress)?;
    let settings = RunSettings { launches: job.chosen(arguments.time.launches.as_ref())?, ..settings };
    progress.begin(job.name(), columns.len() as u64);
    let interrupt = Interrupt::default();
    interrupt.watch()?;
    let simulated = columns.par_iter().map(|with| {
        let choice = arguments.time.choice(with.clone());
        let name = format!("{} with {}", job.name(), column_name(with));
        let (hook, column) = progress.column(&name, &interrupt);
        let (first, _) = progress.column(&name, &interrupt);
        let settings = rehearsed(&job, &choice, settings.clone(), build, first)?;
        let built = build(&choice, settings.clone(), hook)?;
        let told = |iteration: usize, _: u64| column.iteration(iteration);
        let simulated = simulate(&job, &choice, &settings, built, &told);
        progress.advance(1);
        simulated
    });
    // The first failure by column is told, whichever came first in time.
    let simulated: Vec<Result<Simulated, Failure>> = simulated.collect();
    drop(progress);
    let mut simulated = simulated.into_iter().collect::<Result<Vec<Simulated>, Failure>>()?;
    let mut comparison = summarise(&simulated);
    comparison.limits = limits.iter().filter_map(|limit| limit.judge(&comparison.columns)).collect();
    let mut problems = Problems::default();
    if let Some(folder) = &arguments.out {
        problems.note(stale.iter().try_for_each(|folder| result::remove_folder(folder)));
        problems.note(write(folder, &comparison, &simulated));
    }
    if let Some(baseline) = simulated.first() {
        baseline.saved.iter().for_each(|saved| problems.note(save(saved)));
    }
    let stopped = simulated.iter_mut().find_map(|run| run.stopped.take());
    problems.note(stopped.map_or(Ok(()), Err));
    Ok(Compared { comparison, problems })
}

/// Refuses files that could not be written, or should not be. Gives the folders of an earlier comparison that are no
/// columns of this one, which go when this one is written.
fn check_outputs(
    arguments: &CompareArguments,
    task: &Task,
    names: &[String],
    files: &[(&'static str, PathBuf)],
) -> Result<Vec<PathBuf>, Failure> {
    let mut outputs = Outputs::new(arguments.output.force);
    task.claim(&mut outputs, arguments.output.allow_outside)?;
    outputs.reads_all(files);
    let Some(folder) = &arguments.out else { return outputs.check().map(|()| Vec::new()) };
    outputs.folder("--out", folder, &[COMPARISON]);
    for name in names {
        outputs.folder("--out", &folder.join(folder_name(name)), &result::FILES);
    }
    outputs.check()?;
    let own: Vec<String> = names.iter().map(|name| folder_name(name)).collect();
    stale(folder, &own, arguments.output.force)
}

/// The folders in a folder of comparisons that hold a result, and are none of our own.
fn stale(folder: &Path, own: &[String], force: bool) -> Result<Vec<PathBuf>, Failure> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.sort();
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    found.retain(|path| {
        let is_own = name(path).is_some_and(|name| own.contains(&name));
        !is_own && path.join(result::FILES[0]).is_file()
    });
    let before = earlier_columns(folder);
    for path in &found {
        let is_column = name(path).is_some_and(|name| before.contains(&name));
        if is_column && force {
            continue;
        }
        let problem = format!("{}: it holds a result that is no column of this comparison", path.display());
        let help = match is_column {
            true => "remove it with --force, or name another folder after --out",
            false => "take it away, or name another folder after --out",
        };
        return Err(Failure::new(problem).with_help(help));
    }
    Ok(found)
}

/// The folders of the columns of the comparison that is stored in a folder.
fn earlier_columns(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join(COMPARISON)).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let columns = json.get("columns").and_then(|columns| columns.as_array()).into_iter().flatten();
    columns.filter_map(|column| Some(folder_name(column.get("name")?.as_str()?))).collect()
}

/// The columns: the baseline first, then each that was named, none twice.
fn columns(with: &[Mechanisms]) -> Result<Vec<Mechanisms>, Failure> {
    let mut columns = vec![Mechanisms::new()];
    for named in with.iter().filter(|named| !named.is_empty()) {
        if columns.contains(named) {
            let problem = format!("--with {} is a duplicate", named.join("+"));
            return Err(Failure::usage(problem, "name every column once"));
        }
        columns.push(named.clone());
    }
    match columns.len() {
        1 => Err(Failure::usage("there is nothing to compare the baseline with", "add --with MECHANISM")),
        _ => Ok(columns),
    }
}

/// What is known of the columns before any has run.
#[derive(Default)]
struct Checked {
    names: Vec<String>,
    /// Every file that was read for a machine, and what of.
    files: Vec<(&'static str, PathBuf)>,
}

/// A machine that cannot be is told before any other has run, and so is one that would be another column's again,
/// because the machine file contains its mechanisms already.
fn check_machines(
    arguments: &CompareArguments,
    columns: &[Mechanisms],
    build: &Build,
) -> Result<Checked, Failure> {
    let mut checked = Checked::default();
    for with in columns {
        let choice = arguments.time.choice(with.clone());
        let built = build(&choice, arguments.time.settings(), Box::new(|_| ControlFlow::Continue(())))?;
        let name = column_name(&built.mechanisms);
        if checked.names.contains(&name) {
            let problem = format!("--with {}: the machine {} has it already", with.join("+"), choice.machine);
            return Err(Failure::usage(
                problem,
                format!("there is a column {name} without it; leave it out"),
            ));
        }
        checked.names.push(name);
        checked.files.extend(built.files);
    }
    Ok(checked)
}

/// The folder of a column. A mechanism may be a file; its path must not lead out of the folder.
fn folder_name(column: &str) -> String {
    match column.replace(['/', '\\'], "_") {
        name if name.chars().all(|c| c == '.') => format!("_{name}"),
        name => name,
    }
}

/// What a column is called.
pub(super) fn column_name(mechanisms: &[String]) -> String {
    if mechanisms.is_empty() { "none".to_owned() } else { mechanisms.join("+") }
}

fn summarise(simulated: &[Simulated]) -> Comparison {
    let is_whole = |run: &&Simulated| run.result.partial.is_none();
    let seconds = |run: &Simulated| run.result.time.as_ref().map(|time| time.seconds);
    let baseline = simulated.first().filter(is_whole).and_then(seconds);
    let columns = simulated.iter().filter_map(|run| column(&run.result, baseline)).collect();
    let first = simulated.first().map(|run| &run.result);
    let time = first.and_then(|result| result.time.as_ref());
    Comparison {
        schema: result::SCHEMA,
        workload: first.map_or(String::new(), |result| result.workload.clone()),
        machine: first.map_or(String::new(), |result| result.machine.clone()),
        machine_file: time.and_then(|time| time.machine_file.clone()),
        set: time.map_or(Vec::new(), |time| time.set.clone()),
        graph: first.and_then(|result| result.graph.clone()),
        columns,
        limits: Vec::new(),
    }
}

fn column(result: &RunResult, baseline: Option<f64>) -> Option<Column> {
    let time = result.time.as_ref()?;
    let owners = owners(&time.stats, &time.meanings);
    Some(Column {
        name: column_name(&time.mechanisms),
        mechanisms: time.mechanisms.clone(),
        verified: result.verified,
        partial: result.partial.is_some(),
        cycles: time.cycles,
        seconds: time.seconds,
        speedup: baseline
            .filter(|_| time.seconds > 0.0 && result.partial.is_none())
            .map(|baseline| baseline / time.seconds),
        ipc: time.ipc,
        slots: GROUPS.into_iter().map(|group| (group, group_percent(&owners, group))).collect(),
        ratios: time.ratios.clone(),
        levels: time.machine_figures.levels.clone(),
        joules: time.energy.as_ref().map(|energy| energy.total_joules),
        dynamic_joules: time.energy.as_ref().map(|energy| energy.dynamic_joules),
        static_joules: time.energy.as_ref().map(|energy| energy.static_joules),
        machine_sha256: result.provenance.machine.as_ref().map(|machine| machine.sha256.clone()),
    })
}

/// A folder per column, and the comparison itself last.
fn write(folder: &Path, comparison: &Comparison, simulated: &[Simulated]) -> Result<(), Failure> {
    for (column, run) in comparison.columns.iter().zip(simulated) {
        result::write_folder(&folder.join(folder_name(&column.name)), &run.result, Some(&run.resolved))?;
    }
    let json = serde_json::to_string_pretty(comparison);
    let json = json.map_err(|error| Failure::new(format!("cannot be written as JSON: {error}")))?;
    result::write_text(&folder.join(COMPARISON), &(json + "\n"))
}
