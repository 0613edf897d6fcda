//! Which columns are shown, and in which order rows are.

use super::super::error::ResultsError;
use super::super::table::{Column, Role, Table, TableKind, Values};
use super::condition::like;
use super::{Query, RATIO, column};
use std::cmp::Ordering;
use std::convert::Infallible;
use std::str::FromStr;

/// Figures that are shown of a simulation unless others are asked for.
const USUAL: [&str; 3] = ["cycles", "warp_instructions", "ipc"];

/// So many figures are shown all: those of points that are no simulations.
const FEW: usize = 8;

/// The order of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// By this column.
    pub column: String,
    /// The greatest first.
    pub descending: bool,
}

impl FromStr for Sort {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Sort, Infallible> {
        let (column, descending) = match text.strip_prefix('-') {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        Ok(Sort { column: column.to_owned(), descending })
    }
}

/// The rows by a column; those without a value last, equal ones as they were.
pub(super) fn sorted(table: &Table, sort: &Sort) -> Result<Table, ResultsError> {
    let values = &column(table, &sort.column)?.values;
    let mut rows: Vec<usize> = (0..table.rows).collect();
    rows.sort_by(|&a, &b| {
        let is_absent = |row: usize| values.text(row).is_none();
        let order = compare(values, a, b);
        is_absent(a).cmp(&is_absent(b)).then(if sort.descending { order.reverse() } else { order })
    });
    Ok(table.pick(&rows))
}

fn compare(values: &Values, a: usize, b: usize) -> Ordering {
    fn both<T>(values: &[Option<T>], a: usize, b: usize) -> Option<(&T, &T)> {
        Some((values.get(a)?.as_ref()?, values.get(b)?.as_ref()?))
    }
    let order = match values {
        Values::Text(values) => both(values, a, b).map(|(a, b)| a.cmp(b)),
        Values::Count(values) => both(values, a, b).map(|(a, b)| a.cmp(b)),
        Values::Real(values) => both(values, a, b).map(|(a, b)| a.total_cmp(b)),
    };
    order.unwrap_or(Ordering::Equal)
}

/// The columns of these names, in this order; a pattern is all that fit it.
pub(super) fn columns(table: Table, names: &[String]) -> Result<Table, ResultsError> {
    let mut columns: Vec<Column> = Vec::new();
    for name in names {
        let found: Vec<&Column> = match name.contains('*') {
            true => table.columns.iter().filter(|column| like(name, &column.name)).collect(),
            false => vec![column(&table, name)?],
        };
        if found.is_empty() {
            return Err(ResultsError::new(format!("no column fits `{name}`"))
                .with_help("`heddle query PATH --list` lists the columns of the file"));
        }
        for column in found {
            if columns.iter().all(|known| known.name != column.name) {
                columns.push(column.clone());
            }
        }
    }
    Ok(Table { kind: table.kind, columns, rows: table.rows })
}

/// What is shown of rows that are not grouped: labels that vary, what tells launches apart, whether a run failed, and
/// figures: all if they are few, else the usual ones and those that the question names.
pub(super) fn usual_columns(table: &Table, query: &Query) -> Vec<String> {
    let asked = |name: &str| {
        let named = query.needs().any(|needed| needed == name);
        named || name.strip_suffix(RATIO).is_some_and(|name| query.ratios.iter().any(|ratio| ratio == name))
    };
    let figures = table.columns.iter().filter(|column| column.role == Role::Figure).count();
    let is_shown = |column: &&Column| match (column.role, column.name.as_str()) {
        (_, name) if asked(name) => true,
        (Role::Label, _) => varies(&column.values),
        (Role::Identity, "launch" | "kernel") => table.kind == TableKind::Launches,
        (Role::Identity, "status") => varies(&column.values),
        (Role::Identity, _) => false,
        (Role::Figure, name) => figures <= FEW || USUAL.contains(&name),
    };
    let names: Vec<String> =
        table.columns.iter().filter(is_shown).map(|column| column.name.clone()).collect();
    // Where nothing varies, labels tell what the rows are.
    let is_label = |name: &String| table.column(name).is_some_and(|column| column.role == Role::Label);
    match names.iter().any(is_label) {
        true => names,
        false => {
            let labels = table.columns.iter().filter(|column| column.role == Role::Label);
            labels.map(|column| column.name.clone()).chain(names).collect()
        }
    }
}

/// Whether not all rows have the same value.
fn varies(values: &Values) -> bool {
    (1..values.len()).any(|row| values.text(row) != values.text(0))
}
