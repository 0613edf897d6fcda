//! What every format's reader is given and gives back.

use super::{ReadOptions, WeightPolicy};
use crate::error::GraphError;
use crate::graph::Graph;
use crate::limits::Limits;
use crate::progress::Progress;
use crate::source::WeightsSeen;
use std::path::Path;

/// What a reader needs to know beside the bytes.
pub(crate) struct Context<'a> {
    pub(crate) path: &'a Path,
    pub(crate) limits: Limits,
    pub(crate) undirected: bool,
    pub(crate) weights: WeightPolicy,
    pub(crate) progress: &'a dyn Progress,
}

/// What a reader made of the bytes.
pub(crate) struct Content {
    pub(crate) graph: Graph,
    pub(crate) weights: WeightsSeen,
    /// Decisions that the user must be told, one sentence each.
    pub(crate) notes: Vec<String>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(path: &'a Path, stored_bytes: u64, options: &ReadOptions<'a>) -> Context<'a> {
        Context {
            path,
            limits: options.limits.unwrap_or_else(|| Limits::for_stored_bytes(stored_bytes)),
            undirected: options.undirected,
            weights: options.weights,
            progress: options.progress,
        }
    }

    /// An error about this input.
    pub(crate) fn error(&self, problem: impl Into<String>) -> GraphError {
        GraphError::new(self.path, problem)
    }

    /// Refuses to go on if `bytes` of arrays would break the memory limit. Call it before allocating what a
    /// header promises.
    pub(crate) fn grant(&self, bytes: u64, what: &str) -> Result<(), GraphError> {
        if bytes <= self.limits.memory_bytes {
            return Ok(());
        }
        let limit = self.limits.memory_bytes;
        let problem =
            format!("{what} would need {bytes} bytes of memory; the limit for this input is {limit}");
        Err(self.error(problem).with_help("raise it with --memory-limit if the file is what it claims to be"))
    }
}
