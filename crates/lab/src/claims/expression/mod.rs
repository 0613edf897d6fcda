//! Expressions over the results of an experiment: what a claim says, as data.
//!
//! Small and total: every text is an expression or an error with its column; every evaluation ends with a value or an
//! error; nothing is skipped where rows do not match. docs/claims.md is the manual.

mod evaluate;
mod functions;
mod parse;
mod select;
mod tree;
mod value;

pub use evaluate::{Evaluated, Names, evaluate, lacking};
pub use functions::FUNCTIONS;
pub use parse::parse;
pub use tree::{Filter, Kind, Node, Operator, Selection};
pub use value::{End, Range, Series, Value, in_words};

use heddle_graph::error::nearest;
use std::fmt;

/// What is wrong with an expression, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The column of its text, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl Problem {
    pub(crate) fn at(column: usize, message: impl Into<String>) -> Problem {
        Problem { column, message: message.into() }
    }

    /// A name that nothing has, and the nearest that something has.
    pub(crate) fn unknown<'a>(
        column: usize,
        what: &str,
        written: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Problem {
        let near = nearest(written, known);
        let suggestion = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Problem::at(column, format!("there is no {what} `{written}`{suggestion}"))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for Problem {}
