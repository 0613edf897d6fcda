//! What the caller gives the runner: tasks, who executes them, options and what it may know of the host.

use crate::hash::Key;
use crate::record::{Labels, Made, Row};
pub use crate::store::Cost;
use crate::store::Timing;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A point to be run.
#[derive(Clone, Debug)]
pub struct Task {
    /// Which point.
    pub key: Key,
    /// What it is called.
    pub labels: Labels,
    /// What it is made from, this build included.
    pub made: Made,
    /// Arcs of its graph, where it has one, for estimates.
    pub arcs: Option<u64>,
    /// Memory that it may need, if nothing better is known from earlier points.
    pub memory_bytes: u64,
}

/// What came out of a task.
#[derive(Clone, Debug, Default)]
pub struct Executed {
    /// Of the whole run.
    pub run: Row,
    /// Of each launch that was simulated in time, in order.
    pub launches: Vec<Row>,
    /// What it cost the host.
    pub cost: Cost,
}

/// Why nothing came out of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It cannot be run.
    Failed(String),
    /// It was asked to stop.
    Stopped,
}

/// Executes the task of a number. It asks now and then whether to stop.
pub type Execute<'a> = dyn Fn(usize, &Stop<'_>) -> Result<Executed, Ended> + Sync + 'a;

/// Whether a task is to stop.
pub struct Stop<'a> {
    pub(super) clock: &'a (dyn Fn() -> Duration + Sync),
    pub(super) interrupted: &'a (dyn Fn() -> bool + Sync),
    /// By the clock.
    pub(super) deadline: Option<Duration>,
    /// Raised by who decides, soon after one of these says so: a simulator looks at it in passing.
    pub(super) raised: Arc<AtomicBool>,
}

impl Stop<'_> {
    /// Whether the task is to stop, because of the user or of the limit of time.
    pub fn is_wanted(&self) -> bool {
        (self.interrupted)() || self.is_late()
    }

    /// Raised soon after the task is to stop.
    pub fn raised(&self) -> &Arc<AtomicBool> {
        &self.raised
    }

    /// Whether the limit of time is over.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| (self.clock)() >= deadline)
    }
}

/// How a sweep is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Host and process, for people who look at the leases.
    pub name: String,
    /// Points that run at once, where memory suffices.
    pub threads: usize,
    /// Longest time of a point.
    pub time_limit: Option<Duration>,
    /// Run points again that failed.
    pub retry_failed: bool,
    /// Drop the records that other builds made of these points.
    pub replace_older: bool,
    /// Heartbeat and expiry.
    pub timing: Timing,
}

/// What only the caller can know.
pub struct Host<'a> {
    /// A clock that never goes back.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
    /// Whether the user wants to end.
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
    /// Memory that this process may use in all: what it has and what is free.
    pub memory_bytes: &'a dyn Fn() -> u64,
}
