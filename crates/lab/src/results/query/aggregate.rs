//! Groups of rows, and one figure for many.

use super::super::error::ResultsError;
use super::super::meaning::Meaning;
use super::super::table::{Column, Role, Table, Values};
use super::column;
use std::collections::BTreeMap;

/// One figure for many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// Arithmetic mean.
    Mean,
    /// Harmonic mean, of positive values.
    Harmonic,
    /// Geometric mean, of positive values.
    Geometric,
    /// Least value.
    Min,
    /// Greatest value.
    Max,
    /// Sum.
    Sum,
}

impl Aggregate {
    /// All of them.
    pub const ALL: [Aggregate; 6] = [
        Aggregate::Mean,
        Aggregate::Harmonic,
        Aggregate::Geometric,
        Aggregate::Min,
        Aggregate::Max,
        Aggregate::Sum,
    ];

    /// The end of a column's name.
    pub fn name(self) -> &'static str {
        match self {
            Aggregate::Mean => "mean",
            Aggregate::Harmonic => "harmonic",
            Aggregate::Geometric => "geometric",
            Aggregate::Min => "min",
            Aggregate::Max => "max",
            Aggregate::Sum => "sum",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Aggregate::Mean => "Arithmetic mean",
            Aggregate::Harmonic => "Harmonic mean",
            Aggregate::Geometric => "Geometric mean",
            Aggregate::Min => "Least value",
            Aggregate::Max => "Greatest value",
            Aggregate::Sum => "Sum",
        }
    }

    /// The figure of some values; nothing for none, and for harmonic and geometric means of what is not positive.
    pub fn of(self, values: &[f64]) -> Option<f64> {
        if values.is_empty() {
            return None;
        }
        let count = values.len() as f64;
        let are_positive = values.iter().all(|&value| value > 0.0);
        match self {
            Aggregate::Mean => Some(values.iter().sum::<f64>() / count),
            Aggregate::Harmonic => {
                are_positive.then(|| count / values.iter().map(|value| 1.0 / value).sum::<f64>())
            }
            Aggregate::Geometric => are_positive
                .then(|| libm::exp(values.iter().map(|&value| libm::log(value)).sum::<f64>() / count)),
            Aggregate::Min => values.iter().copied().reduce(f64::min),
            Aggregate::Max => values.iter().copied().reduce(f64::max),
            Aggregate::Sum => Some(values.iter().sum()),
        }
    }
}

/// One row per group, in the order in which groups first appear: its labels, `n` rows, its figures. Where a column lacks
/// values, `NAME_n` tells of how many a figure is.
pub(super) fn group(
    table: &Table,
    by: &[String],
    aggregates: &[(Aggregate, String)],
    notes: &mut Vec<String>,
) -> Result<Table, ResultsError> {
    let by: Vec<&Column> = by.iter().map(|name| column(table, name)).collect::<Result<_, _>>()?;
    let groups = groups(table, &by);
    let first: Vec<usize> = groups.iter().filter_map(|rows| rows.first().copied()).collect();
    let mut columns: Vec<Column> = by
        .iter()
        .map(|column| Column {
            name: column.name.clone(),
            role: column.role,
            meaning: column.meaning.clone(),
            values: column.values.pick(&first),
        })
        .collect();
    let sizes = groups.iter().map(|rows| Some(rows.len() as u64)).collect();
    columns.push(figure("n".to_owned(), Meaning::new("rows", "Rows of the group."), Values::Count(sizes)));
    let mut counted: Vec<&str> = Vec::new();
    for (aggregate, name) in aggregates {
        let of = column(table, name)?;
        if let Values::Text(_) = of.values {
            return Err(ResultsError::new(format!("--{} {name}: it is text", aggregate.name()))
                .with_help("name a figure"));
        }
        let values = |rows: &Vec<usize>| -> Vec<f64> {
            rows.iter().filter_map(|&row| of.values.number(row)).collect()
        };
        let values: Vec<Vec<f64>> = groups.iter().map(values).collect();
        if of.values.present() < table.rows && !counted.contains(&name.as_str()) {
            counted.push(name);
            let lost = table.rows - of.values.present();
            notes.push(format!(
                "{lost} of {} rows have no {name}, and are left out of its figures",
                table.rows
            ));
            let counts = values.iter().map(|values| Some(values.len() as u64)).collect();
            let meaning = Meaning::new("rows", format!("Rows of the group that have a value of {name}."));
            columns.push(figure(format!("{name}_n"), meaning, Values::Count(counts)));
        }
        columns.push(aggregated(*aggregate, of, &values, notes));
    }
    Ok(Table { kind: table.kind, columns, rows: groups.len() })
}

fn aggregated(aggregate: Aggregate, of: &Column, values: &[Vec<f64>], notes: &mut Vec<String>) -> Column {
    let figures: Vec<Option<f64>> = values.iter().map(|values| aggregate.of(values)).collect();
    let undefined =
        figures.iter().zip(values).filter(|(figure, values)| figure.is_none() && !values.is_empty());
    match undefined.count() {
        0 => {}
        count => notes.push(format!(
            "the {} mean of {} is undefined for {count} of {} groups, which have values that are not positive",
            aggregate.name(),
            of.name,
            values.len()
        )),
    }
    let meaning = Meaning::new(&of.meaning.unit, format!("{} of {}.", aggregate.words(), of.name));
    figure(format!("{}_{}", of.name, aggregate.name()), meaning, Values::Real(figures))
}

fn figure(name: String, meaning: Meaning, values: Values) -> Column {
    Column { name, role: Role::Figure, meaning, values }
}

/// The rows of each group; all of them where nothing tells them apart.
fn groups(table: &Table, by: &[&Column]) -> Vec<Vec<usize>> {
    let mut numbers: BTreeMap<Vec<Option<String>>, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for row in 0..table.rows {
        let identity: Vec<Option<String>> = by.iter().map(|column| column.values.text(row)).collect();
        let number = *numbers.entry(identity).or_insert(groups.len());
        if number == groups.len() {
            groups.push(Vec::new());
        }
        groups[number].push(row);
    }
    groups
}
