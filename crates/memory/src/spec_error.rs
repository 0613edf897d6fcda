//! What is wrong with a description, by the key that machine files use.

use thiserror::Error;

/// A key of a description whose value makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key}: {problem}")]
pub struct SpecError {
    /// The key, with the names of the tables around it: `l1.ways`.
    pub key: String,
    /// What is wrong and what would help.
    pub problem: String,
}

impl SpecError {
    /// A problem of a key inside the table `prefix` (which may be empty).
    pub fn new(prefix: &str, key: &str, problem: impl Into<String>) -> SpecError {
        let key = if prefix.is_empty() { key.to_string() } else { format!("{prefix}.{key}") };
        SpecError { key, problem: problem.into() }
    }
}
