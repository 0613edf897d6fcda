//! `heddle compare`.

use super::job::Job;
use super::save::save;
use super::simulate::{Simulated, simulate};
use crate::arguments::{CommonArguments, CompareArguments, Mechanisms};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::result::{self, RunResult};
use crate::slots::{GROUPS, group_percent, owners};
use crate::timing::Build;
use crate::{output, view};
use heddle_graph::progress::Progress;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Several runs side by side. The field names are the keys of its JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    pub(crate) schema: u32,
    pub(crate) workload: String,
    pub(crate) machine: String,
    pub(crate) graph: Option<String>,
    /// The baseline first.
    pub(crate) columns: Vec<Column>,
}

/// One run.
#[derive(Debug, Serialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) mechanisms: Vec<String>,
    pub(crate) verified: bool,
    pub(crate) cycles: u64,
    pub(crate) seconds: f64,
    /// Seconds of the baseline by seconds of this one.
    pub(crate) speedup: Option<f64>,
    pub(crate) ipc: Option<f64>,
    /// Percent of issue slots, by group.
    pub(crate) slots: BTreeMap<&'static str, Option<f64>>,
    pub(crate) ratios: BTreeMap<&'static str, Option<f64>>,
    /// Dynamic and static energy together.
    pub(crate) joules: Option<f64>,
    pub(crate) dynamic_joules: Option<f64>,
    pub(crate) static_joules: Option<f64>,
    /// Hash of the resolved machine.
    pub(crate) machine_sha256: Option<String>,
}

/// Runs every column and shows them side by side.
pub(super) fn run(
    arguments: &CompareArguments,
    common: CommonArguments,
    build: &Build,
) -> Result<(), Failure> {
    let comparison = compare(arguments, common, build)?;
    match arguments.json {
        true => output::json(&comparison),
        false => output::page(&view::compare::page(&comparison)),
    }
}

/// Runs every column, as many at a time as there are threads; writes the folders that were asked for.
pub(crate) fn compare(
    arguments: &CompareArguments,
    common: CommonArguments,
    build: &Build,
) -> Result<Comparison, Failure> {
    let columns = columns(&arguments.with)?;
    if let Some(folder) = &arguments.out {
        super::run::check_folder(folder)?;
    }
    check_machines(arguments, &columns, build)?;
    let progress = Bar::new(common.quiet);
    let job = Job::load(&arguments.work, &progress)?;
    progress.begin(job.name(), columns.len() as u64);
    let simulated = columns.par_iter().map(|with| {
        let choice = arguments.time.choice(with.clone());
        let simulated = simulate(&job, &choice, arguments.time.settings(), Box::new(|_, _| ()), build);
        progress.advance(1);
        simulated
    });
    // The first failure by column is told, whichever came first in time.
    let simulated: Vec<Result<Simulated, Failure>> = simulated.collect();
    drop(progress);
    let simulated = simulated.into_iter().collect::<Result<Vec<Simulated>, Failure>>()?;
    simulated.first().map_or(Ok(()), |baseline| baseline.saved.iter().try_for_each(save))?;
    let comparison = summarise(&simulated);
    if let Some(folder) = &arguments.out {
        write(folder, &comparison, &simulated)?;
    }
    Ok(comparison)
}

/// The columns: the baseline first, then each that was named, none twice.
fn columns(with: &[Mechanisms]) -> Result<Vec<Mechanisms>, Failure> {
    let mut columns = vec![Mechanisms::new()];
    for named in with.iter().filter(|named| !named.is_empty()) {
        if columns.contains(named) {
            let problem = format!("--with {} stands there twice", named.join("+"));
            return Err(Failure::usage(problem, "name every column once"));
        }
        columns.push(named.clone());
    }
    match columns.len() {
        1 => Err(Failure::usage("there is nothing to compare the baseline with", "add --with MECHANISM")),
        _ => Ok(columns),
    }
}

/// A machine that cannot be is told before any other has run, and so is one that would be another column's again,
/// because the machine file contains its mechanisms already.
fn check_machines(
    arguments: &CompareArguments,
    columns: &[Mechanisms],
    build: &Build,
) -> Result<(), Failure> {
    let mut names: Vec<String> = Vec::new();
    for with in columns {
        let choice = arguments.time.choice(with.clone());
        let built = build(&choice, arguments.time.settings(), Box::new(|_, _| ()))?;
        let name = column_name(&built.mechanisms);
        if names.contains(&name) {
            let problem = format!("--with {}: the machine {} has it already", with.join("+"), choice.machine);
            return Err(Failure::usage(
                problem,
                format!("there is a column {name} without it; leave it out"),
            ));
        }
        names.push(name);
    }
    Ok(())
}

/// What a column is called.
fn column_name(mechanisms: &[String]) -> String {
    if mechanisms.is_empty() { "none".to_owned() } else { mechanisms.join("+") }
}

fn summarise(simulated: &[Simulated]) -> Comparison {
    let seconds = |run: &Simulated| run.result.time.as_ref().map_or(0.0, |time| time.seconds);
    let baseline = simulated.first().map_or(0.0, seconds);
    let columns = simulated.iter().filter_map(|run| column(&run.result, baseline)).collect();
    let first = simulated.first().map(|run| &run.result);
    Comparison {
        schema: result::SCHEMA,
        workload: first.map_or(String::new(), |result| result.workload.clone()),
        machine: first.map_or(String::new(), |result| result.machine.clone()),
        graph: first.and_then(|result| result.graph.clone()),
        columns,
    }
}

fn column(result: &RunResult, baseline: f64) -> Option<Column> {
    let time = result.time.as_ref()?;
    let owners = owners(&time.stats, &time.meanings);
    Some(Column {
        name: column_name(&time.mechanisms),
        mechanisms: time.mechanisms.clone(),
        verified: result.verified,
        cycles: time.cycles,
        seconds: time.seconds,
        speedup: (time.seconds > 0.0).then(|| baseline / time.seconds),
        ipc: time.ipc,
        slots: GROUPS.into_iter().map(|group| (group, group_percent(&owners, group))).collect(),
        ratios: time.ratios.clone(),
        joules: time.energy.as_ref().map(|energy| energy.total_joules),
        dynamic_joules: time.energy.as_ref().map(|energy| energy.dynamic_joules),
        static_joules: time.energy.as_ref().map(|energy| energy.static_joules),
        machine_sha256: result.provenance.machine.as_ref().map(|machine| machine.sha256.clone()),
    })
}

/// A folder per column, and the comparison itself last.
fn write(folder: &Path, comparison: &Comparison, simulated: &[Simulated]) -> Result<(), Failure> {
    for (column, run) in comparison.columns.iter().zip(simulated) {
        // A mechanism may be a file; its path must not lead out of the folder.
        let name = column.name.replace(['/', '\\'], "_");
        result::write_folder(&folder.join(name), &run.result, Some(&run.resolved))?;
    }
    let json = serde_json::to_string_pretty(comparison);
    let json = json.map_err(|error| Failure::new(format!("cannot be written as JSON: {error}")))?;
    result::write_text(&folder.join("compare.json"), &(json + "\n"))
}
