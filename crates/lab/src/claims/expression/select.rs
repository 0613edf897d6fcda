//! `metric{label=value}`: rows of an experiment by their labels.

use super::Problem;
use super::tree::{Filter, Selection};
use super::value::{Series, in_words};
use crate::claims::observations::{Absent, Observation, Observations, figure, figures};
use crate::record::Labels;
use std::collections::{BTreeMap, BTreeSet};

/// The figure of each row that is selected, by the labels that the selection does not name a single value of.
pub(super) fn select<'a>(
    observations: &'a Observations,
    selection: &Selection,
    column: usize,
    names: impl Iterator<Item = &'a str>,
) -> Result<Series<f64>, Problem> {
    check(observations, selection, column)?;
    let (rows, metric) = match selection.metric.strip_prefix("run.") {
        Some(metric) => (&observations.runs, metric),
        None => (&observations.rows, selection.metric.as_str()),
    };
    let chosen: Vec<&Observation> = rows
        .iter()
        .filter(|row| selection.filters.iter().all(|filter| passes(&row.labels, filter)))
        .collect();
    if chosen.is_empty() {
        return Err(Problem::at(column, "no row has all of these labels"));
    }
    let mut by_labels = BTreeMap::new();
    for observation in &chosen {
        let Some(number) = figure(&observation.row, metric) else {
            return Err(no_figure(&chosen, observation, metric, column, names));
        };
        if !number.is_finite() {
            let words = in_words(&observation.labels);
            return Err(Problem::at(column, format!("`{}` of {words} is no number", selection.metric)));
        }
        let labels = remaining(&observation.labels, &selection.filters);
        if by_labels.insert(labels.clone(), number).is_some() {
            let words = in_words(&labels);
            return Err(Problem::at(column, format!("two rows are called {words}; select one of them")));
        }
    }
    Ok(Series { by_labels })
}

/// Points without figures whose rows would have been selected. Of a point that has not run, launches are unknown, so
/// that a label it does not have excludes it from nothing.
pub(super) fn absent<'a>(
    observations: &'a Observations,
    selection: &'a Selection,
) -> impl Iterator<Item = &'a Absent> {
    let may_pass =
        |labels: &Labels, filter: &Filter| labels.get(&filter.label).is_none_or(|value| filter.admits(value));
    observations
        .absent
        .iter()
        .filter(move |point| selection.filters.iter().all(|filter| may_pass(&point.labels, filter)))
}

fn passes(labels: &Labels, filter: &Filter) -> bool {
    labels.get(&filter.label).is_some_and(|value| filter.admits(value))
}

fn remaining(labels: &Labels, filters: &[Filter]) -> Labels {
    let is_named = |label: &str| filters.iter().any(|filter| filter.label == label && filter.is_single());
    labels
        .iter()
        .filter(|(label, _)| !is_named(label))
        .map(|(label, value)| (label.clone(), value.clone()))
        .collect()
}

/// Refuses labels and values that no row and no other point has: a slip would otherwise select less in silence.
fn check(observations: &Observations, selection: &Selection, column: usize) -> Result<(), Problem> {
    if observations.rows.is_empty() && observations.absent.is_empty() {
        return Err(Problem::at(column, "there are no results"));
    }
    let all = || {
        let rows = observations.rows.iter().map(|row| &row.labels);
        let absent = observations.absent.iter().map(|point| &point.labels);
        rows.chain(absent).chain(&observations.unused)
    };
    for filter in &selection.filters {
        let labels: BTreeSet<&str> = all().flat_map(|labels| labels.keys()).map(String::as_str).collect();
        if !labels.contains(filter.label.as_str()) {
            return Err(Problem::unknown(column, "label", &filter.label, labels));
        }
        let values: BTreeSet<&str> =
            all().filter_map(|labels| labels.get(&filter.label)).map(String::as_str).collect();
        if let Some(value) = filter.values.iter().find(|value| !values.contains(value.as_str())) {
            return Err(Problem::unknown(column, &format!("{} called", filter.label), value, values));
        }
    }
    Ok(())
}

/// A figure that no row has may be a slip of a word that the claim defines.
fn no_figure<'a>(
    chosen: &[&Observation],
    observation: &'a Observation,
    metric: &str,
    column: usize,
    names: impl Iterator<Item = &'a str>,
) -> Problem {
    let is_nowhere = chosen.iter().all(|other| figure(&other.row, metric).is_none());
    match is_nowhere {
        true => Problem::unknown(column, "figure", metric, figures(&observation.row).chain(names)),
        false => Problem::at(column, format!("{} has no figure `{metric}`", in_words(&observation.labels))),
    }
}
