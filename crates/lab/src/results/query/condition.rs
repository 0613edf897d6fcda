//! Which rows fit: `workload=h-bfs`, `cycles>1000`, `error!=`.

use super::super::error::ResultsError;
use super::super::table::{Column, Table, Values};
use super::column;
use heddle_graph::error::nearest;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::str::FromStr;

/// How a value is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// The signs; a longer one before what it begins with.
const SIGNS: [(&str, Comparison); 7] = [
    ("!=", Comparison::NotEqual),
    ("<=", Comparison::LessEqual),
    (">=", Comparison::GreaterEqual),
    ("==", Comparison::Equal),
    ("=", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

/// A condition on a column. An empty value is that of rows that have none; `*` in a text stands for anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The column.
    pub column: String,
    /// How.
    pub comparison: Comparison,
    /// With what.
    pub value: String,
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        let expected = || "expected COLUMN=VALUE, or !=, <, <=, >, >= in place of =".to_owned();
        let at = text.find(['=', '!', '<', '>']).ok_or_else(expected)?;
        let (name, rest) = text.split_at(at);
        let found = SIGNS.iter().find_map(|(sign, is)| Some((*is, rest.strip_prefix(sign)?)));
        let (comparison, value) = found.ok_or_else(expected)?;
        match name.trim() {
            "" => Err(expected()),
            name => Ok(Condition { column: name.to_owned(), comparison, value: value.trim().to_owned() }),
        }
    }
}

/// The rows that fit all conditions, in their order.
pub(super) fn rows(table: &Table, conditions: &[Condition]) -> Result<Vec<usize>, ResultsError> {
    let mut rows: Vec<usize> = (0..table.rows).collect();
    for condition in conditions {
        let test = Test::new(condition, column(table, &condition.column)?)?;
        rows.retain(|&row| test.fits(row));
    }
    Ok(rows)
}

/// Values that are named where none of them was meant.
const VALUES_TOLD: usize = 8;

/// What is told of a value of a text column that no row of the table has: a slip, most likely.
pub(super) fn no_such_value(table: &Table, condition: &Condition) -> Option<String> {
    let column = table.column(&condition.column)?;
    let Values::Text(values) = &column.values else { return None };
    let Condition { comparison, value, .. } = condition;
    let is_named = *comparison == Comparison::Equal && !value.is_empty();
    if !is_named || values.iter().flatten().any(|text| like(value, text)) {
        return None;
    }
    let known: BTreeSet<&str> = values.iter().flatten().map(String::as_str).collect();
    let help = match nearest(value, known.iter().copied()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None if known.len() > VALUES_TOLD => String::new(),
        None => format!("; there are {}", known.into_iter().collect::<Vec<_>>().join(", ")),
    };
    Some(format!("no row has {}={value}{help}", condition.column))
}

/// A condition on the values of a column.
pub(super) struct Test<'a> {
    condition: &'a Condition,
    values: &'a Values,
    number: f64,
}

impl<'a> Test<'a> {
    /// Refuses a comparison that the column's type has not.
    pub(super) fn new(condition: &'a Condition, column: &'a Column) -> Result<Test<'a>, ResultsError> {
        let Condition { column: name, comparison, value } = condition;
        let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        if value.is_empty() && !is_equality {
            return Err(ResultsError::new(format!("{name}: a value is missing behind the sign")));
        }
        let mut number = f64::NAN;
        match &column.values {
            Values::Text(_) if !is_equality => {
                return Err(ResultsError::new(format!("{name} is text, which has no order"))
                    .with_help("compare it by = or !=, with * for anything"));
            }
            Values::Text(_) => {}
            _ if value.is_empty() => {}
            _ => {
                number = value.parse().map_err(|_| {
                    ResultsError::new(format!("{name} is a number, and `{value}` is none"))
                        .with_help("write it without unit and without commas, such as 1000 or 2.5e6")
                })?;
            }
        }
        Ok(Test { condition, values: &column.values, number })
    }

    /// Whether a row fits. What has no value fits nothing but the empty value, and what excludes others.
    pub(super) fn fits(&self, row: usize) -> bool {
        let Condition { comparison, value, .. } = self.condition;
        let is_equal = match self.values {
            _ if value.is_empty() => self.values.text(row).is_none_or(|text| text.is_empty()),
            Values::Text(values) => {
                values.get(row).is_some_and(|text| text.as_ref().is_some_and(|text| like(value, text)))
            }
            _ => self.order(row) == Some(Ordering::Equal),
        };
        match comparison {
            Comparison::Equal => is_equal,
            Comparison::NotEqual => !is_equal,
            Comparison::Less => self.order(row) == Some(Ordering::Less),
            Comparison::LessEqual => self.order(row).is_some_and(Ordering::is_le),
            Comparison::Greater => self.order(row) == Some(Ordering::Greater),
            Comparison::GreaterEqual => self.order(row).is_some_and(Ordering::is_ge),
        }
    }

    /// The value against the condition's; whole numbers exactly.
    fn order(&self, row: usize) -> Option<Ordering> {
        if let (Values::Count(values), Ok(whole)) = (self.values, self.condition.value.parse::<u64>()) {
            return values.get(row).copied().flatten().map(|value| value.cmp(&whole));
        }
        self.values.number(row).and_then(|value| value.partial_cmp(&self.number))
    }
}

/// Whether a text fits a pattern in which `*` stands for anything.
pub(super) fn like(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    // Between the first and the last part, the earliest place of each leaves the most for the others.
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}
