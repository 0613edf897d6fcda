//! Claims: expressions, bands, the data files, verdicts, the ledger.

mod bands;
mod data;
mod exact;
mod expressions;
mod flips;
mod ledger;
mod recorded;
mod words;

use heddle_lab::claims::observations::{Observation, Observations};
use heddle_lab::record::{Labels, Row};

/// Labels from pairs.
fn labels(pairs: &[(&str, &str)]) -> Labels {
    pairs.iter().map(|(label, value)| (label.to_string(), value.to_string())).collect()
}

/// A row with figures.
fn row(pairs: &[(&str, &str)], figures: &[(&str, f64)]) -> Observation {
    let reals = figures.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    Observation { labels: labels(pairs), row: Row { reals, ..Row::default() } }
}

fn observations(rows: Vec<Observation>) -> Observations {
    Observations { runs: rows.clone(), rows, ..Observations::default() }
}
