//! `heddle sweep`.

use crate::arguments::{CommonArguments, SweepArguments};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::sweep::experiments::{identify, refuse, workbench, write_tables};
use crate::{output, sweep, view};
use heddle_lab::experiment::{Experiment, Point};
use heddle_lab::record::Labels;
use heddle_lab::runner::Summary;
use heddle_lab::store::{Estimate, History, Store};
use heddle_lab::sweep::Sweep;
use serde::Serialize;
use std::path::PathBuf;

/// What a sweep came to, or would be. The field names are the keys of its JSON.
#[derive(Debug, Serialize)]
pub(crate) struct SweepReport {
    pub(crate) experiments: Vec<ExperimentReport>,
    /// Points in all, of which those with the same content are one.
    pub(crate) points: usize,
    pub(crate) finished: usize,
    pub(crate) ran: usize,
    pub(crate) failed: usize,
    /// Finished points of other builds that were run again, with equal figures.
    pub(crate) checked: usize,
}

/// An experiment of a sweep.
#[derive(Debug, Serialize)]
pub(crate) struct ExperimentReport {
    pub(crate) name: String,
    pub(crate) question: String,
    pub(crate) points: usize,
    /// Where its tables are.
    pub(crate) folder: PathBuf,
}

/// A point of a sweep that has not been run. The field names are the keys of its JSON.
#[derive(Debug, Serialize)]
pub(crate) struct PlannedPoint {
    pub(crate) experiment: String,
    pub(crate) point: String,
    pub(crate) labels: Labels,
    pub(crate) key: String,
    pub(crate) finished: bool,
    /// Seconds that it will probably take, where earlier points tell.
    pub(crate) seconds: Option<f64>,
    pub(crate) memory_bytes: u64,
}

/// Runs experiments, or says what would be run.
pub(super) fn run(arguments: &SweepArguments, common: CommonArguments) -> Result<(), Failure> {
    if arguments.list {
        return list(arguments.json);
    }
    let scale = arguments.scale.map(|scale| scale.scale());
    let named = arguments.experiments.iter().map(|name| Experiment::named(name, scale));
    let experiments: Vec<Experiment> = named.collect::<Result<_, _>>()?;
    let bench = workbench(arguments.graphs.as_deref())?;
    refuse(&bench, &experiments)?;
    let points: Vec<&Point> = experiments.iter().flat_map(|experiment| &experiment.points).collect();
    if arguments.dry_run {
        let sweep = identify(&bench, points, common.quiet)?;
        return plan(arguments, &experiments, &sweep);
    }
    // A folder that cannot be used is told before graphs are made.
    let store = Store::create(&arguments.runner.store)?;
    let sweep = identify(&bench, points, common.quiet)?;
    let interrupt = Interrupt::default();
    interrupt.watch()?;
    let execute = |task: usize, stop: &heddle_lab::runner::Stop<'_>| sweep.execute(task, stop);
    let summary = sweep::run(&store, &sweep.tasks, &execute, &arguments.runner, common, &interrupt)?;
    let mut first = 0;
    let mut reports = Vec::new();
    for experiment in &experiments {
        let tasks = &sweep.tasks[first..first + experiment.points.len()];
        first += experiment.points.len();
        // Tables of a part would look like those of the whole.
        let folder = match summary.interrupted {
            true => store.folder().join(&experiment.name),
            false => write_tables(&store, &bench, experiment, tasks)?,
        };
        reports.push(ExperimentReport {
            name: experiment.name.clone(),
            question: experiment.question.clone(),
            points: experiment.points.len(),
            folder,
        });
    }
    let report = report(reports, &summary);
    match arguments.json {
        true => output::json(&report)?,
        false => output::page(&view::sweep::page(&report))?,
    }
    sweep::whole(&store, &sweep.tasks, &summary)
}

fn report(experiments: Vec<ExperimentReport>, summary: &Summary) -> SweepReport {
    let failed = summary.failed.len();
    SweepReport {
        experiments,
        points: summary.finished + failed + summary.missing.len(),
        finished: summary.finished,
        ran: summary.ran,
        failed,
        checked: summary.checked,
    }
}

/// The points, with what they will probably cost.
fn plan(arguments: &SweepArguments, experiments: &[Experiment], sweep: &Sweep<'_>) -> Result<(), Failure> {
    let store = Store::open(&arguments.runner.store).ok();
    let history = store.as_ref().map(History::of).transpose()?.unwrap_or_default();
    let names = experiments.iter().flat_map(|experiment| experiment.points.iter().map(|_| &experiment.name));
    let mut planned = Vec::new();
    for (task, experiment) in sweep.tasks.iter().zip(names) {
        let found = store.as_ref().map(|store| store.find(&task.key)).transpose()?;
        let Estimate { seconds, peak_bytes, .. } = history.estimate(&task.key, &task.labels, task.arcs);
        planned.push(PlannedPoint {
            experiment: experiment.clone(),
            point: sweep::point_name(&task.labels),
            labels: task.labels.clone(),
            key: task.key.to_string(),
            finished: matches!(found, Some(heddle_lab::store::Found::Done(_))),
            seconds,
            memory_bytes: peak_bytes.unwrap_or(task.memory_bytes),
        });
    }
    match arguments.json {
        true => output::json(&planned),
        false => output::page(&view::sweep::plan(&planned)),
    }
}

/// The experiments that come with the program.
fn list(json: bool) -> Result<(), Failure> {
    let mut reports = Vec::new();
    for name in Experiment::names() {
        let experiment = Experiment::named(name, None)?;
        reports.push(ListedExperiment {
            name: experiment.name,
            source: experiment.source,
            question: experiment.question,
            refuted_by: experiment.refuted_by,
            scales: experiment.scales.iter().map(|scale| scale.name()).collect(),
            points: experiment.points.len(),
        });
    }
    match json {
        true => output::json(&reports),
        false => output::page(&view::sweep::list(&reports)),
    }
}

/// An experiment of the list. The field names are the keys of its JSON.
#[derive(Debug, Serialize)]
pub(crate) struct ListedExperiment {
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) question: String,
    pub(crate) refuted_by: String,
    pub(crate) scales: Vec<&'static str>,
    /// At its smallest scale.
    pub(crate) points: usize,
}
