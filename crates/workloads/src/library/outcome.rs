//! What a run of a workload did.

use super::{Answer, Settings, WorkloadError};
use heddle_device::LaunchReport;
use heddle_graph::Vertex;

/// A run, whose answer was found right.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The start vertex, where the problem has one and the graph a vertex.
    pub source: Option<Vertex>,
    /// The target vertex, where the problem has one and the graph a vertex.
    pub target: Option<Vertex>,
    /// The settings of the run.
    pub settings: Settings,
    /// The iterations of the host's loop.
    pub iterations: Vec<Iteration>,
    /// The launches, in order.
    pub launches: Vec<LaunchRecord>,
    /// The buffers that the driver allocated, in order.
    pub regions: Vec<RegionRecord>,
    /// The answer.
    pub answer: Answer,
    /// What was done to the graph, and other things worth telling.
    pub notes: Vec<String>,
}

/// A run that did not come to a right answer.
#[derive(Clone, Debug)]
pub struct Unfinished {
    /// Why.
    pub error: WorkloadError,
    /// What was done by then; nothing if nothing had begun.
    pub done: Option<Done>,
}

/// What a run had done when it ended without an answer. The launch that failed is not among its launches.
#[derive(Clone, Debug)]
pub struct Done {
    /// The start vertex, where the problem has one and the graph a vertex.
    pub source: Option<Vertex>,
    /// The target vertex, where the problem has one and the graph a vertex.
    pub target: Option<Vertex>,
    /// The settings of the run.
    pub settings: Settings,
    /// The iterations that had begun.
    pub iterations: Vec<Iteration>,
    /// The launches that had ended.
    pub launches: Vec<LaunchRecord>,
    /// The buffers that the driver had allocated.
    pub regions: Vec<RegionRecord>,
    /// What was done to the graph, and other things worth telling.
    pub notes: Vec<String>,
}

impl From<WorkloadError> for Box<Unfinished> {
    fn from(error: WorkloadError) -> Box<Unfinished> {
        Box::new(Unfinished { error, done: None })
    }
}

/// One iteration of the host's loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Active vertices at its start, where the algorithm has a frontier.
    pub frontier: Option<u64>,
    /// Its first launch.
    pub first_launch: usize,
}

/// One launch.
#[derive(Clone, Debug)]
pub struct LaunchRecord {
    /// The iteration it belongs to; none before the first.
    pub iteration: Option<usize>,
    /// What it did.
    pub report: LaunchReport,
}

/// One buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionRecord {
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: u64,
}

impl Outcome {
    /// A sum over all launches.
    pub fn total(&self, count: impl Fn(&LaunchReport) -> u64) -> u64 {
        self.launches.iter().map(|launch| count(&launch.report)).sum()
    }
}
