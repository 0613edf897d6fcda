//! Why a machine was refused.

use crate::origin::Origin;
use heddle_memory::SpecError;
use std::fmt;

/// Why a machine was refused: where, which key, what is wrong, and what would help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineError {
    /// Where the fault was written, if it was written anywhere.
    pub origin: Option<Origin>,
    /// The key with its tables, as in `l1.size`; empty where none is at fault.
    pub key: String,
    /// What is wrong.
    pub problem: String,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl MachineError {
    /// A fault of no key.
    pub(crate) fn new(problem: impl Into<String>) -> MachineError {
        MachineError { origin: None, key: String::new(), problem: problem.into(), help: None }
    }

    /// A fault of a key.
    pub(crate) fn of_key(key: impl Into<String>, problem: impl Into<String>) -> MachineError {
        MachineError { key: key.into(), ..MachineError::new(problem) }
    }

    /// The same with its place.
    pub(crate) fn at(self, origin: Option<Origin>) -> MachineError {
        MachineError { origin, ..self }
    }

    /// The same with advice.
    pub(crate) fn with_help(self, help: impl Into<String>) -> MachineError {
        MachineError { help: Some(help.into()), ..self }
    }
}

impl From<SpecError> for MachineError {
    fn from(error: SpecError) -> MachineError {
        MachineError::of_key(error.key, error.problem)
    }
}

impl fmt::Display for MachineError {
    /// Everything but the advice.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(origin) = &self.origin {
            write!(f, "{origin}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "`{}`: ", self.key)?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for MachineError {}
