//! What can be wrong with an experiment, and where it was written.

use std::fmt;

/// An error with its place and what would help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct LabError {
    /// The file, and the line where there is one: `experiments/mine.toml:12`.
    pub place: Option<String>,
    /// What is wrong.
    pub problem: String,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl LabError {
    /// An error without a place.
    pub fn new(problem: impl Into<String>) -> LabError {
        LabError { place: None, problem: problem.into(), help: None }
    }

    /// The same at a place, unless it has one already.
    pub fn at(self, place: impl Into<String>) -> LabError {
        LabError { place: self.place.or_else(|| Some(place.into())), ..self }
    }

    /// The same with advice.
    pub fn with_help(self, help: impl Into<String>) -> LabError {
        LabError { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.problem),
            None => f.write_str(&self.problem),
        }
    }
}

impl From<heddle_machine::MachineError> for LabError {
    fn from(error: heddle_machine::MachineError) -> LabError {
        LabError { place: None, problem: error.to_string(), help: error.help }
    }
}

impl From<heddle_graph::GraphError> for LabError {
    fn from(error: heddle_graph::GraphError) -> LabError {
        LabError { place: None, problem: error.to_string(), help: error.help }
    }
}
