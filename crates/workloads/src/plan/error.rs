//! What can be wrong with a plan.

use super::SavedBuffer;
use heddle_device::DeviceError;
use thiserror::Error;

/// Why a plan cannot be read or run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// The file is not a plan.
    #[error("{file}: {problem}")]
    File {
        /// The plan, or a file that it names.
        file: String,
        /// What is wrong, with the line where there is one.
        problem: String,
    },
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// Something in the plan makes no sense.
    #[error("{file}: {place}: {problem}")]
    Place {
        /// The plan.
        file: String,
        /// Which key, buffer or step.
        place: String,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// The device refused or failed.
    #[error("{file}: {place}: {error}")]
    Device {
        /// The plan.
        file: String,
        /// Which buffer or step.
        place: String,
        /// What it said.
        error: Box<DeviceError>,
    },
    /// The result is not what it should be.
    #[error("{file}: the result is wrong: {problem}")]
    Wrong {
        /// The plan.
        file: String,
        /// What was found first.
        problem: String,
        /// The buffers that the plan wants saved.
        saved: Vec<SavedBuffer>,
    },
}

/// A problem that does not know yet where it is.
#[derive(Debug)]
pub(super) enum Problem {
    Words(String),
    Device(Box<DeviceError>),
}

impl From<String> for Problem {
    fn from(words: String) -> Problem {
        Problem::Words(words)
    }
}

impl From<DeviceError> for Problem {
    fn from(error: DeviceError) -> Problem {
        Problem::Device(Box::new(error))
    }
}

impl Problem {
    /// The same problem with its place.
    pub(super) fn at(self, file: &str, place: impl Into<String>) -> PlanError {
        let (file, place) = (file.to_owned(), place.into());
        match self {
            Problem::Words(problem) => PlanError::Place { file, place, problem },
            Problem::Device(error) => PlanError::Device { file, place, error },
        }
    }
}
