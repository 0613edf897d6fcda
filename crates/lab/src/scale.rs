//! How large the graphs and how many the invocations of an experiment are.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A scale, from small to large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Minutes.
    Quick,
    /// Full-size graphs and caches, the largest invocations.
    Study,
    /// Further invocations.
    Paper,
}

impl Scale {
    /// All of them, from small to large.
    pub const ALL: [Scale; 3] = [Scale::Quick, Scale::Study, Scale::Paper];

    /// As commands and folders have it.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Quick => "quick",
            Scale::Study => "study",
            Scale::Paper => "paper",
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
