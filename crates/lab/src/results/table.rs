//! A table in columns: names, types, units, meanings, and values of which each may be absent.

use super::meaning::Meaning;
use std::fmt;

/// Which table it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// One row per point of the experiment, failed ones too.
    Runs,
    /// One row per launch that was simulated in time.
    Launches,
}

impl TableKind {
    /// Both.
    pub const ALL: [TableKind; 2] = [TableKind::Runs, TableKind::Launches];

    /// What its files are called, without what they end in.
    pub fn name(self) -> &'static str {
        match self {
            TableKind::Runs => "runs",
            TableKind::Launches => "launches",
        }
    }

    /// The table of a name.
    pub fn by_name(name: &str) -> Option<TableKind> {
        TableKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for TableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A value of an axis: what the experiment calls the point.
    Label,
    /// Which row it is, whether it is there, and what it was made from.
    Identity,
    /// What came out.
    Figure,
}

impl Role {
    const NAMES: [(Role, &'static str); 3] =
        [(Role::Label, "label"), (Role::Identity, "identity"), (Role::Figure, "figure")];

    /// As the files have it.
    pub fn name(self) -> &'static str {
        Role::NAMES.iter().find(|(role, _)| *role == self).map_or("figure", |(_, name)| name)
    }

    /// The role of a name.
    pub fn by_name(name: &str) -> Option<Role> {
        Role::NAMES.iter().find(|(_, known)| *known == name).map(|(role, _)| *role)
    }
}

/// The values of a column, row by row.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Words.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Count(Vec<Option<u64>>),
    /// Other numbers.
    Real(Vec<Option<f64>>),
}

impl Values {
    /// `text`, `count` or `real`, as `columns.csv` says it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Values::Text(_) => "text",
            Values::Count(_) => "count",
            Values::Real(_) => "real",
        }
    }

    /// Rows.
    pub fn len(&self) -> usize {
        match self {
            Values::Text(values) => values.len(),
            Values::Count(values) => values.len(),
            Values::Real(values) => values.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Rows that have a value.
    pub fn present(&self) -> usize {
        match self {
            Values::Text(values) => values.iter().flatten().count(),
            Values::Count(values) => values.iter().flatten().count(),
            Values::Real(values) => values.iter().flatten().count(),
        }
    }

    /// The number in a row, if it has one.
    pub fn number(&self, row: usize) -> Option<f64> {
        match self {
            Values::Text(_) => None,
            Values::Count(values) => values.get(row).copied().flatten().map(|value| value as f64),
            Values::Real(values) => values.get(row).copied().flatten(),
        }
    }

    /// The value in a row as text that reads back to the same value: floats in the fewest digits that do.
    pub fn text(&self, row: usize) -> Option<String> {
        match self {
            Values::Text(values) => values.get(row).cloned().flatten(),
            Values::Count(values) => values.get(row).copied().flatten().map(|value| value.to_string()),
            Values::Real(values) => values.get(row).copied().flatten().map(real_text),
        }
    }

    /// Some rows, in this order.
    pub(super) fn pick(&self, rows: &[usize]) -> Values {
        fn of<T: Clone>(values: &[Option<T>], rows: &[usize]) -> Vec<Option<T>> {
            rows.iter().map(|&row| values.get(row).cloned().flatten()).collect()
        }
        match self {
            Values::Text(values) => Values::Text(of(values, rows)),
            Values::Count(values) => Values::Count(of(values, rows)),
            Values::Real(values) => Values::Real(of(values, rows)),
        }
    }
}

/// A float in the fewest digits that read back to it; those beyond fifteen places in scientific notation.
pub(super) fn real_text(value: f64) -> String {
    let size = value.abs();
    match size != 0.0 && size.is_finite() && !(1e-5..1e15).contains(&size) {
        true => format!("{value:e}"),
        false => value.to_string(),
    }
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name: a label's, or a figure's with dots.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// Its unit and what it means.
    pub meaning: Meaning,
    /// Its values.
    pub values: Values,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Which of the two.
    pub kind: TableKind,
    /// Its columns, all of them as long as `rows` says.
    pub columns: Vec<Column>,
    /// Rows.
    pub rows: usize,
}

impl Table {
    /// A column by name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Its names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// Some of its rows, in this order.
    pub(super) fn pick(&self, rows: &[usize]) -> Table {
        let pick = |column: &Column| Column {
            name: column.name.clone(),
            role: column.role,
            meaning: column.meaning.clone(),
            values: column.values.pick(rows),
        };
        Table { kind: self.kind, columns: self.columns.iter().map(pick).collect(), rows: rows.len() }
    }
}
