//! Ratios to a baseline: each row by the row that has the same labels but for those that the baseline names.

use super::super::error::ResultsError;
use super::super::meaning::Meaning;
use super::super::table::{Column, Role, Table, Values};
use super::condition::{self, Comparison, Condition};
use super::{Query, RATIO, column};
use std::collections::BTreeMap;

/// What tells launches of one run apart, beside labels.
const LAUNCH: [&str; 2] = ["launch", "kernel"];

/// A column of ratios for the chosen rows, for each that is asked for.
pub(super) fn ratios(
    table: &Table,
    query: &Query,
    chosen: &[usize],
    notes: &mut Vec<String>,
) -> Result<Vec<Column>, ResultsError> {
    if query.ratios.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(condition) = query.baseline.iter().find(|baseline| baseline.comparison != Comparison::Equal) {
        return Err(ResultsError::new(format!("--baseline {}: it takes = only", condition.column)));
    }
    let shared = shared(table, query)?;
    if let Some(problem) = query.baseline.iter().find_map(|one| condition::no_such_value(table, one)) {
        return Err(ResultsError::new(format!("--baseline: {problem}")));
    }
    let baselines = baselines(table, query, &shared)?;
    let found: Vec<Option<usize>> =
        chosen.iter().map(|&row| baselines.get(&identity(&shared, row)).copied()).collect();
    let lost = found.iter().filter(|found| found.is_none()).count();
    if lost == chosen.len() && lost > 0 {
        let names: Vec<&str> = shared.iter().map(|column| column.name.as_str()).collect();
        return Err(ResultsError::new("no row has a baseline: none equals one in all other labels").with_help(
            format!(
                "these must be equal: {}; a label that varies together with the baseline's needs a --baseline too",
                names.join(", ")
            ),
        ));
    }
    if lost > 0 {
        notes.push(format!("{lost} of {} rows have no baseline, and no ratio", chosen.len()));
    }
    query.ratios.iter().map(|name| ratio(column(table, name)?, chosen, &found, query)).collect()
}

/// The columns that a row and its baseline share: labels that the baseline does not name, and which launch it is.
fn shared<'a>(table: &'a Table, query: &Query) -> Result<Vec<&'a Column>, ResultsError> {
    for condition in &query.baseline {
        column(table, &condition.column)?;
    }
    let is_named = |name: &str| query.baseline.iter().any(|condition| condition.column == name);
    let tells = |column: &&Column| column.role == Role::Label || LAUNCH.contains(&column.name.as_str());
    Ok(table.columns.iter().filter(|column| tells(column) && !is_named(&column.name)).collect())
}

fn identity(shared: &[&Column], row: usize) -> Vec<Option<String>> {
    shared.iter().map(|column| column.values.text(row)).collect()
}

/// The baseline rows by what they share with others. Conditions on what the baseline names are not theirs: who looks at
/// `with=sector` beside `with=none` need not choose the latter, too.
fn baselines(
    table: &Table,
    query: &Query,
    shared: &[&Column],
) -> Result<BTreeMap<Vec<Option<String>>, usize>, ResultsError> {
    let is_other =
        |condition: &&Condition| !query.baseline.iter().any(|named| named.column == condition.column);
    let others = query.conditions.iter().filter(is_other);
    let conditions: Vec<Condition> = others.chain(&query.baseline).cloned().collect();
    let mut baselines = BTreeMap::new();
    for row in condition::rows(table, &conditions)? {
        let identity = identity(shared, row);
        if baselines.contains_key(&identity) {
            let cells = shared.iter().zip(&identity);
            let words: Vec<String> = cells
                .map(|(column, text)| format!("{}={}", column.name, text.as_deref().unwrap_or_default()))
                .collect();
            return Err(ResultsError::new(format!("two rows are the baseline of {}", words.join(", ")))
                .with_help("choose one of them by --where or a further --baseline"));
        }
        baselines.insert(identity, row);
    }
    Ok(baselines)
}

fn ratio(
    of: &Column,
    chosen: &[usize],
    found: &[Option<usize>],
    query: &Query,
) -> Result<Column, ResultsError> {
    if let Values::Text(_) = of.values {
        return Err(ResultsError::new(format!("--ratio {}: it is text", of.name)).with_help("name a figure"));
    }
    let value = |(&row, baseline): (&usize, &Option<usize>)| {
        let base = of.values.number((*baseline)?).filter(|&base| base != 0.0)?;
        Some(of.values.number(row)? / base)
    };
    let words: Vec<String> =
        query.baseline.iter().map(|condition| format!("{}={}", condition.column, condition.value)).collect();
    Ok(Column {
        name: format!("{}{RATIO}", of.name),
        role: Role::Figure,
        meaning: Meaning::new("ratio", format!("{} by that of the row with {}.", of.name, words.join(", "))),
        values: Values::Real(chosen.iter().zip(found).map(value).collect()),
    })
}
