//! `heddle claims`.

use crate::arguments::{ClaimsArguments, CommonArguments};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::outputs::Outputs;
use crate::pattern::fits;
use crate::sweep::experiments::{execute, identify, workbench};
use crate::{date, output, result, view};
use heddle_graph::error::nearest;
use heddle_lab::LabError;
use heddle_lab::claims::book::{Book, Claim};
use heddle_lab::claims::error::ClaimsError;
use heddle_lab::claims::evaluation::Evaluation;
use heddle_lab::claims::ledger::{Committed, Heading, Ledger};
use heddle_lab::claims::observations::Observations;
use heddle_lab::claims::summary::{BEGIN, summary, updated};
use heddle_lab::experiment::{Experiment, Point};
use heddle_lab::hash::Key;
use heddle_lab::record::{Labels, Record};
use heddle_lab::runner::Stop;
use heddle_lab::scale::Scale;
use heddle_lab::simulate::Workbench;
use heddle_lab::store::{Found, Store, pack, read_packed, unpack};
use heddle_lab::sweep::{Refused, Sweep, check};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Points that have been run, by key.
type Records = BTreeMap<Key, Record>;

const LEDGER: &str = "ledger.tsv";
const LEDGER_JSON: &str = "ledger.json";
const POINTS: &str = "points.jsonl.gz";
/// Largest ledger and README.
const TEXT_BYTES_MAX: u64 = 16 << 20;

impl From<ClaimsError> for Failure {
    fn from(error: ClaimsError) -> Failure {
        Failure::new(error.to_string())
    }
}

/// Judges the claims.
pub(super) fn run(arguments: &ClaimsArguments, common: CommonArguments) -> Result<(), Failure> {
    let book = Book::built_in()?;
    let is_chosen = chosen(&book, arguments.only.as_deref())?;
    let scale = arguments.scale.scale();
    let readme = match arguments.record {
        true => Some(Readme::find(&arguments.records)?),
        false => None,
    };
    check_outputs(arguments)?;
    let committed = committed(&arguments.records)?;
    let claims: Vec<&Claim> = book.claims.iter().filter(|claim| is_chosen(claim)).collect();
    let (experiments, unused) = experiments(&claims, scale)?;
    let bench = workbench(arguments.graphs.as_deref())?;
    let (ready, absent) = split(&bench, &experiments);
    let sweep = identify(
        &bench,
        ready.iter().map(|&(_, point)| point).collect(),
        arguments.runner.time_limit,
        common.quiet,
    );
    let packed = arguments.records.join(scale.name()).join(POINTS);
    let (mut records, failed) = match arguments.no_run {
        true => (recorded(arguments, &packed)?, Ok(())),
        false => ran(arguments, common, &sweep, &packed)?,
    };
    tell_builds(&records);
    for task in 0..sweep.tasks.len() {
        let record = records.get_mut(&sweep.tasks[task].key);
        record.into_iter().for_each(|record| bench.price(sweep.point(task), record));
    }
    let absent: Vec<(&str, &Point, LabError)> = absent
        .into_iter()
        .map(|refused| (refused.experiment, refused.point, refused.error))
        .chain(sweep.unknown.iter().map(|(point, error)| (owner(&ready, point), *point, error.clone())))
        .collect();
    let results = |experiment: &str| {
        let tasks = (0..sweep.tasks.len()).map(|task| (sweep.point(task), &sweep.tasks[task].key));
        let own = tasks.filter(|(point, _)| owner(&ready, point) == experiment);
        let found = own.map(|(point, key)| (&point.labels, records.get(key)));
        // A point that cannot be run here may have been run elsewhere: it is known by what it is called.
        let lacking = absent.iter().filter(|(name, ..)| *name == experiment);
        let (elsewhere, nowhere): (Vec<_>, Vec<_>) = lacking
            .map(|(_, point, error)| {
                (&point.labels, records.values().find(|r| r.labels == point.labels), error)
            })
            .partition(|(_, record, _)| record.is_some());
        let elsewhere = elsewhere.iter().map(|&(labels, record, _)| (labels, record));
        let mut observations = Observations::of_points(found.chain(elsewhere));
        nowhere.iter().for_each(|(labels, _, error)| observations.lacks(labels, &error.to_string()));
        observations.unused = unused.get(experiment).cloned().unwrap_or_default();
        Ok::<_, Failure>(observations)
    };
    let ledger = Ledger::judge(&book, scale, heading(arguments, scale), is_chosen, results, &committed)?;
    if let Some(folder) = &arguments.out {
        write(folder, &ledger)?;
    }
    if let Some(readme) = readme {
        record(&arguments.records, readme, &ledger, committed)?;
        if !arguments.no_run {
            let keys: Vec<Key> = records.keys().cloned().collect();
            pack(&Store::open(&arguments.runner.store)?, &keys, &packed)?;
        }
    }
    match arguments.json {
        true => output::json(&ledger)?,
        false => output::page(&view::claims::page(&ledger))?,
    }
    failed
}

/// The experiment of a point.
fn owner<'a>(named: &[(&'a str, &Point)], point: &Point) -> &'a str {
    named.iter().find(|(_, own)| std::ptr::eq(*own, point)).map_or("", |(name, _)| name)
}

/// Says where figures of several builds are judged together, which nobody has compared here.
fn tell_builds(records: &Records) {
    let builds: BTreeSet<&str> = records.values().map(|record| record.made.build.as_str()).collect();
    if builds.len() > 1 {
        let builds: Vec<&str> = builds.into_iter().collect();
        output::note(&format!("the points are of {} builds: {}", builds.len(), builds.join(", ")));
    }
}

/// The labels of points that no claim looks at, by experiment.
type Unused = BTreeMap<String, Vec<Labels>>;

/// The experiments that the claims rest on, each with those points alone that an expression looks at.
fn experiments(claims: &[&Claim], scale: Scale) -> Result<(Vec<Experiment>, Unused), Failure> {
    let mut experiments: Vec<Experiment> = Vec::new();
    let measured = claims.iter().filter_map(|claim| match &claim.evaluation {
        Evaluation::Measured(measured) => Some(measured),
        Evaluation::NotYet(_) => None,
    });
    let measured: Vec<_> = measured.collect();
    for name in measured.iter().flat_map(|measured| &measured.experiments) {
        if experiments.iter().all(|known| known.name != *name) {
            experiments.push(Experiment::named(name, Some(scale))?);
        }
    }
    let mut unused = Unused::new();
    for experiment in &mut experiments {
        let name = experiment.name.clone();
        let is_used = |point: &Point| measured.iter().any(|measured| measured.needs(&name, &point.labels));
        let (used, others) = std::mem::take(&mut experiment.points).into_iter().partition(is_used);
        experiment.points = used;
        let others: Vec<Point> = others;
        unused.insert(name.clone(), others.into_iter().map(|point| point.labels).collect());
    }
    Ok((experiments, unused))
}

/// Points that can run, with the names of their experiments, and those that cannot: the others are judged without them.
fn split<'a>(
    bench: &Workbench,
    experiments: &'a [Experiment],
) -> (Vec<(&'a str, &'a Point)>, Vec<Refused<'a>>) {
    let absent = check(bench, experiments);
    let named = experiments
        .iter()
        .flat_map(|experiment| experiment.points.iter().map(move |point| (experiment.name.as_str(), point)));
    let can_run = |point: &Point| !absent.iter().any(|refused| std::ptr::eq(refused.point, point));
    (named.filter(|(_, point)| can_run(point)).collect(), absent)
}

/// Runs the points that have not been, and gives the records of all, and which points failed.
fn ran(
    arguments: &ClaimsArguments,
    common: CommonArguments,
    sweep: &Sweep<'_>,
    packed: &Path,
) -> Result<(Records, Result<(), Failure>), Failure> {
    let store = Store::create(&arguments.runner.store)?;
    if packed.exists() {
        unpack(packed, &store)?;
    }
    let interrupt = Interrupt::default();
    interrupt.watch()?;
    let execute = |task: usize, stop: &Stop<'_>| execute(sweep, task, stop);
    let summary = crate::sweep::run(&store, &sweep.tasks, &execute, &arguments.runner, common, &interrupt)?;
    if summary.interrupted {
        crate::sweep::whole(&store, &sweep.tasks, &summary)?;
    }
    let mut records = BTreeMap::new();
    if packed.exists() {
        read_packed(packed, |record| drop(records.insert(record.key.clone(), record)))?;
    }
    for task in &sweep.tasks {
        if let Found::Done(record) | Found::Failed(record) = store.find(&task.key)? {
            records.insert(record.key.clone(), *record);
        }
    }
    Ok((records, crate::sweep::whole(&store, &sweep.tasks, &summary)))
}

/// The points that have been run: those of the records, and those of the folder of sweeps if there is one.
fn recorded(arguments: &ClaimsArguments, packed: &Path) -> Result<Records, Failure> {
    let mut records = BTreeMap::new();
    if packed.exists() {
        read_packed(packed, |record| drop(records.insert(record.key.clone(), record)))?;
    }
    if let Ok(store) = Store::open(&arguments.runner.store) {
        for key in store.keys()? {
            if let Found::Done(record) | Found::Failed(record) = store.find(&key)? {
                records.insert(key, *record);
            }
        }
    }
    Ok(records)
}

fn heading(arguments: &ClaimsArguments, scale: Scale) -> Heading {
    Heading {
        command: match arguments.graphs {
            Some(_) => format!("heddle claims --scale {scale} --graphs DIR"),
            None => format!("heddle claims --scale {scale}"),
        },
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: arguments.date.clone().unwrap_or_else(date::today),
    }
}

/// Which claims are judged.
fn chosen<'a>(book: &Book, only: Option<&'a str>) -> Result<impl Fn(&Claim) -> bool + 'a, Failure> {
    let is_chosen = move |claim: &Claim| only.is_none_or(|pattern| fits(pattern, &claim.published.id));
    if book.claims.iter().any(is_chosen) {
        return Ok(is_chosen);
    }
    let pattern = only.unwrap_or_default();
    let near = nearest(pattern, book.claims.iter().map(|claim| claim.published.id.as_str()));
    let failure = Failure::new(format!("no claim fits '{pattern}'"));
    Err(match near {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure.with_help("`heddle claims` lists them; * stands for anything"),
    })
}

fn check_outputs(arguments: &ClaimsArguments) -> Result<(), Failure> {
    let Some(folder) = &arguments.out else { return Ok(()) };
    let mut outputs = Outputs::new(arguments.force);
    outputs.folder("--out", folder, &[LEDGER, LEDGER_JSON]);
    outputs.check()
}

/// The text of a file, or nothing where there is none.
fn text_of(path: &Path) -> Result<Option<String>, Failure> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::at_path(path, &error)),
    };
    let mut text = String::new();
    file.take(TEXT_BYTES_MAX).read_to_string(&mut text).map_err(|error| Failure::at_path(path, &error))?;
    Ok(Some(text))
}

/// The ledgers that were recorded last.
fn committed(records: &Path) -> Result<Vec<Committed>, Failure> {
    let mut ledgers = Vec::new();
    for scale in Scale::ALL {
        let path = records.join(scale.name()).join(LEDGER);
        let Some(text) = text_of(&path)? else { continue };
        let ledger = Committed::parse(&path.display().to_string(), &text)?;
        if ledger.scale != scale {
            let problem = format!("{}: it is a ledger of the scale {}", path.display(), ledger.scale);
            return Err(Failure::new(problem).with_help("every scale has its own folder"));
        }
        ledgers.push(ledger);
    }
    Ok(ledgers)
}

fn write(folder: &Path, ledger: &Ledger) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::at_path(folder, &error))?;
    let json = serde_json::to_string_pretty(ledger);
    let json = json.map_err(|error| Failure::new(format!("cannot be written as JSON: {error}")))?;
    result::write_text(&folder.join(LEDGER), &ledger.to_tsv())?;
    result::write_text(&folder.join(LEDGER_JSON), &(json + "\n"))
}

/// The page that shows the summary.
struct Readme {
    path: PathBuf,
    text: String,
}

impl Readme {
    /// The page beside the folder of records, which must have a place for the summary.
    fn find(records: &Path) -> Result<Readme, Failure> {
        let path = records.parent().unwrap_or(Path::new("")).join("README.md");
        let text = text_of(&path)?.unwrap_or_default();
        match updated(&text, "") {
            Some(_) => Ok(Readme { path, text }),
            None => Err(Failure::new(format!("{}: there is no place for the summary", path.display()))
                .with_help(format!(
                    "the place begins with a line `{BEGIN}`; --records names the folder beside the page"
                ))),
        }
    }
}

/// Writes the ledger of a scale, and the summary of all.
fn record(
    records: &Path,
    readme: Readme,
    ledger: &Ledger,
    mut committed: Vec<Committed>,
) -> Result<(), Failure> {
    let folder = records.join(ledger.scale.name());
    std::fs::create_dir_all(&folder).map_err(|error| Failure::at_path(&folder, &error))?;
    let (path, text) = (folder.join(LEDGER), ledger.to_tsv());
    committed.retain(|other| other.scale != ledger.scale);
    committed.push(Committed::parse(&path.display().to_string(), &text)?);
    result::write_text(&path, &text)?;
    let page = updated(&readme.text, &summary(&committed)).unwrap_or(readme.text);
    result::write_text(&readme.path, &page)
}
