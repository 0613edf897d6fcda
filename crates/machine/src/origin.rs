//! Where a value of a machine was written, so that every complaint can name the place.

use std::fmt;
use std::sync::Arc;

/// Where something was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In a file; lines and columns count from 1.
    File {
        /// The file, as the user or the folder `machines/` names it.
        name: Arc<str>,
        /// Line.
        line: u32,
        /// Column, in characters.
        column: u32,
    },
    /// In the file of a DRAM part, whose figures give way to whatever is stated elsewhere.
    Part {
        /// The file, or the name of a built-in part.
        name: Arc<str>,
        /// Line.
        line: u32,
        /// Column, in characters.
        column: u32,
    },
    /// As `--set`.
    Setting(Arc<str>),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File { name, line, column } | Origin::Part { name, line, column } => {
                write!(f, "{name}:{line}:{column}")
            }
            Origin::Setting(text) => write!(f, "--set {text}"),
        }
    }
}

/// A text with a name, in which offsets become places.
pub(crate) struct Source<'t> {
    pub(crate) name: Arc<str>,
    pub(crate) text: &'t str,
    /// Where each line begins.
    lines: Vec<usize>,
    /// Whether it is the file of a DRAM part.
    is_part: bool,
}

impl<'t> Source<'t> {
    /// A text and what it is called.
    pub(crate) fn new(name: &str, text: &'t str) -> Source<'t> {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Source { name: name.into(), text, lines, is_part: false }
    }

    /// The file of a DRAM part.
    pub(crate) fn of_part(name: &str, text: &'t str) -> Source<'t> {
        Source { is_part: true, ..Source::new(name, text) }
    }

    /// The place of a byte.
    pub(crate) fn place(&self, offset: usize) -> Origin {
        let line = self.lines.partition_point(|&start| start <= offset).max(1);
        let start = self.lines.get(line - 1).copied().unwrap_or(0);
        let column = self.text.get(start..offset).unwrap_or_default().chars().count() + 1;
        let (name, line, column) = (self.name.clone(), line as u32, column as u32);
        match self.is_part {
            true => Origin::Part { name, line, column },
            false => Origin::File { name, line, column },
        }
    }
}
