//! Records to tables.
//!
//! Columns are the union of all names over all rows, in a fixed order: labels (workload, graph, machine, with, set,
//! kernel, mechanism, then others by name), what identifies the row, figures by name. A value that a row has not is
//! absent. A name has one type in both tables: whole numbers where every value is one, else reals, else text.

use super::meaning::{self, IDENTITY, LABELS, Meaning, NUMERIC_LABELS};
use super::table::{Column, Role, Table, TableKind, Values};
use crate::record::{Labels, Outcome, Record, Row};
use std::collections::{BTreeMap, BTreeSet};

/// What figures mean, and which further ones follow from those of a row.
#[derive(Clone, Copy)]
pub struct Dictionary<'a> {
    /// Unit and meaning of a counter or of a derived figure; what it does not know is looked up in the lab's own list.
    pub meaning: &'a dyn Fn(&str) -> Option<Meaning>,
    /// Ratios and other figures that follow from those of a row.
    pub derived: &'a dyn Fn(&Row) -> BTreeMap<String, Option<f64>>,
}

/// The two tables of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    /// One row per point.
    pub runs: Table,
    /// One row per launch that was simulated in time.
    pub launches: Table,
}

/// The tables of records, in the order of the experiment, whose own labels are given.
///
/// The labels in a record are those of the experiment that ran it first; they are not looked at, so that tables do not
/// depend on who that was.
pub fn tables(points: &[(Labels, &Record)], dictionary: &Dictionary<'_>) -> Tables {
    let (mut runs, mut launches) = (Vec::new(), Vec::new());
    for (labels, record) in points {
        let line = |figures, number| Line::new(labels, record, figures, number, dictionary);
        match &record.outcome {
            Outcome::Done { run, launches: rows } => {
                runs.push(line(Some(run), None));
                launches
                    .extend(rows.iter().enumerate().map(|(at, row)| line(Some(row), Some(at as u64 + 1))));
            }
            Outcome::Failed { .. } => runs.push(line(None, None)),
        }
    }
    let names = label_names(points);
    let types = types(runs.iter().chain(&launches));
    let table = |kind, lines: &[Line]| Table {
        kind,
        columns: columns(kind, lines, &names, &types, dictionary),
        rows: lines.len(),
    };
    Tables { runs: table(TableKind::Runs, &runs), launches: table(TableKind::Launches, &launches) }
}

/// One value.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Text(String),
    Count(u64),
    Real(f64),
}

/// The type of a column; a wider one can hold what a narrower one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Type {
    Count,
    Real,
    Text,
}

/// A row before its columns are known.
struct Line {
    labels: BTreeMap<String, Cell>,
    cells: BTreeMap<String, Cell>,
}

impl Line {
    fn new(
        labels: &Labels,
        record: &Record,
        figures: Option<&Row>,
        number: Option<u64>,
        dictionary: &Dictionary<'_>,
    ) -> Line {
        let labels = labels.iter().map(|(name, value)| (name.clone(), label_cell(name, value)));
        let mut cells = identity(record);
        if let (Outcome::Failed { error, .. }, None) = (&record.outcome, figures) {
            cells.insert("error".to_owned(), Cell::Text(error.clone()));
        }
        // A launch without a number would be no row of its own; its place in the record is its number then.
        cells.extend(number.map(|number| ("launch".to_owned(), Cell::Count(number))));
        cells.extend(figures.into_iter().flat_map(|row| figure_cells(row, dictionary)));
        Line { labels: labels.collect(), cells }
    }
}

/// A number where the label is a well-known one of those.
fn label_cell(name: &str, value: &str) -> Cell {
    match value.parse() {
        Ok(number) if NUMERIC_LABELS.contains(&name) => Cell::Count(number),
        _ => Cell::Text(value.to_owned()),
    }
}

fn identity(record: &Record) -> BTreeMap<String, Cell> {
    let made = &record.made;
    let status = match record.outcome {
        Outcome::Done { .. } => "done",
        Outcome::Failed { .. } => "failed",
    };
    let texts = [
        ("key", record.key.as_str()),
        ("status", status),
        ("made.version", &made.version),
        ("made.build", &made.build),
        ("made.program", &made.program),
        ("made.graph", &made.graph),
        ("made.machine", &made.machine),
    ];
    let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
    let texts = texts.map(|(name, text)| (name.to_owned(), Cell::Text(text.to_owned())));
    texts.chain([("made.behaviour".to_owned(), Cell::Count(made.behaviour.into()))]).collect()
}

/// The figures of a row, those that follow from them and `ipc` included.
fn figure_cells(row: &Row, dictionary: &Dictionary<'_>) -> BTreeMap<String, Cell> {
    let ipc = match (row.number("warp_instructions"), row.number("cycles")) {
        (Some(instructions), Some(cycles)) if cycles > 0.0 => Some(instructions / cycles),
        _ => None,
    };
    let ipc = ipc.map(|ipc| ("ipc".to_owned(), Cell::Real(ipc)));
    let derived = (dictionary.derived)(row);
    let derived = derived.into_iter().filter_map(|(name, value)| Some((name, Cell::Real(value?))));
    let mut cells: BTreeMap<String, Cell> = ipc.into_iter().chain(derived).collect();
    // What was measured stands above what follows from it.
    cells.extend(row.texts.iter().map(|(name, text)| (name.clone(), Cell::Text(text.clone()))));
    cells.extend(row.reals.iter().map(|(name, &real)| (name.clone(), Cell::Real(real))));
    cells.extend(row.counts.iter().map(|(name, &count)| (name.clone(), Cell::Count(count))));
    cells
}

/// The labels of all points, in the order of their columns.
fn label_names(points: &[(Labels, &Record)]) -> Vec<String> {
    let all: BTreeSet<&String> = points.iter().flat_map(|(labels, _)| labels.keys()).collect();
    let place = |name: &str| LABELS.iter().position(|(known, _)| *known == name).unwrap_or(LABELS.len());
    let mut names: Vec<String> = all.into_iter().cloned().collect();
    names.sort_by_key(|name| place(name));
    names
}

/// The types of all names, those of labels and of figures apart.
struct Types {
    labels: BTreeMap<String, Type>,
    figures: BTreeMap<String, Type>,
}

fn types<'a>(lines: impl Iterator<Item = &'a Line>) -> Types {
    let (mut labels, mut figures) = (BTreeMap::new(), BTreeMap::new());
    let widen = |types: &mut BTreeMap<String, Type>, (name, cell): (&String, &Cell)| {
        let own = match cell {
            Cell::Count(_) => Type::Count,
            Cell::Real(_) => Type::Real,
            Cell::Text(_) => Type::Text,
        };
        let known = types.entry(name.clone()).or_insert(own);
        *known = own.max(*known);
    };
    for line in lines {
        line.labels.iter().for_each(|cell| widen(&mut labels, cell));
        line.cells.iter().for_each(|cell| widen(&mut figures, cell));
    }
    Types { labels, figures }
}

fn columns(
    kind: TableKind,
    lines: &[Line],
    labels: &[String],
    types: &Types,
    dictionary: &Dictionary<'_>,
) -> Vec<Column> {
    let used: BTreeSet<&str> = lines.iter().flat_map(|line| line.cells.keys()).map(String::as_str).collect();
    let mut columns = Vec::new();
    for name in labels {
        let is_same = |line: &Line| match (line.labels.get(name), line.cells.get(name)) {
            (Some(label), Some(cell)) => label == cell,
            (_, cell) => cell.is_none(),
        };
        let values = |line: &Line| line.labels.get(name).cloned();
        // A label that has the name of a figure gives way; it goes where both say the same in every row.
        let shown = match used.contains(name.as_str()) {
            true if lines.iter().all(is_same) => None,
            true => Some(format!("label.{name}")),
            false => Some(name.clone()),
        };
        columns.extend(shown.map(|shown| Column {
            name: shown,
            role: Role::Label,
            meaning: meaning::label(name),
            values: gather(lines, types.labels.get(name), values),
        }));
    }
    let is_identity = |name: &str| IDENTITY.iter().any(|(known, _)| *known == name);
    let always = |name: &str| match name {
        "launch" | "kernel" | "iteration" => false,
        "error" => kind == TableKind::Runs,
        _ => true,
    };
    let identity = IDENTITY.iter().map(|(name, _)| *name).filter(|name| used.contains(name) || always(name));
    let figures = used.iter().copied().filter(|name| !is_identity(name));
    let named = identity.map(|name| (name, Role::Identity)).chain(figures.map(|name| (name, Role::Figure)));
    columns.extend(named.map(|(name, role)| Column {
        name: name.to_owned(),
        role,
        meaning: match role {
            Role::Figure => (dictionary.meaning)(name).unwrap_or_else(|| meaning::figure(name)),
            _ => meaning::identity(name),
        },
        values: gather(lines, types.figures.get(name), |line| line.cells.get(name).cloned()),
    }));
    columns
}

/// The values of a column; text where no row has any.
fn gather(lines: &[Line], is: Option<&Type>, cell: impl Fn(&Line) -> Option<Cell>) -> Values {
    let cells = lines.iter().map(cell);
    match is.copied().unwrap_or(Type::Text) {
        Type::Count => Values::Count(
            cells.map(|cell| if let Some(Cell::Count(count)) = cell { Some(count) } else { None }).collect(),
        ),
        Type::Real => Values::Real(
            cells
                .map(|cell| match cell? {
                    Cell::Count(count) => Some(count as f64),
                    Cell::Real(real) => Some(real),
                    Cell::Text(_) => None,
                })
                .collect(),
        ),
        Type::Text => Values::Text(
            cells
                .map(|cell| match cell? {
                    Cell::Count(count) => Some(count.to_string()),
                    Cell::Real(real) => Some(super::table::real_text(real)),
                    Cell::Text(text) => Some(text),
                })
                .collect(),
        ),
    }
}
