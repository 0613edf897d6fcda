//! What is wrong with results, or with a question about them.

use std::fmt;
use std::io;
use std::path::Path;

/// Results that cannot be written or read, or a question that they cannot answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultsError {
    /// What is wrong, with file, column or condition.
    pub problem: String,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl ResultsError {
    /// An error without advice.
    pub fn new(problem: impl Into<String>) -> ResultsError {
        ResultsError { problem: problem.into(), help: None }
    }

    /// The same with advice.
    pub fn with_help(self, help: impl Into<String>) -> ResultsError {
        ResultsError { help: Some(help.into()), ..self }
    }

    /// Something is wrong with a file.
    pub fn at_path(path: &Path, problem: impl fmt::Display) -> ResultsError {
        ResultsError::new(format!("{}: {problem}", path.display()))
    }

    /// The system said something about a file.
    pub(super) fn of_system(path: &Path, error: &io::Error) -> ResultsError {
        let text = error.to_string();
        let words = text.split(" (os error").next().unwrap_or_default().to_lowercase();
        ResultsError::at_path(path, words)
    }
}

impl fmt::Display for ResultsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for ResultsError {}
