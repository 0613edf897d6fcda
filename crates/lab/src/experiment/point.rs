//! A point of an experiment: what is run, on what, and what is measured.

use crate::record::Labels;
use crate::select::LaunchChoice;
use std::collections::BTreeMap;

/// What is measured at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// A run of the workload on the machine, in time.
    #[default]
    Run,
    /// Registers and occupancy of one kernel; nothing is run.
    Occupancy,
    /// What a mechanism costs in bits; nothing is run.
    Cost,
    /// Figures of the graph's structure; nothing is run.
    Graph,
}

impl Measure {
    /// All of them, by the names in files.
    pub const NAMES: [(&'static str, Measure); 4] = [
        ("run", Measure::Run),
        ("occupancy", Measure::Occupancy),
        ("cost", Measure::Cost),
        ("graph", Measure::Graph),
    ];

    /// Whether a graph is looked at.
    pub fn has_graph(self) -> bool {
        matches!(self, Measure::Run | Measure::Graph)
    }
}

/// A point. Empty lists and absent values are as on the command line of `heddle run`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// What the point is called: every setting that its file gives it, as text.
    pub labels: Labels,
    /// Where its settings were written, by key.
    pub places: BTreeMap<String, String>,
    /// What is measured.
    pub measure: Measure,
    /// The workload of the library.
    pub workload: String,
    /// Which kernel of it is looked at.
    pub kernel: Option<String>,
    /// The graph: a file or a recipe.
    pub graph: Option<String>,
    /// Transforms of the graph.
    pub transforms: Vec<String>,
    /// The machine: a preset or a file.
    pub machine: String,
    /// Mechanisms.
    pub with: Vec<String>,
    /// Keys of the machine, each `path=value`.
    pub set: Vec<String>,
    /// Settings of the workload, each `name=value`.
    pub params: Vec<String>,
    /// Start vertex.
    pub source: Option<u32>,
    /// Vertex to be reached.
    pub target: Option<u32>,
    /// Threads of a block.
    pub block: Option<u32>,
    /// Registers of a thread of `kernel`.
    pub registers: Option<u32>,
    /// Which launches are simulated in time; all if absent.
    pub launches: Option<LaunchChoice>,
    /// Whether every simulated launch begins on a machine that has simulated nothing yet.
    pub cold: bool,
    /// Core cycles after which the run is stopped with an error.
    pub max_cycles: Option<u64>,
}

impl Point {
    /// Where the first of these settings that the point has was written.
    pub fn place_of(&self, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|key| self.places.get(*key)).cloned()
    }

    /// Whether another says the same, wherever it is written.
    pub fn is_same_as(&self, other: &Point) -> bool {
        Point { places: BTreeMap::new(), ..self.clone() }
            == Point { places: BTreeMap::new(), ..other.clone() }
    }

    /// The point in a line, for progress and messages.
    pub fn title(&self) -> String {
        let words = ["workload", "mechanism", "graph", "machine", "with", "set"];
        let known = words.iter().filter_map(|word| self.labels.get(*word).map(String::as_str));
        known.collect::<Vec<_>>().join(" · ")
    }
}
