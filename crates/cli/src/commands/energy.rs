//! `heddle energy`: prices a finished run, with any table, without simulating it again.

use crate::arguments::{DEFAULT_MACHINE, EnergyArguments};
use crate::bounded;
use crate::failure::Failure;
use crate::result::check_not_newer;
use crate::{output, timing, view};
use heddle_energy::{Energy, EnergyError, Run, Table, load, price};
use heddle_engine::{Catalogue, Statistics};
use heddle_machine::{Machine, Resolved};
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// What was priced. The field names are keys of the JSON, beside those of the energy.
#[derive(Debug, Serialize)]
pub(crate) struct Priced {
    pub(crate) machine: String,
    /// The machine as the user of the run named it, where that is not its name.
    pub(crate) machine_file: Option<String>,
    pub(crate) mechanisms: Vec<String>,
    /// Keys that were set on the command line of the run.
    pub(crate) set: Vec<String>,
    /// Why the run was stopped before its end; the energy is that of what it had done by then.
    pub(crate) partial: Option<String>,
    /// Launches that were executed functionally only, and take no energy.
    pub(crate) skipped_launches: u64,
}

/// An energy with what it is of.
#[derive(Serialize)]
struct PricedEnergy<'a> {
    #[serde(flatten)]
    of: &'a Priced,
    #[serde(flatten)]
    energy: &'a Energy,
}

/// What a result says about energy.
struct Finished {
    priced: Priced,
    statistics: Statistics,
    run: Run,
    table: Option<String>,
}

impl From<EnergyError> for Failure {
    fn from(error: EnergyError) -> Failure {
        told(&error, "--table")
    }
}

/// What is wrong with a table that `option` names, or could have.
pub(crate) fn told(error: &EnergyError, option: &str) -> Failure {
    let failure = Failure::new(error.to_string());
    match error.help(option) {
        Some(help) => failure.with_help(help),
        None => failure,
    }
}

/// Lists tables, shows one, or prices a result.
pub(super) fn run(arguments: &EnergyArguments) -> Result<(), Failure> {
    if let Some(name) = &arguments.show {
        let table = load::find(name)?;
        return match arguments.json {
            true => output::json(&table),
            false => output::page(&view::energy::show(&table)),
        };
    }
    let Some(result) = &arguments.result else { return list(arguments.json) };
    let finished = read(result)?;
    let table = arguments.table.as_ref().or(finished.table.as_ref()).ok_or_else(|| {
        Failure::new(format!("{}: names no `energy_table`", result.display()))
            .with_help("choose one with --table; `heddle energy --list` shows them")
    })?;
    let (table, statistics, catalogue) = as_priced(result, load::find(table)?, &finished.statistics)?;
    let energy = price(&table, &statistics, &finished.run)?;
    let has = |name: &str| statistics.get(name).is_some();
    heddle_energy::cover::check_actions(&table, &catalogue, has)?;
    match arguments.json {
        true => output::json(&PricedEnergy { of: &finished.priced, energy: &energy }),
        false => output::page(&view::energy::page(&finished.priced, &table, &energy)),
    }
}

/// Table and counts as the run had them, and what they count: the machine beside a result may price levels of caches like
/// others. A machine file of another version says nothing of that, and prices nothing otherwise.
fn as_priced(
    result: &Path,
    table: Table,
    statistics: &Statistics,
) -> Result<(Table, Statistics, Catalogue), Failure> {
    let folder = if result.is_dir() { Some(result) } else { result.parent() };
    let machine = folder.map(|folder| folder.join("machine.toml")).filter(|file| file.is_file());
    let resolved = machine.and_then(|file| Machine::named(file.to_str()?).ok()?.resolve().ok());
    let Some(Resolved { spec, .. }) = resolved else {
        let (_, catalogue) = timing::explained(DEFAULT_MACHINE, &[], &[])?;
        return Ok((table, statistics.clone(), catalogue));
    };
    timing::check_likes(&spec.energy, &spec.memory, &table)?;
    let (table, catalogue) = timing::fitted(table, &spec.energy, &heddle_gpu::catalogue(&spec));
    Ok((table, spec.energy.as_priced(statistics), catalogue))
}

fn list(json: bool) -> Result<(), Failure> {
    let tables = load::names().map(load::find).collect::<Result<Vec<Table>, EnergyError>>()?;
    match json {
        true => output::json(&tables),
        false => output::page(&view::energy::list(&tables)),
    }
}

fn read(path: &Path) -> Result<Finished, Failure> {
    let path: PathBuf = if path.is_dir() { path.join("result.json") } else { path.to_owned() };
    let text = bounded::RESULT.text(&path)?;
    let value: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("{}: is not JSON: {error}", path.display())))?;
    check_not_newer(&path, &value)?;
    finished(&value).map_err(|problem| {
        Failure::new(format!("{}: {problem}", path.display()))
            .with_help("a result comes from a run in time: heddle run WORKLOAD --machine NAME --out DIR")
    })
}

fn finished(value: &Value) -> Result<Finished, String> {
    let missing = |key: &str, what: &str| format!("has no key `{key}`, {what}");
    let stats = value.get("stats").and_then(Value::as_object);
    let stats = stats.ok_or_else(|| missing("stats", "a map from names to counts"))?;
    let cycles = value.get("cycles").and_then(Value::as_u64);
    let cycles = cycles.ok_or_else(|| missing("cycles", "a whole number of core cycles"))?;
    let seconds = value.get("seconds").and_then(Value::as_f64);
    let seconds = seconds.ok_or_else(|| missing("seconds", "simulated seconds"))?;
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let texts = |key: &str| -> Vec<String> {
        let items = value.get(key).and_then(Value::as_array).into_iter().flatten();
        items.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let run = Run::of_cycles(cycles, seconds).map_err(|error| error.to_string())?;
    Ok(Finished {
        priced: Priced {
            machine: text("machine").unwrap_or_else(|| "-".into()),
            machine_file: text("machine_file"),
            mechanisms: texts("mechanisms"),
            set: texts("set"),
            partial: text("partial"),
            skipped_launches: value.get("skipped_launches").and_then(Value::as_u64).unwrap_or_default(),
        },
        statistics: counts(stats)?,
        run: with_clocks(run, value.get("clocks"))?,
        table: text("energy_table"),
    })
}

fn counts(stats: &Map<String, Value>) -> Result<Statistics, String> {
    let count = |(name, value): (&String, &Value)| match value.as_u64() {
        Some(count) => Ok((name.clone(), count)),
        None => Err(format!("`stats.{name}` is {value}, and no count")),
    };
    stats.iter().map(count).collect()
}

/// Frequencies in hertz by clock, where the result states them; `core` follows from cycles and seconds.
fn with_clocks(run: Run, clocks: Option<&Value>) -> Result<Run, String> {
    let clocks = clocks.and_then(Value::as_object).into_iter().flatten();
    clocks.filter(|(name, _)| *name != "core").try_fold(run, |run, (name, hertz)| {
        let hertz =
            hertz.as_f64().ok_or_else(|| format!("`clocks.{name}` is {hertz}, and no frequency in hertz"))?;
        run.with_clock(name, hertz).map_err(|error| error.to_string())
    })
}
