//! The page of `heddle ptx run`.

use super::run;
use crate::result::RunResult;
use heddle_workloads::plan::SavedBuffer;
use serde::Serialize;
use std::collections::BTreeMap;

/// Elements of a buffer in a line.
const ELEMENTS_PER_LINE: usize = 16;

/// A launch with the buffers that were asked for.
#[derive(Debug, Serialize)]
pub(crate) struct Launched<'a> {
    #[serde(flatten)]
    result: &'a RunResult,
    buffers: BTreeMap<&'a str, Vec<String>>,
}

impl<'a> Launched<'a> {
    /// Puts the two together.
    pub(crate) fn new(result: &'a RunResult, printed: impl Iterator<Item = &'a SavedBuffer>) -> Launched<'a> {
        let buffers = printed.map(|saved| (saved.buffer.as_str(), saved.elements().collect())).collect();
        Launched { result, buffers }
    }
}

/// Makes the page.
pub(crate) fn page<'a>(result: &RunResult, printed: impl Iterator<Item = &'a SavedBuffer>) -> String {
    let mut text = run::page(result, false);
    for saved in printed {
        text += &format!("\n{}\n", saved.buffer);
        let elements: Vec<String> = saved.elements().collect();
        for (line, chunk) in elements.chunks(ELEMENTS_PER_LINE).enumerate() {
            text += &format!("  {:>8}  {}\n", line * ELEMENTS_PER_LINE, chunk.join(" "));
        }
    }
    text
}
