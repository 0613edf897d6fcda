//! Where a graph comes from: a file, a generator or a named surrogate, all by one string.

use crate::error::GraphError;
use crate::format::Format;
use crate::graph::Graph;
use crate::read::{self, ReadOptions};
use crate::{generate, surrogate};
use std::path::{Path, PathBuf};

/// A graph with what must be said about how it came to be.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The graph.
    pub graph: Graph,
    /// File or generator.
    pub origin: Origin,
    /// What the file says about weights, held or not.
    pub weights: WeightsSeen,
    /// Everything that was decided or changed on the way, one sentence each, for the user to read.
    pub notes: Vec<String>,
}

/// File or generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Read from a file.
    File {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: Format,
        /// Its size on disk.
        stored_bytes: u64,
    },
    /// Made by a generator.
    Generated {
        /// The full recipe, every default spelled out: the same recipe gives the same graph.
        recipe: String,
    },
}

/// The weights that a file holds, whether or not the graph in memory has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsSeen {
    /// The input has no weights.
    None,
    /// All are unsigned 32-bit integers, and the graph has them.
    Held,
    /// Held after a conversion that the user named.
    Converted,
    /// The input has weights, and the graph was read without them.
    Dropped,
}

/// Loads what `graph` names: `surrogate:NAME`, `GENERATOR:key=value,…`, or a file.
pub fn load(graph: &str, options: &ReadOptions<'_>) -> Result<Loaded, GraphError> {
    if let Some((scheme, rest)) = graph.split_once(':')
        && !Path::new(graph).exists()
    {
        if scheme == surrogate::SCHEME {
            return surrogate::generate(rest, options.progress);
        }
        return generate::generate(graph, options.progress);
    }
    if !Path::new(graph).exists() && generate::by_name(graph).is_some() {
        return generate::generate(graph, options.progress);
    }
    read::read(Path::new(graph), options)
}

/// Whether there is what `graph` names; nothing is read or generated.
pub fn check(graph: &str) -> Result<(), GraphError> {
    if Path::new(graph).exists() {
        return Ok(());
    }
    match graph.split_once(':') {
        Some((surrogate::SCHEME, rest)) => surrogate::check(rest),
        _ => generate::check(graph),
    }
}
