//! A table, complete: what it includes and what it is derived from is in it.

use crate::quantity::{Picojoules, Watts};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Figures with their sources.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// What it is called.
    pub name: String,
    /// For people.
    pub description: String,
    /// What its user must know.
    pub notes: Vec<String>,
    /// Process of the figures, in nanometres.
    pub nanometres: Option<u32>,
    /// Temperature of the figures.
    pub kelvin: Option<u32>,
    /// Frequencies in hertz of the clocks that rows name, for runs that do not say theirs.
    pub clocks: BTreeMap<String, u64>,
    /// The table that its rows were made from.
    pub derived_from: Option<Derivation>,
    /// The tables that it includes.
    pub include: Vec<String>,
    /// The rows of dynamic energy.
    pub actions: Vec<Action>,
    /// The rows of static power.
    pub statics: Vec<Static>,
    /// What costs nothing, and why.
    pub free: Vec<Free>,
    /// Every file that was read for it, which no output may replace; none for those that come with the program.
    #[serde(skip)]
    pub files: Vec<PathBuf>,
}

/// How rows were made from those of another table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Derivation {
    /// The other table.
    pub table: String,
    /// Energies were multiplied by this.
    pub factor: f64,
    /// Powers were multiplied by this; without it they were not taken.
    pub static_factor: Option<f64>,
    /// Whether fitted coefficients apply.
    pub fitted: bool,
    /// Why this factor.
    pub why: String,
    /// Where it is from.
    pub source: String,
}

/// One kind of action.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Action {
    /// What is done.
    pub name: String,
    /// The part of the machine that it is charged to.
    pub component: String,
    /// The statistics whose sum says how often.
    pub counts: Vec<String>,
    /// The energy is that of so many counts.
    pub per: u64,
    /// Every count stands for so many actions.
    pub weight: f64,
    /// The energy of an action, as the source has it.
    pub energy: Picojoules,
    /// The source's fitted coefficient, if it has one.
    pub fitted: Option<Fitted>,
    /// By which a derived table multiplies it.
    pub factor: f64,
    /// Where the energy is from.
    pub source: String,
    /// The file that it is in.
    pub table: String,
}

/// One static power.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Static {
    /// What it is.
    pub name: String,
    /// The part of the machine that it is charged to.
    pub component: String,
    /// The power, as the source has it.
    pub power: Watts,
    /// For how long.
    pub share: Share,
    /// The source's fitted coefficient, if it has one.
    pub fitted: Option<Fitted>,
    /// By which a derived table multiplies it.
    pub factor: f64,
    /// Where the power is from.
    pub source: String,
    /// The file that it is in.
    pub table: String,
}

/// The time by which a power is multiplied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Share {
    /// All of the run.
    Machine,
    /// Cycles that statistics count, divided by the frequency of their clock. A statistic that is summed over
    /// cores gives core-seconds.
    Cycles {
        /// Their sum counts.
        counts: Vec<String>,
        /// The clock's name.
        clock: String,
    },
}

/// A coefficient that makes the sum of all rows fit a measured board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fitted {
    /// The coefficient.
    pub scale: f64,
    /// Where it is from.
    pub source: String,
}

/// Statistics that cost nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Free {
    /// Their names.
    pub counts: Vec<String>,
    /// Why.
    pub reason: String,
    /// The file that it is in.
    pub table: String,
}

/// The first word of a statistic.
pub fn component_of(statistic: &str) -> &str {
    statistic.split_once('.').map_or(statistic, |(first, _)| first)
}

/// Whether a name fits a pattern, in which each `*` stands for anything.
pub fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).any(|at| rest.get(at..).is_some_and(|rest| fits(after, rest)))
        }),
    }
}

impl Action {
    /// Picojoules of one count.
    pub fn picojoules_per_count(&self) -> f64 {
        let scale = self.fitted.as_ref().map_or(1.0, |fitted| fitted.scale);
        self.energy.get() * scale * self.factor * self.weight / self.per as f64
    }
}

impl Static {
    /// Watts while it lasts.
    pub fn watts(&self) -> f64 {
        self.power.get() * self.fitted.as_ref().map_or(1.0, |fitted| fitted.scale) * self.factor
    }

    /// The statistics that say for how long.
    pub fn counts(&self) -> &[String] {
        match &self.share {
            Share::Machine => &[],
            Share::Cycles { counts, .. } => counts,
        }
    }
}

impl Table {
    /// Every statistic that some row counts, with the row's name.
    pub fn counted(&self) -> impl Iterator<Item = (&str, &str)> {
        let actions = self.actions.iter().map(|action| (action.name.as_str(), action.counts.as_slice()));
        let statics = self.statics.iter().map(|row| (row.name.as_str(), row.counts()));
        actions.chain(statics).flat_map(|(row, counts)| counts.iter().map(move |count| (row, count.as_str())))
    }

    /// The table for a machine that has not all components: statistics that `has` does not know, such as those of a
    /// cache that it lacks, are neither counted nor free.
    pub fn of_statistics(mut self, has: impl Fn(&str) -> bool) -> Table {
        for action in &mut self.actions {
            action.counts.retain(|count| has(count));
        }
        self.actions.retain(|action| !action.counts.is_empty());
        for free in &mut self.free {
            free.counts.retain(|count| has(count));
        }
        self
    }

    /// The table of a part of a machine, whose share of the static power nobody knows.
    pub fn dynamic_alone(self) -> Table {
        Table { statics: Vec::new(), ..self }
    }

    /// The components that actions are counted of: the first words of their statistics.
    pub fn components(&self) -> BTreeSet<&str> {
        let counts = self.actions.iter().flat_map(|action| &action.counts);
        counts.map(|count| component_of(count)).collect()
    }

    /// Whether it prices a statistic, or says that it is free.
    pub fn knows(&self, statistic: &str) -> bool {
        self.counted().any(|(_, count)| count == statistic)
            || self.free_counts().any(|free| fits(free, statistic))
    }

    /// Every statistic that costs nothing; `*` in a name stands for anything.
    pub fn free_counts(&self) -> impl Iterator<Item = &str> {
        self.free.iter().flat_map(|free| &free.counts).map(String::as_str)
    }
}
