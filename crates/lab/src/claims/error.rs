//! What is wrong with a file of claims.

use std::fmt;

/// A file of claims that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimsError {
    /// The file.
    pub file: String,
    /// The line or the key.
    pub place: String,
    /// What is wrong there.
    pub problem: String,
}

impl ClaimsError {
    pub(crate) fn new(file: &str, place: impl Into<String>, problem: impl Into<String>) -> ClaimsError {
        ClaimsError { file: file.to_owned(), place: place.into(), problem: problem.into() }
    }
}

impl fmt::Display for ClaimsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.is_empty() {
            true => write!(f, "{}: {}", self.file, self.problem),
            false => write!(f, "{}: {}: {}", self.file, self.place, self.problem),
        }
    }
}

impl std::error::Error for ClaimsError {}
