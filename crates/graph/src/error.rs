//! What can be wrong with a graph input, in words for the person who gave it.

use std::fmt;
use std::path::{Path, PathBuf};

/// Where in the input the trouble is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The input as a whole.
    Whole,
    /// A line of text, counted from 1.
    Line(u64),
    /// A byte of (decompressed) binary data, counted from 0.
    Offset(u64),
}

/// An input that cannot be used: which, where, what is wrong, and what would help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphError {
    /// The file, or the generator as the user wrote it.
    pub input: PathBuf,
    /// Where in it.
    pub place: Place,
    /// What is wrong, and what was expected.
    pub problem: String,
    /// What the user can do about it, where that is known.
    pub help: Option<String>,
}

impl GraphError {
    /// An error about the input as a whole.
    pub fn new(input: impl AsRef<Path>, problem: impl Into<String>) -> GraphError {
        GraphError {
            input: input.as_ref().to_path_buf(),
            place: Place::Whole,
            problem: problem.into(),
            help: None,
        }
    }

    /// The same error at a place.
    pub fn at(mut self, place: Place) -> GraphError {
        self.place = place;
        self
    }

    /// The same error at a line, counted from 1.
    pub fn at_line(self, line: u64) -> GraphError {
        self.at(Place::Line(line))
    }

    /// The same error at a byte offset.
    pub fn at_offset(self, offset: u64) -> GraphError {
        self.at(Place::Offset(offset))
    }

    /// The same error with advice.
    pub fn with_help(mut self, help: impl Into<String>) -> GraphError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.input.display())?;
        match self.place {
            Place::Whole => write!(f, ": {}", self.problem),
            Place::Line(line) => write!(f, ":{line}: {}", self.problem),
            Place::Offset(offset) => write!(f, ": offset {offset}: {}", self.problem),
        }
    }
}

impl std::error::Error for GraphError {}

/// The known name nearest to what was written, if it is near enough to be a slip.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |name: &str| strsim::damerau_levenshtein(&written.to_lowercase(), &name.to_lowercase());
    known
        .into_iter()
        .map(|name| (distance(name), name))
        .filter(|&(d, name)| d <= 1 + name.len() / 3)
        .min()
        .map(|(_, name)| name)
}
