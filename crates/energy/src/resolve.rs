//! From the keys of a file to a complete table.

use crate::error::EnergyError;
use crate::model::{ActionModel, DerivedModel, FileModel, FreeModel, PerModel, StaticModel};
use crate::table::{Action, Derivation, Fitted, Free, Share, Static, Table, fits};
use heddle_engine::nesting;
use std::collections::BTreeSet;
use toml::Spanned;

/// Weights, scales and factors are at most this, so that no product is infinite.
const FACTOR_MAX: f64 = 1e6;
/// Counts that one energy may be for.
const PER_MAX: u64 = 1_000_000_000_000;

/// A file's text with its name, for places.
pub(crate) struct Text<'a> {
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
}

impl Text<'_> {
    /// An error at a byte of the text.
    pub(crate) fn error(&self, at: usize, problem: impl Into<String>) -> EnergyError {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        EnergyError::Table { place: format!("{}:{line}:{column}", self.file), problem: problem.into() }
    }

    /// The keys.
    pub(crate) fn model(&self) -> Result<FileModel, EnergyError> {
        if let Some(at) = nesting::too_deep(self.text) {
            return Err(self.error(at, nesting::TOO_DEEP));
        }
        toml::from_str(self.text).map_err(|error: toml::de::Error| {
            self.error(error.span().map_or(0, |span| span.start), error.message().trim())
        })
    }
}

/// The rows of the file itself.
pub(crate) fn own_rows(text: &Text<'_>, model: &FileModel) -> Result<Table, EnergyError> {
    let name = model.name.get_ref();
    let places = |row: &str| format!("row `{row}`");
    let mut table = Table {
        name: name.clone(),
        description: model.description.clone(),
        notes: model.notes.clone(),
        nanometres: model.technology.nanometres,
        kelvin: model.technology.kelvin,
        clocks: model.technology.clocks.iter().map(|(clock, of)| (clock.clone(), of.hertz())).collect(),
        derived_from: None,
        include: model.include.iter().map(|name| name.get_ref().clone()).collect(),
        actions: Vec::new(),
        statics: Vec::new(),
        free: Vec::new(),
        files: Vec::new(),
    };
    check_name(name).map_err(|problem| text.error(model.name.span().start, problem))?;
    for row in &model.action {
        table.actions.push(in_row(text, row, |row| places(&row.name), |row| action(name, row))?);
    }
    for row in &model.statics {
        table.statics.push(in_row(text, row, |row| places(&row.name), |row| static_row(name, row))?);
    }
    for row in &model.free {
        table.free.push(in_row(text, row, |_| "[[free]]".into(), |row| free(name, row))?);
    }
    if let Some(derived) = &model.derived_from {
        table.derived_from = Some(in_row(text, derived, |_| "[derived_from]".into(), derivation)?);
    }
    Ok(table)
}

fn in_row<M, R>(
    text: &Text<'_>,
    row: &Spanned<M>,
    place: impl Fn(&M) -> String,
    make: impl Fn(&M) -> Result<R, String>,
) -> Result<R, EnergyError> {
    let model = row.get_ref();
    make(model).map_err(|problem| text.error(row.span().start, format!("{}: {problem}", place(model))))
}

fn check_name(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match !name.is_empty() && name.chars().all(plain) {
        true => Ok(()),
        false => Err(format!("`{name}` is no name: letters, digits, - and _")),
    }
}

fn action(table: &str, row: &ActionModel) -> Result<Action, String> {
    let counts = match (&row.count, &row.counts) {
        (Some(one), None) => vec![one.clone()],
        (None, Some(several)) => several.clone(),
        _ => return Err("give `count`, one statistic, or `counts`, a list of them".into()),
    };
    check_counts(&counts)?;
    let per = row.per.unwrap_or(1);
    if per == 0 || per > PER_MAX {
        return Err(format!("`per` is {per}; it says of how many counts the energy is: 1 to {PER_MAX}"));
    }
    Ok(Action {
        name: filled("name", &row.name)?,
        component: filled("component", &row.component)?,
        counts,
        per,
        weight: factor("weight", row.weight.unwrap_or(1.0))?,
        energy: row.energy,
        fitted: fitted(row.scale, row.scale_source.as_deref())?,
        factor: 1.0,
        source: filled("source", &row.source)?,
        table: table.to_owned(),
    })
}

fn static_row(table: &str, row: &StaticModel) -> Result<Static, String> {
    let counts = match &row.per {
        PerModel::One(one) => vec![one.clone()],
        PerModel::Sum(several) => several.clone(),
    };
    let share = match (&counts[..], &row.clock) {
        ([one], None) if one == "machine" => Share::Machine,
        ([one], Some(_)) if one == "machine" => {
            return Err("`clock` is for statistics; per = \"machine\" takes the time of the run".into());
        }
        (_, Some(clock)) => Share::Cycles { counts: counts.clone(), clock: filled("clock", clock)? },
        (_, None) => {
            return Err("give `clock`, whose cycles the statistic counts, or per = \"machine\"".into());
        }
    };
    check_counts(&counts)?;
    Ok(Static {
        name: filled("name", &row.name)?,
        component: filled("component", &row.component)?,
        power: row.power,
        share,
        fitted: fitted(row.scale, row.scale_source.as_deref())?,
        factor: 1.0,
        source: filled("source", &row.source)?,
        table: table.to_owned(),
    })
}

fn free(table: &str, row: &FreeModel) -> Result<Free, String> {
    check_counts(&row.counts)?;
    Ok(Free { counts: row.counts.clone(), reason: filled("reason", &row.reason)?, table: table.to_owned() })
}

fn derivation(model: &DerivedModel) -> Result<Derivation, String> {
    Ok(Derivation {
        table: model.table.clone(),
        factor: factor("factor", model.factor)?,
        static_factor: model.static_factor.map(|value| factor("static_factor", value)).transpose()?,
        fitted: model.fitted,
        why: filled("why", &model.why)?,
        source: filled("source", &model.source)?,
    })
}

fn fitted(scale: Option<f64>, source: Option<&str>) -> Result<Option<Fitted>, String> {
    match (scale, source) {
        (None, None) => Ok(None),
        (Some(scale), Some(source)) => {
            Ok(Some(Fitted { scale: factor("scale", scale)?, source: filled("scale_source", source)? }))
        }
        _ => Err("`scale` and `scale_source` go together".into()),
    }
}

fn factor(key: &str, value: f64) -> Result<f64, String> {
    match value > 0.0 && value <= FACTOR_MAX {
        true => Ok(value),
        false => Err(format!("`{key}` is {value}; it must be above 0 and at most {FACTOR_MAX}")),
    }
}

fn filled(key: &str, text: &str) -> Result<String, String> {
    match text.trim().is_empty() {
        true => Err(format!("`{key}` is empty")),
        false => Ok(text.to_owned()),
    }
}

fn check_counts(counts: &[String]) -> Result<(), String> {
    if counts.is_empty() || counts.iter().any(|count| count.trim().is_empty()) {
        return Err("names no statistic".into());
    }
    let distinct: BTreeSet<&String> = counts.iter().collect();
    match distinct.len() == counts.len() {
        true => Ok(()),
        false => Err("has a duplicate statistic".into()),
    }
}

/// Appends what an included table has.
pub(crate) fn include(table: &mut Table, included: Table) {
    for (clock, hertz) in included.clocks {
        table.clocks.entry(clock).or_insert(hertz);
    }
    table.notes.extend(included.notes);
    table.actions.extend(included.actions);
    table.statics.extend(included.statics);
    table.free.extend(included.free);
}

/// Takes the rows of `base` itself, multiplied.
pub(crate) fn derive(table: &mut Table, derivation: &Derivation, base: Table) {
    let own = |of: &str| of == base.name;
    let actions = base.actions.iter().filter(|action| own(&action.table)).cloned();
    let actions = actions.map(|mut action| {
        action.factor *= derivation.factor;
        action
    });
    let statics = base.statics.iter().filter(|row| own(&row.table) && derivation.static_factor.is_some());
    let statics = statics.cloned().map(|mut row| {
        row.factor *= derivation.static_factor.unwrap_or(1.0);
        row
    });
    table.actions.splice(0..0, actions);
    table.statics.splice(0..0, statics);
    table.free.splice(0..0, base.free.iter().filter(|free| own(&free.table)).cloned());
    table.notes.extend(base.notes.iter().cloned());
    for (clock, hertz) in base.clocks {
        table.clocks.entry(clock).or_insert(hertz);
    }
}

/// Drops the fitted coefficients of every row.
pub(crate) fn drop_fitted(table: &mut Table) {
    table.actions.iter_mut().for_each(|action| action.fitted = None);
    table.statics.iter_mut().for_each(|row| row.fitted = None);
}

/// What holds for a complete table: row names are distinct, nothing is both priced and free, and nothing draws more
/// while it is idle than while it works.
pub(crate) fn check_whole(table: &Table) -> Result<(), String> {
    let mut names = BTreeSet::new();
    let actions = table.actions.iter().map(|action| (&action.name, &action.table));
    for (name, of) in actions.chain(table.statics.iter().map(|row| (&row.name, &row.table))) {
        if !names.insert(name) {
            return Err(format!("the row `{name}` (of `{of}`) is a duplicate; names of rows must differ"));
        }
    }
    if names.is_empty() {
        return Err("there is no [[action]] and no [[static]]".into());
    }
    check_idle(table)?;
    match table.counted().find(|(_, count)| table.free_counts().any(|free| fits(free, count))) {
        Some((row, count)) => Err(format!("`{count}` is priced by `{row}` and listed under [[free]], too")),
        None => Ok(()),
    }
}

/// Static power for each cycle that a statistic counts.
fn watts_per(table: &Table, count: &str) -> f64 {
    let counts_it = |row: &&Static| match &row.share {
        Share::Machine => false,
        Share::Cycles { counts, .. } => counts.iter().any(|of| of == count),
    };
    table.statics.iter().filter(counts_it).map(Static::watts).sum()
}

/// A part leaks and is clocked while it works, too, so its idle power is part of its static power then. A row for
/// `X.idle_cycles` alone would make a part that waits cheaper than one without work.
fn check_idle(table: &Table) -> Result<(), String> {
    for (row, idle) in table.counted() {
        let Some(part) = idle.strip_suffix(".idle_cycles") else { continue };
        let active = format!("{part}.active_cycles");
        // A row that names both is not to blame.
        if table.counted().any(|(of, count)| of == row && count == active) {
            continue;
        }
        let [resting, working] = [idle, active.as_str()].map(|count| watts_per(table, count));
        if resting > working * (1.0 + 1e-12) {
            return Err(format!(
                "the row `{row}` makes an idle {part} draw {resting:.3} W, and one that works {working:.3} W before it \
                 does anything; name both in `per`: [\"{active}\", \"{idle}\"]"
            ));
        }
    }
    Ok(())
}
