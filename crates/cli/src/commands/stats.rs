//! `heddle stats`.

use crate::arguments::StatsArguments;
use crate::failure::Failure;
use crate::pattern::fits;
use crate::ratio::{QUANTITIES, Ratio, Ratios};
use crate::{output, timing, view};
use heddle_engine::Catalogue;
use heddle_graph::error::nearest;
use serde::Serialize;

/// What `heddle stats` shows.
#[derive(Debug, Serialize)]
pub(crate) struct Explained {
    pub(crate) counters: Vec<Counter>,
    pub(crate) ratios: Vec<Ratio>,
    /// Names of formulas that are no counters, with what they mean.
    pub(crate) quantities: Vec<(&'static str, &'static str)>,
}

/// A counter of a machine.
#[derive(Debug, Serialize)]
pub(crate) struct Counter {
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) description: String,
}

/// Explains the statistics.
pub(super) fn run(arguments: &StatsArguments) -> Result<(), Failure> {
    let (figures, catalogue) = timing::explained(&arguments.machine, &arguments.with, &arguments.set)?;
    let explained = explain(&catalogue, &figures.ratios, arguments.pattern.as_deref())?;
    match arguments.json {
        true => output::json(&explained),
        false => output::page(&view::stats::page(&explained)),
    }
}

/// The statistics whose names fit a pattern.
pub(crate) fn explain(
    catalogue: &Catalogue,
    ratios: &Ratios,
    pattern: Option<&str>,
) -> Result<Explained, Failure> {
    let chosen = |name: &str| match pattern {
        None => true,
        Some(pattern) if pattern.contains('*') => fits(pattern, name),
        Some(pattern) => name.contains(pattern),
    };
    let counters = catalogue.iter().filter(|(name, _)| chosen(name)).map(|(name, declared)| Counter {
        name: name.to_owned(),
        unit: declared.unit.clone().into_owned(),
        description: declared.description.clone().into_owned(),
    });
    let chosen: Vec<Ratio> = ratios.iter().filter(|ratio| chosen(&ratio.name)).cloned().collect();
    let quantities = used_quantities(&chosen);
    let explained = Explained { counters: counters.collect(), quantities, ratios: chosen };
    match (pattern, explained.counters.is_empty() && explained.ratios.is_empty()) {
        (Some(pattern), true) => Err(none_fits(catalogue, ratios, pattern)),
        _ => Ok(explained),
    }
}

/// The names in these formulas that are no counters.
fn used_quantities(ratios: &[Ratio]) -> Vec<(&'static str, &'static str)> {
    let used = |name: &str| ratios.iter().any(|ratio| crate::ratio::names(&ratio.formula).any(|n| n == name));
    QUANTITIES.iter().copied().filter(|(name, _)| used(name)).collect()
}

fn none_fits(catalogue: &Catalogue, ratios: &Ratios, pattern: &str) -> Failure {
    let known = catalogue.iter().map(|(name, _)| name).chain(ratios.iter().map(|ratio| &*ratio.name));
    let failure = Failure::new(format!("no statistic fits '{pattern}'"));
    match nearest(pattern, known) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure.with_help("`heddle stats` lists them; * stands for anything"),
    }
}
