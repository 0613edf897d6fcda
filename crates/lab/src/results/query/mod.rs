//! Quick tables from results: filter, ratio to a baseline, group, means, sort, columns.
//!
//! ```text
//! table ─ where ─ ratio to the baseline ─ group and aggregate ─ sort ─ limit ─ columns ─ answer
//! ```
//!
//! Everything here is a function from tables to tables. What has no value is left out of a mean and said in a note.

mod aggregate;
mod baseline;
mod condition;
mod select;

pub use aggregate::Aggregate;
pub use condition::{Comparison, Condition};
pub use select::Sort;

use super::error::ResultsError;
use super::table::{Column, Role, Table};
use heddle_graph::error::nearest;

/// A question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// Rows that fit all of these.
    pub conditions: Vec<Condition>,
    /// Which rows are the baseline of those that equal them in every other label.
    pub baseline: Vec<Condition>,
    /// Columns of which the ratio to the baseline is wanted, as `NAME_ratio`.
    pub ratios: Vec<String>,
    /// Columns whose values make a group; none with aggregates is one group of all rows.
    pub group: Vec<String>,
    /// What is computed over a group, as `NAME_mean` and so on.
    pub aggregates: Vec<(Aggregate, String)>,
    /// Columns to show, by name or pattern; none chooses.
    pub columns: Vec<String>,
    /// The order of rows; none is the experiment's.
    pub sort: Option<Sort>,
    /// The most rows to show.
    pub limit: Option<usize>,
}

/// What the table of an answer holds, and what has to be said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The rows.
    pub table: Table,
    /// What was left out, in sentences.
    pub notes: Vec<String>,
}

/// What a ratio to the baseline is called.
pub(super) const RATIO: &str = "_ratio";

impl Query {
    /// The columns of the table that it needs by name, so that a caller can add those that follow from others.
    pub fn needs(&self) -> impl Iterator<Item = &str> {
        let conditions = self.conditions.iter().chain(&self.baseline).map(|condition| &condition.column);
        let aggregated = self.aggregates.iter().map(|(_, name)| name);
        let sorted = self.sort.iter().map(|sort| &sort.column);
        let named = conditions.chain(&self.ratios).chain(&self.group).chain(aggregated);
        let named = named.chain(&self.columns).chain(sorted);
        named.map(|name| name.strip_suffix(RATIO).unwrap_or(name))
    }

    fn is_grouped(&self) -> bool {
        !self.group.is_empty() || !self.aggregates.is_empty()
    }

    /// What makes no sense whatever the table.
    fn check(&self) -> Result<(), ResultsError> {
        match (self.ratios.first(), self.baseline.is_empty()) {
            (Some(ratio), true) => {
                return Err(ResultsError::new(format!("--ratio {ratio}: there is no baseline"))
                    .with_help("say which rows are the baseline, such as --baseline with=none"));
            }
            (None, false) => {
                return Err(ResultsError::new("--baseline: nothing is divided by it")
                    .with_help("say of which column, such as --ratio ipc"));
            }
            _ => {}
        }
        let shown = |ratio: &&String| {
            let name = format!("{ratio}{RATIO}");
            self.aggregates.iter().any(|(_, column)| *column == name) || self.group.contains(&name)
        };
        match self.ratios.iter().find(|ratio| !shown(ratio)) {
            Some(ratio) if self.is_grouped() => {
                Err(ResultsError::new(format!("--ratio {ratio}: which mean of it does a group have?"))
                    .with_help(format!(
                        "add --harmonic {ratio}{RATIO}, or --mean, --geometric, --min, --max"
                    )))
            }
            _ => Ok(()),
        }
    }
}

/// Answers a question about a table.
pub fn answer(table: &Table, query: &Query) -> Result<Answer, ResultsError> {
    query.check()?;
    let mut notes = Vec::new();
    let rows = condition::rows(table, &query.conditions)?;
    if rows.is_empty() && table.rows > 0 {
        notes.push(format!("none of the {} rows fits", table.rows));
        notes.extend(query.conditions.iter().filter_map(|one| condition::no_such_value(table, one)));
    }
    let ratios = baseline::ratios(table, query, &rows, &mut notes)?;
    let mut chosen = table.pick(&rows);
    chosen.columns.extend(ratios);
    let default = match query.is_grouped() {
        true => {
            chosen = aggregate::group(&chosen, &query.group, &query.aggregates, &mut notes)?;
            chosen.names().map(str::to_owned).collect()
        }
        false => select::usual_columns(&chosen, query),
    };
    if let Some(sort) = &query.sort {
        chosen = select::sorted(&chosen, sort)?;
    }
    if let Some(limit) = query.limit.filter(|&limit| limit < chosen.rows) {
        notes.push(format!("{limit} of {} rows are shown", chosen.rows));
        chosen = chosen.pick(&(0..limit).collect::<Vec<usize>>());
    }
    let names = if query.columns.is_empty() { default } else { query.columns.clone() };
    Ok(Answer { table: select::columns(chosen, &names)?, notes })
}

/// A column that has to be there.
pub(super) fn column<'a>(table: &'a Table, name: &str) -> Result<&'a Column, ResultsError> {
    table.column(name).ok_or_else(|| {
        let near =
            nearest(name, table.names()).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        // Names of figures come from points that have some.
        let has_figures = table.columns.iter().any(|column| column.role == Role::Figure);
        let why = if has_figures { "" } else { ": no point has figures, none has finished" };
        ResultsError::new(format!("there is no column `{name}`{why}"))
            .with_help(format!("{near}`heddle query PATH --list` lists the columns of the file"))
    })
}
