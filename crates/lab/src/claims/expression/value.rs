//! What expressions are about: numbers, truths, and series of them by the labels of their rows.

use super::Problem;
use crate::record::Labels;
use std::collections::{BTreeMap, BTreeSet};

/// What an expression gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// One number.
    Number(f64),
    /// One text.
    Text(String),
    /// Yes or no.
    Truth(bool),
    /// Numbers by the labels of their rows.
    Series(Series<f64>),
    /// Truths by the labels of their rows.
    Truths(Series<bool>),
    /// Some values of one label.
    Set(BTreeSet<String>),
    /// Several of one kind, in order.
    List(Vec<Value>),
    /// What `in` compares with.
    Range(Range),
}

impl Value {
    /// What it is, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::Truth(_) => "true or false",
            Value::Series(_) => "a series of numbers",
            Value::Truths(_) => "a series of truths",
            Value::Set(_) => "a set of labels",
            Value::List(_) => "a list",
            Value::Range(_) => "a range",
        }
    }
}

/// An interval whose ends may be open or missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The lower end.
    pub low: Option<End>,
    /// The upper end.
    pub high: Option<End>,
}

/// An end of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// Where it is.
    pub at: f64,
    /// Whether it belongs to the interval.
    pub is_included: bool,
}

impl Range {
    /// From one number to another, both included, whichever is the larger.
    pub fn between(one: f64, other: f64) -> Range {
        let end = |at| Some(End { at, is_included: true });
        Range { low: end(one.min(other)), high: end(one.max(other)) }
    }

    /// Whether a number is in it.
    pub fn contains(&self, number: f64) -> bool {
        let above = self.low.is_none_or(|end| number > end.at || end.is_included && number == end.at);
        let below = self.high.is_none_or(|end| number < end.at || end.is_included && number == end.at);
        above && below
    }
}

/// Values by the labels that tell their rows apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series<T> {
    /// By labels, without those that the selection names a single value of.
    pub by_labels: BTreeMap<Labels, T>,
}

impl<T: Copy> Series<T> {
    /// The values, in the order of their labels.
    pub fn values(&self) -> impl Iterator<Item = T> + '_ {
        self.by_labels.values().copied()
    }

    /// Each value changed.
    pub fn map<U>(&self, change: impl Fn(T) -> U) -> Series<U> {
        let changed = self.by_labels.iter().map(|(labels, &value)| (labels.clone(), change(value)));
        Series { by_labels: changed.collect() }
    }

    /// Values of two series whose labels are the same. Series that do not match are refused.
    pub fn join<U: Copy, V>(
        &self,
        other: &Series<U>,
        column: usize,
        combine: impl Fn(T, U) -> V,
    ) -> Result<Series<V>, Problem> {
        let alone = |labels: &Labels, side: &str| {
            let words = in_words(labels);
            Problem::at(column, format!("the series do not match: only the {side} one has {words}"))
        };
        if let Some(labels) = other.by_labels.keys().find(|labels| !self.by_labels.contains_key(*labels)) {
            return Err(alone(labels, "right"));
        }
        let mut joined = BTreeMap::new();
        for (labels, &value) in &self.by_labels {
            let partner = other.by_labels.get(labels).ok_or_else(|| alone(labels, "left"))?;
            joined.insert(labels.clone(), combine(value, *partner));
        }
        Ok(Series { by_labels: joined })
    }
}

/// `graph=rmat20 workload=h-bfs`.
pub fn in_words(labels: &Labels) -> String {
    match labels.is_empty() {
        true => "a row without further labels".to_owned(),
        false => labels.iter().map(|(label, value)| format!("{label}={value}")).collect::<Vec<_>>().join(" "),
    }
}
