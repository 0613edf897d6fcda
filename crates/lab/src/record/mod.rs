//! What is known of a point that has run: its labels, what it was made from, and rows of figures.

mod columns;

use crate::hash::Key;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of a record's shape.
pub const SCHEMA: u32 = 2;

/// What a point is called: the values of its axes and of everything that is the same for all points of an experiment
/// (`workload`, `graph`, `machine`, `with`, `set`, …), as the experiment file writes them.
pub type Labels = BTreeMap<String, String>;

/// A point that has run.
///
/// Nothing in it depends on the host or on the moment, so that the same point gives the same bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Which point it is.
    pub key: Key,
    /// How the experiment that first ran it calls it. Another experiment may call it otherwise.
    pub labels: Labels,
    /// What it was made from.
    pub made: Made,
    /// What came out.
    pub outcome: Outcome,
}

/// What a record was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Made {
    /// Version of the program.
    pub version: String,
    /// The build: the hash of its executable, its first 16 digits.
    pub build: String,
    /// Behaviour version of the machine.
    pub behaviour: u32,
    /// SHA-256 of the PTX texts, of the graph's arcs and of the resolved machine file; empty where there is none.
    pub program: String,
    /// See `program`.
    pub graph: String,
    /// See `program`.
    pub machine: String,
}

/// What came out of a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Outcome {
    /// Figures.
    Done {
        /// Of the whole run.
        run: Row,
        /// Of each launch that was simulated in time, in order; none where nothing is launched.
        #[serde(with = "columns")]
        launches: Vec<Row>,
    },
    /// It failed; the others go on.
    Failed {
        /// Why, as `heddle run` would have said it.
        error: String,
        /// Whether a limit of time ended it, which depends on the host.
        timed_out: bool,
    },
}

/// Figures by the names of their columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Whole numbers: counters of the machine (`l1.read_hits`), cycles, sizes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, u64>,
    /// Other numbers: seconds, joules, ratios.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reals: BTreeMap<String, f64>,
    /// Words: the kernel, what limits its occupancy.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<String, String>,
}

impl Row {
    /// A number by name, whole or not.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.counts.get(name).map(|&count| count as f64).or_else(|| self.reals.get(name).copied())
    }
}
