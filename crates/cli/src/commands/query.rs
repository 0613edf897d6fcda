//! `heddle query`.

use crate::arguments::{CommonArguments, QueryArguments, TableName};
use crate::failure::Failure;
use crate::ratio::{RowRatios, evaluate};
use crate::{output, view};
use heddle_lab::results::query::{Query, answer};
use heddle_lab::results::{Column, Loaded, Meaning, ResultsError, Role, Table, Values, load, write_csv};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

/// What `heddle query --json` prints. The field names are its keys.
#[derive(Serialize)]
struct Answered<'a> {
    experiment: &'a str,
    table: &'static str,
    notes: &'a [String],
    rows: Rows<'a>,
}

/// The rows of a table, each a map from column to value in the order of the columns.
struct Rows<'a>(&'a Table);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.0.rows))?;
        (0..self.0.rows).try_for_each(|row| rows.serialize_element(&RowOf(self.0, row)))?;
        rows.end()
    }
}

struct RowOf<'a>(&'a Table, usize);

impl Serialize for RowOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(Some(self.0.columns.len()))?;
        for column in &self.0.columns {
            match &column.values {
                Values::Text(values) => row.serialize_entry(&column.name, &values[self.1])?,
                Values::Count(values) => row.serialize_entry(&column.name, &values[self.1])?,
                Values::Real(values) => row.serialize_entry(&column.name, &values[self.1])?,
            }
        }
        row.end()
    }
}

/// A column for `--list`. The field names are the keys of its JSON.
#[derive(Debug, Serialize)]
pub(crate) struct ListedColumn {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) is: &'static str,
    pub(crate) role: &'static str,
    pub(crate) unit: String,
    pub(crate) description: String,
    /// Rows that have a value.
    pub(crate) values: usize,
}

/// Answers the question.
pub(super) fn run(arguments: &QueryArguments, common: CommonArguments) -> Result<(), Failure> {
    let mut loaded = load(&arguments.path, arguments.table.map(TableName::kind))?;
    if arguments.list {
        return list(&loaded, arguments.json);
    }
    let query = arguments.query();
    add_ratios(&mut loaded.table, &query)?;
    let answer = answer(&loaded.table, &query)?;
    if arguments.json {
        let (experiment, table) = (loaded.about.experiment.as_str(), loaded.table.kind.name());
        return output::json(&Answered {
            experiment,
            table,
            notes: &answer.notes,
            rows: Rows(&answer.table),
        });
    }
    match arguments.csv {
        true => output::bytes(write_csv(&answer.table).as_bytes())?,
        false => output::page(&view::query::page(&answer.table))?,
    }
    if !common.quiet {
        if loaded.table.rows == 0 {
            output::note(&format!("note: {}: the table has no rows", loaded.path.display()));
        }
        answer.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
    }
    Ok(())
}

fn list(loaded: &Loaded, json: bool) -> Result<(), Failure> {
    let listed = |column: &Column| ListedColumn {
        name: column.name.clone(),
        is: column.values.type_name(),
        role: column.role.name(),
        unit: column.meaning.unit.clone(),
        description: column.meaning.description.clone(),
        values: column.values.present(),
    };
    let own = loaded.table.columns.iter().map(listed).collect::<Vec<_>>();
    let ratios = RowRatios::new(&loaded.table)?;
    let others = ratios.names().filter(|name| loaded.table.column(name).is_none());
    let others =
        others.filter_map(|name| derived(&loaded.table, &ratios, name)).map(|column| listed(&column));
    let all: Vec<ListedColumn> = own.into_iter().chain(others.filter(|column| column.values > 0)).collect();
    match json {
        true => output::json(&all),
        false => output::page(&view::query::columns(loaded, &all)),
    }
}

/// Adds the ratios that the question names and the table has not.
fn add_ratios(table: &mut Table, query: &Query) -> Result<(), Failure> {
    let ratios = RowRatios::new(table)?;
    for name in query.needs() {
        let Some(ratio) = ratios.find(name).filter(|_| table.column(name).is_none()) else { continue };
        let Some(column) = derived(table, &ratios, name) else {
            let problem = format!("`{name}` needs what no row of the table has: {}", ratio.formula);
            return Err(Failure::new(problem).with_help("--list shows the ratios that can be computed"));
        };
        table.columns.push(column);
    }
    Ok(())
}

/// A ratio of every row; none where no row has all that its formula names.
fn derived(table: &Table, ratios: &RowRatios, name: &str) -> Option<Column> {
    let told = ratios.find(name)?;
    let of_rows = ratios.of_rows(name).enumerate();
    let of_rows = of_rows.map(|(row, ratio)| evaluate(&ratio?.formula, &|name| figure(table, row, name)));
    let values: Vec<Option<f64>> = of_rows.collect();
    let is_defined = table.rows == 0 || values.iter().any(Option::is_some);
    is_defined.then(|| Column {
        name: name.to_owned(),
        role: Role::Figure,
        meaning: Meaning::new(told.unit, &*told.description),
        values: Values::Real(values),
    })
}

/// A figure that a formula names: a column, `run.` and a column, or the sum of a group of counters.
fn figure(table: &Table, row: usize, name: &str) -> Option<f64> {
    let own = name.strip_prefix("run.").unwrap_or(name);
    if let Some(column) = table.column(own) {
        return column.values.number(row);
    }
    let group = format!("{}.", name.strip_suffix(".total")?);
    let is_counter = |column: &&Column| matches!(column.values, Values::Count(_));
    let members = table.columns.iter().filter(|column| column.name.starts_with(&group)).filter(is_counter);
    members.filter_map(|column| column.values.number(row)).reduce(|sum, count| sum + count)
}

impl From<ResultsError> for Failure {
    fn from(error: ResultsError) -> Failure {
        Failure::Told { problem: error.problem, help: error.help }
    }
}
