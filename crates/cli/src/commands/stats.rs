//! `heddle stats`.

use crate::arguments::StatsArguments;
use crate::failure::Failure;
use crate::pattern::fits;
use crate::ratio::{QUANTITIES, RATIOS, Ratio};
use crate::{output, timing, view};
use heddle_engine::Catalogue;
use heddle_graph::error::nearest;
use serde::Serialize;

/// What `heddle stats` shows.
#[derive(Debug, Serialize)]
pub(crate) struct Explained {
    pub(crate) counters: Vec<Counter>,
    pub(crate) ratios: Vec<&'static Ratio>,
    /// Names of formulas that are no counters, with what they mean.
    pub(crate) quantities: Vec<(&'static str, &'static str)>,
}

/// A counter of a machine.
#[derive(Debug, Serialize)]
pub(crate) struct Counter {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) description: &'static str,
}

/// Explains the statistics.
pub(super) fn run(arguments: &StatsArguments) -> Result<(), Failure> {
    let explained = explain(&timing::catalogue()?, arguments.pattern.as_deref())?;
    match arguments.json {
        true => output::json(&explained),
        false => output::page(&view::stats::page(&explained)),
    }
}

/// The statistics whose names fit a pattern.
pub(crate) fn explain(catalogue: &Catalogue, pattern: Option<&str>) -> Result<Explained, Failure> {
    let chosen = |name: &str| match pattern {
        None => true,
        Some(pattern) if pattern.contains('*') => fits(pattern, name),
        Some(pattern) => name.contains(pattern),
    };
    let counters = catalogue.iter().filter(|(name, _)| chosen(name)).map(|(name, declared)| Counter {
        name: name.to_owned(),
        unit: declared.unit,
        description: declared.description,
    });
    let ratios: Vec<_> = RATIOS.iter().filter(|ratio| chosen(ratio.name)).collect();
    let explained = Explained { counters: counters.collect(), quantities: used_quantities(&ratios), ratios };
    match (pattern, explained.counters.is_empty() && explained.ratios.is_empty()) {
        (Some(pattern), true) => Err(none_fits(catalogue, pattern)),
        _ => Ok(explained),
    }
}

/// The names in these formulas that are no counters.
fn used_quantities(ratios: &[&Ratio]) -> Vec<(&'static str, &'static str)> {
    let used = |name: &str| ratios.iter().any(|ratio| crate::ratio::names(ratio.formula).any(|n| n == name));
    QUANTITIES.iter().copied().filter(|(name, _)| used(name)).collect()
}

fn none_fits(catalogue: &Catalogue, pattern: &str) -> Failure {
    let known = catalogue.iter().map(|(name, _)| name).chain(RATIOS.iter().map(|ratio| ratio.name));
    let failure = Failure::new(format!("no statistic fits '{pattern}'"));
    match nearest(pattern, known) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure.with_help("`heddle stats` lists them; * stands for anything"),
    }
}
