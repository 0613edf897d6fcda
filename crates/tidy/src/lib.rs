//! Style as a test: what reviewers would otherwise have to repeat.
//!
//! - [`arrows`]: which crate may depend on which;
//! - [`banned`]: items that break determinism or print where nobody asked, each with its replacement;
//! - [`circles`]: files that call back and forth;
//! - [`citations`]: keys of sources that no page explains, and names of files that no reader has;
//! - [`detection`]: files of detection in hardware that ask the compiler;
//! - [`lengths`]: functions and files that do two things;
//! - [`links`]: pages of the documentation that lead nowhere;
//! - [`names`]: names that stand for two types of a crate;
//! - [`source`]: the workspace's Rust files, with comments and literals blanked out so that a check
//!   sees code alone.
//!
//! Every check is a pure function from text to findings, tested on samples; `tests/workspace.rs` runs all of
//! them on this workspace.

pub mod arrows;
pub mod banned;
pub mod circles;
pub mod citations;
pub mod detection;
pub mod lengths;
pub mod links;
pub mod names;
pub mod source;
pub mod test_modules;

use std::fmt;
use std::path::PathBuf;

/// Something that must be mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The file, relative to the workspace.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, and what to do instead.
    pub problem: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.problem)
    }
}
