//! Readers: a file of any known format to a graph.

mod binary;
mod context;
mod galois;
mod gap;
mod integer_weights;
mod webgraph;

use crate::error::GraphError;
use crate::format::Format;
use crate::limits::Limits;
use crate::progress::{Progress, Silent};
use crate::source::Loaded;
use std::path::Path;

/// How to read a file.
pub struct ReadOptions<'a> {
    /// The format, where content alone should not decide.
    pub format: Option<Format>,
    /// Hold both directions of every arc of an edge list.
    pub undirected: bool,
    /// What to do with weights that are not unsigned 32-bit integers.
    pub weights: WeightPolicy,
    /// Bounds on memory; by default those for the file's size.
    pub limits: Option<Limits>,
    /// Who wants to know how far we are.
    pub progress: &'a dyn Progress,
}

impl Default for ReadOptions<'_> {
    fn default() -> Self {
        ReadOptions {
            format: None,
            undirected: false,
            weights: WeightPolicy::Refuse,
            limits: None,
            progress: &Silent,
        }
    }
}

/// What to do with real or negative weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WeightPolicy {
    /// An error that lists the conversions.
    Refuse,
    /// Keep weights that fit, and read the structure alone where they do not (said in the notes).
    Describe,
    /// Read the structure alone, whatever the weights.
    Drop,
    /// To the nearest integer; negative ones are still refused.
    Round,
    /// The absolute value, to the nearest integer.
    Absolute,
    /// Multiply by this, then to the nearest integer; negative ones are still refused.
    Scale(f64),
}

/// Reads `path`, whatever it is.
pub fn read(path: &Path, options: &ReadOptions<'_>) -> Result<Loaded, GraphError> {
    let context = context::Context::new(path, 0, options);
    context.grant(0, "nothing")?;
    Err(context.error("not yet readable"))
}
