//! What the columns of both tables are, learnt block by block of their rows: a column has one name, type and place in all
//! blocks.

use super::build::{Growing, TablesBuilder};
use super::cells::Type;
use super::meaning::{IDENTITY, LABELS};
use super::table::TableKind;
use std::collections::{BTreeMap, BTreeSet};

/// The columns of both tables.
#[derive(Debug, Default)]
pub(super) struct Outline {
    runs: Of,
    launches: Of,
}

/// The columns of a table.
#[derive(Debug, Default)]
struct Of {
    labels: BTreeMap<String, Type>,
    cells: BTreeMap<String, Type>,
    /// Columns that say something else than the label of their name, in some row.
    unlike_label: BTreeSet<String>,
    /// Counts that no signed number holds.
    large: BTreeSet<String>,
}

/// A label, and what its column is called.
pub(super) struct Shown {
    pub(super) label: String,
    pub(super) column: String,
}

impl Outline {
    /// Learns of further rows.
    pub(super) fn learn(&mut self, rows: &TablesBuilder<'_>) {
        let [runs, launches] = rows.both();
        self.runs.learn(runs);
        self.launches.learn(launches);
    }

    fn of(&self, kind: TableKind) -> &Of {
        match kind {
            TableKind::Runs => &self.runs,
            TableKind::Launches => &self.launches,
        }
    }

    /// Whether a table has a column of this name that is no label.
    pub(super) fn has(&self, kind: TableKind, name: &str) -> bool {
        self.of(kind).cells.contains_key(name)
    }

    /// The columns of a table that are no labels, by name.
    pub(super) fn cells(&self, kind: TableKind) -> impl Iterator<Item = &str> {
        self.of(kind).cells.keys().map(String::as_str)
    }

    /// The columns of a table with counts that no signed number holds.
    pub(super) fn large(&self, kind: TableKind) -> &BTreeSet<String> {
        &self.of(kind).large
    }

    /// The type of a column that is no label, in both tables.
    pub(super) fn cell_type(&self, name: &str) -> Option<Type> {
        self.runs.cells.get(name).max(self.launches.cells.get(name)).copied()
    }

    /// The type of a label, in both tables.
    pub(super) fn label_type(&self, label: &str) -> Option<Type> {
        self.runs.labels.get(label).max(self.launches.labels.get(label)).copied()
    }

    /// The labels of all points that a table shows, in the order of their columns.
    pub(super) fn labels(&self, kind: TableKind) -> Vec<Shown> {
        let place = |name: &str| LABELS.iter().position(|(known, _)| *known == name).unwrap_or(LABELS.len());
        // Every launch has the labels of its run.
        let mut names: Vec<&String> = self.runs.labels.keys().collect();
        names.sort_by_key(|name| place(name));
        let shown = |label: &String| Some(Shown { column: self.shown(kind, label)?, label: label.clone() });
        names.into_iter().filter_map(shown).collect()
    }

    /// What the column of a label is called; none where the column that has its name says the same in every row.
    fn shown(&self, kind: TableKind, label: &str) -> Option<String> {
        // The kernel of a run is a label, that of a launch identifies it: both are text, and mean a kernel.
        let is_one = IDENTITY.iter().chain(LABELS).filter(|(known, _)| *known == label).count() == 2;
        let is_taken = TableKind::ALL.iter().any(|&kind| self.has(kind, label));
        match self.has(kind, label) {
            true if !self.of(kind).unlike_label.contains(label) => None,
            false if !is_taken || is_one => Some(label.to_owned()),
            _ => Some(format!("label.{label}")),
        }
    }
}

impl Of {
    fn learn(&mut self, rows: &Growing) {
        widen(&mut self.labels, rows.labels.types());
        widen(&mut self.cells, rows.cells.types());
        let names = rows.cells.types().map(|(name, _)| name);
        self.unlike_label.extend(names.filter(|name| !rows.is_repeated(name)).map(str::to_owned));
        self.large.extend(rows.cells.large().map(str::to_owned));
    }
}

/// Types that hold the values of further rows, too.
fn widen<'a>(types: &mut BTreeMap<String, Type>, of: impl Iterator<Item = (&'a str, Type)>) {
    for (name, is) in of {
        match types.get_mut(name) {
            Some(known) => *known = is.max(*known),
            None => drop(types.insert(name.to_owned(), is)),
        }
    }
}
