//! `heddle compare --limits`: columns beside what would be possible.

use super::compare::{Column, column_name};
use crate::arguments::Mechanisms;
use crate::failure::Failure;
use heddle_machine::Mechanism;
use serde::Serialize;

/// A column that was asked for, and the one that is its limit.
#[derive(Debug)]
pub(super) struct Limited {
    column: Mechanisms,
    limit: Mechanisms,
}

/// What a column reaches of what is possible.
#[derive(Debug, Serialize)]
pub(crate) struct Reached {
    pub(crate) column: String,
    pub(crate) limit: String,
    /// Speedup over the baseline, less one.
    pub(crate) gain: f64,
    /// That of the limit.
    pub(crate) possible: f64,
    /// The one by the other; nothing where nothing is possible.
    pub(crate) fraction: Option<f64>,
}

/// The limit of each column that has one: those of its mechanisms together.
pub(super) fn limits_of(columns: &[Mechanisms]) -> Result<Vec<Limited>, Failure> {
    let mut limited = Vec::new();
    for column in columns {
        let mut limit = Mechanisms::new();
        for word in column {
            for name in Mechanism::named(word)?.limits() {
                if !limit.iter().any(|known| known == name) {
                    limit.push(name.to_owned());
                }
            }
        }
        if !limit.is_empty() {
            limited.push(Limited { column: column.clone(), limit });
        }
    }
    Ok(limited)
}

/// The columns with those of limits that are not among them.
pub(super) fn with_limits(mut columns: Vec<Mechanisms>, limits: &[Limited]) -> Vec<Mechanisms> {
    for Limited { limit, .. } in limits {
        if !columns.contains(limit) {
            columns.push(limit.clone());
        }
    }
    columns
}

impl Limited {
    /// What the column reaches; nothing if either was stopped.
    pub(super) fn judge(&self, columns: &[Column]) -> Option<Reached> {
        let speedup = |named: &Mechanisms| columns.iter().find(|column| &column.mechanisms == named)?.speedup;
        let (gain, possible) = (speedup(&self.column)? - 1.0, speedup(&self.limit)? - 1.0);
        Some(Reached {
            column: column_name(&self.column),
            limit: column_name(&self.limit),
            gain,
            possible,
            fraction: (possible > 0.0).then(|| gain / possible),
        })
    }
}
