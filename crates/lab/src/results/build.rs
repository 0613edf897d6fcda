//! Records to tables.
//!
//! Columns are the union of all names over all rows, in a fixed order: labels (workload, graph, machine, with, set,
//! kernel, mechanism, then others by name), what identifies the row, figures by name. A value that a row has not is
//! absent. A name has one type in both tables: whole numbers where every value is one, else reals, else text. A label that
//! has the name of a figure of either table is `label.NAME` in both.

use super::cells::{Cell, Cells, Columns, Type};
use super::meaning::{self, IDENTITY, Meaning, NUMERIC_LABELS};
use super::outline::{Outline, Shown};
use super::table::{Column, Role, Table, TableKind, Values};
use crate::record::{Labels, Outcome, Record, Row};
use std::collections::BTreeMap;

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
    let mut builder = TablesBuilder::new(dictionary);
    points.iter().for_each(|(labels, record)| builder.add(labels, record));
    builder.finish()
}

/// Tables that take one record at a time, so that no two need be in memory.
pub struct TablesBuilder<'a> {
    dictionary: &'a Dictionary<'a>,
    runs: Growing,
    launches: Growing,
}

impl<'a> TablesBuilder<'a> {
    /// Tables without rows.
    pub fn new(dictionary: &'a Dictionary<'a>) -> TablesBuilder<'a> {
        TablesBuilder { dictionary, runs: Growing::default(), launches: Growing::default() }
    }

    /// Adds the rows of the next point.
    pub fn add(&mut self, labels: &Labels, record: &Record) {
        self.runs.begin(labels, record);
        match &record.outcome {
            Outcome::Done { run, launches } => {
                self.runs.figures(run, self.dictionary);
                for (number, row) in (1..).zip(launches) {
                    self.launches.begin(labels, record);
                    // A launch without a number would be no row of its own; its place in the record is its number then.
                    self.launches.set("launch", Cell::Count(number));
                    self.launches.figures(row, self.dictionary);
                }
            }
            Outcome::Failed { error, .. } => self.runs.set("error", Cell::Text(error)),
        }
    }

    /// Rows of both tables.
    pub(super) fn rows(&self) -> usize {
        self.runs.rows + self.launches.rows
    }

    /// Both, of runs and of launches.
    pub(super) fn both(&self) -> [&Growing; 2] {
        [&self.runs, &self.launches]
    }

    /// The tables.
    pub fn finish(self) -> Tables {
        let mut outline = Outline::default();
        outline.learn(&self);
        self.into_tables(&outline)
    }

    /// The tables of these rows with all columns of an outline that has learnt of them, and of others.
    pub(super) fn into_tables(self, outline: &Outline) -> Tables {
        let TablesBuilder { dictionary, runs, launches } = self;
        Tables {
            runs: table(TableKind::Runs, runs, outline, dictionary),
            launches: table(TableKind::Launches, launches, outline, dictionary),
        }
    }
}

/// A table whose columns are not all known yet; those of labels and of others apart.
#[derive(Debug, Default)]
pub(super) struct Growing {
    pub(super) labels: Columns,
    pub(super) cells: Columns,
    rows: usize,
}

impl Growing {
    /// Begins a row.
    fn begin(&mut self, labels: &Labels, record: &Record) {
        self.rows += 1;
        for (name, value) in labels {
            self.labels.set(self.rows - 1, name, label_cell(name, value));
        }
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
        for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
            self.set(name, Cell::Text(text));
        }
        self.set("made.behaviour", Cell::Count(made.behaviour.into()));
    }

    /// Sets a value of the row that was begun last.
    fn set(&mut self, name: &str, cell: Cell<'_>) {
        self.cells.set(self.rows - 1, name, cell);
    }

    /// The figures of a row, those that follow from them and `ipc` included. What was measured stands above what follows
    /// from it.
    fn figures(&mut self, row: &Row, dictionary: &Dictionary<'_>) {
        if let (Some(instructions), Some(cycles)) = (row.number("warp_instructions"), row.number("cycles"))
            && cycles > 0.0
        {
            self.set("ipc", Cell::Real(instructions / cycles));
        }
        for (name, value) in (dictionary.derived)(row) {
            value.into_iter().for_each(|value| self.set(&name, Cell::Real(value)));
        }
        row.texts.iter().for_each(|(name, text)| self.set(name, Cell::Text(text)));
        row.reals.iter().for_each(|(name, &real)| self.set(name, Cell::Real(real)));
        row.counts.iter().for_each(|(name, &count)| self.set(name, Cell::Count(count)));
    }

    /// Whether a label says what the column of its name says, in every row that has that.
    pub(super) fn is_repeated(&self, label: &str) -> bool {
        let (labels, cells) = (self.labels.get(label), self.cells.get(label));
        (0..self.rows).all(|row| {
            let cell = cells.and_then(|cells| cells.get(row));
            cell.is_none() || cell == labels.and_then(|labels| labels.get(row))
        })
    }
}

/// A number where the label is a well-known one of those.
fn label_cell<'a>(name: &str, value: &'a str) -> Cell<'a> {
    match value.parse() {
        Ok(number) if NUMERIC_LABELS.contains(&name) => Cell::Count(number),
        _ => Cell::Text(value),
    }
}

fn table(kind: TableKind, growing: Growing, outline: &Outline, dictionary: &Dictionary<'_>) -> Table {
    let Growing { labels, cells, rows } = growing;
    let (mut labels, mut cells) = (labels.into_map(), cells.into_map());
    let mut columns = Vec::new();
    for Shown { label, column } in outline.labels(kind) {
        columns.push(Column {
            name: column,
            role: Role::Label,
            meaning: meaning::label(&label),
            values: values(labels.remove(&label), outline.label_type(&label), rows),
        });
    }
    let always = |name: &str| match name {
        "launch" | "kernel" | "iteration" => false,
        "error" => kind == TableKind::Runs,
        _ => true,
    };
    for (name, _) in IDENTITY.iter().filter(|(name, _)| always(name) || outline.has(kind, name)) {
        columns.push(Column {
            name: (*name).to_owned(),
            role: Role::Identity,
            meaning: meaning::identity(name),
            values: values(cells.remove(*name), outline.cell_type(name), rows),
        });
    }
    let is_identity = |name: &str| IDENTITY.iter().any(|(known, _)| *known == name);
    columns.extend(outline.cells(kind).filter(|name| !is_identity(name)).map(|name| Column {
        role: Role::Figure,
        meaning: (dictionary.meaning)(name).unwrap_or_else(|| meaning::figure(name)),
        values: values(cells.remove(name), outline.cell_type(name), rows),
        name: name.to_owned(),
    }));
    Table { kind, columns, rows }
}

/// The values of a column; text where no row of either table has any.
fn values(cells: Option<Cells>, is: Option<Type>, rows: usize) -> Values {
    let is = is.unwrap_or(Type::Text);
    cells.unwrap_or_else(|| Cells::none(is)).into_values(is, rows)
}
