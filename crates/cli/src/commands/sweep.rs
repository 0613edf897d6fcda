//! `heddle sweep`.

use crate::arguments::{CommonArguments, SweepArguments};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Bar;
use crate::sweep::experiments::{
    execute, identify, refuse, refuse_impossible, tell_unknown, workbench, write_tables,
};
use crate::sweep::origin::{claim_tables, refuse_tables_of_another};
use crate::view::text::plural;
use crate::{output, sweep, view};
use heddle_graph::progress::Progress;
use heddle_lab::experiment::{Experiment, Point};
use heddle_lab::record::Labels;
use heddle_lab::runner::Summary;
use heddle_lab::simulate::Workbench;
use heddle_lab::store::{Estimate, History, Recent, Store};
use heddle_lab::sweep::Sweep;
use serde::Serialize;
use std::collections::BTreeSet;
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
    /// Why it cannot run.
    pub(crate) problem: Option<String>,
    /// Seconds that it will probably take, where earlier points tell.
    pub(crate) seconds: Option<f64>,
    pub(crate) memory_bytes: u64,
}

/// Points of which a plan may be made without a word: it takes a second or two.
const POINTS_SILENT: usize = 10_000;

/// Runs experiments, or says what would be run.
pub(super) fn run(arguments: &SweepArguments, common: CommonArguments) -> Result<(), Failure> {
    if arguments.list {
        return list(arguments.json);
    }
    let scale = arguments.scale.map(|scale| scale.scale());
    let named = arguments.experiments.iter().map(|name| Experiment::named(name, scale));
    let experiments: Vec<Experiment> = named.collect::<Result<_, _>>()?;
    refuse_same_names(&experiments)?;
    experiments.iter().try_for_each(refuse_name_of_another)?;
    let count: usize = experiments.iter().map(|experiment| experiment.points.len()).sum();
    if arguments.dry_run && count > POINTS_SILENT && !common.quiet {
        output::note(&format!("{}: each is looked up", plural(count as u64, "point")));
    }
    let bench = workbench(arguments.graphs.as_deref())?;
    refuse(&bench, &experiments)?;
    let points: Vec<&Point> = experiments.iter().flat_map(|experiment| &experiment.points).collect();
    if arguments.dry_run {
        let sweep = identified(arguments, common, &bench, points)?;
        return plan(arguments, common, &experiments, &sweep);
    }
    // A folder that cannot be used is told before graphs are made.
    let store = Store::create(&arguments.runner.store)?;
    experiments.iter().try_for_each(|experiment| refuse_tables_of_another(&store, experiment))?;
    let sweep = identified(arguments, common, &bench, points)?;
    sweep.forget_failures(&store)?;
    let interrupt = Interrupt::default();
    interrupt.watch()?;
    let execute = |task: usize, stop: &heddle_lab::runner::Stop<'_>| execute(&sweep, task, stop);
    let summary = sweep::run(&store, &sweep.tasks, &execute, &arguments.runner, common, &interrupt)?;
    // Tables of a part would look like those of the whole.
    if !summary.interrupted {
        let reports =
            write_all(&store, &bench, &experiments, &sweep, &summary.recent, sweep::threads(common))?;
        let report = report(reports, &summary);
        match arguments.json {
            true => output::json(&report)?,
            false => output::page(&view::sweep::page(&report))?,
        }
    }
    sweep::whole(&store, &sweep.tasks, &summary)
}

/// The points as tasks. What a slip in a file makes impossible is refused; what else cannot be had is told, and fails.
fn identified<'a>(
    arguments: &SweepArguments,
    common: CommonArguments,
    bench: &'a Workbench,
    points: Vec<&'a Point>,
) -> Result<Sweep<'a>, Failure> {
    let sweep = identify(bench, points, arguments.runner.time_limit, common.quiet);
    refuse_impossible(&sweep)?;
    if !common.quiet {
        tell_unknown(&sweep);
    }
    Ok(sweep.with_unknown_as_failures()?)
}

/// The tables of one experiment would take the place of another's.
fn refuse_same_names(experiments: &[Experiment]) -> Result<(), Failure> {
    for (number, experiment) in experiments.iter().enumerate() {
        if experiments[..number].iter().any(|other| other.name == experiment.name) {
            let problem = format!("two experiments are called `{}`", experiment.name);
            return Err(
                Failure::new(problem).with_help("give one of them another `name`, or another --store")
            );
        }
    }
    Ok(())
}

/// A file of one's own must not take the name, and so the folder of tables, of another experiment that comes with the
/// program; a copy of that one is that one.
fn refuse_name_of_another(experiment: &Experiment) -> Result<(), Failure> {
    let Some(file) = experiment.files.first() else { return Ok(()) };
    if !Experiment::names().any(|name| name == experiment.name) {
        return Ok(());
    }
    let known = Experiment::named(&experiment.name, experiment.scale)?;
    match known.is_same_as(experiment) {
        true => Ok(()),
        false => Err(Failure::new(format!(
            "{}: `{}` is the name of an experiment that comes with this program, and is not that one",
            file.display(),
            experiment.name
        ))
        .with_help("give yours another `name`: their tables would share a folder")),
    }
}

/// Writes the tables of all experiments.
fn write_all(
    store: &Store,
    bench: &Workbench,
    experiments: &[Experiment],
    sweep: &Sweep<'_>,
    recent: &Recent,
    threads: usize,
) -> Result<Vec<ExperimentReport>, Failure> {
    let mut reports = Vec::new();
    for experiment in experiments {
        let addresses = experiment.points.as_ptr_range();
        let is_own = |task: &usize| addresses.contains(&std::ptr::from_ref(sweep.point(*task)));
        let own = (0..sweep.tasks.len()).filter(is_own);
        let own: Vec<_> = own.map(|task| (sweep.point(task), &sweep.tasks[task].key)).collect();
        claim_tables(store, experiment)?;
        let folder = write_tables(store, bench, experiment, &own, recent, threads)?;
        reports.push(ExperimentReport {
            name: experiment.name.clone(),
            question: experiment.question.clone(),
            points: experiment.points.len(),
            folder,
        });
    }
    Ok(reports)
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
fn plan(
    arguments: &SweepArguments,
    common: CommonArguments,
    experiments: &[Experiment],
    sweep: &Sweep<'_>,
) -> Result<(), Failure> {
    let store = Store::open_if_there(&arguments.runner.store)?;
    let history = store.as_ref().map(History::of).transpose()?.unwrap_or_default();
    let varying = varying(sweep);
    let bar = Bar::new(common.quiet);
    bar.begin("planning", sweep.tasks.len() as u64);
    let mut planned = Vec::new();
    for (number, task) in sweep.tasks.iter().enumerate() {
        let point = sweep.point(number);
        let owns =
            |experiment: &&Experiment| experiment.points.as_ptr_range().contains(&std::ptr::from_ref(point));
        let experiment = experiments.iter().find(owns).map_or("", |experiment| &experiment.name);
        let found = store.as_ref().map(|store| store.find(&task.key)).transpose()?;
        let Estimate { seconds, peak_bytes, .. } =
            history.estimate(&task.key, &task.labels, task.arcs, task.memory_bytes);
        planned.push(PlannedPoint {
            experiment: experiment.to_owned(),
            point: sweep::point_name(&told(&task.labels, &varying)),
            labels: task.labels.clone(),
            key: task.key.to_string(),
            finished: matches!(found, Some(heddle_lab::store::Found::Done(_))),
            problem: sweep.broken(number).map(ToString::to_string),
            seconds,
            memory_bytes: peak_bytes,
        });
        bar.advance(1);
    }
    drop(bar);
    match arguments.json {
        true => output::json(&planned)?,
        false => output::page(&view::sweep::plan(&planned))?,
    }
    match planned.iter().filter(|point| point.problem.is_some()).count() {
        0 => Ok(()),
        broken => Err(Failure::new(format!(
            "{} cannot run, because {} graphs cannot be had",
            plural(broken as u64, "point"),
            if broken == 1 { "its" } else { "their" }
        ))),
    }
}

/// The names of labels by which points differ: what all have in common tells none of them apart.
fn varying<'a>(sweep: &'a Sweep<'_>) -> BTreeSet<&'a str> {
    let all = || sweep.tasks.iter().map(|task| &task.labels);
    let names: BTreeSet<&str> = all().flat_map(Labels::keys).map(String::as_str).collect();
    let first = all().next();
    let varies = |name: &&str| {
        let value = first.and_then(|labels| labels.get(*name));
        all().any(|labels| labels.get(*name) != value)
    };
    names.into_iter().filter(varies).collect()
}

/// The labels that a point is told by.
fn told(labels: &Labels, varying: &BTreeSet<&str>) -> Labels {
    let is_told = |name: &str| name == "workload" || varying.contains(name);
    let own = labels.iter().filter(|(name, _)| is_told(name));
    own.map(|(name, value)| (name.clone(), value.clone())).collect()
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
