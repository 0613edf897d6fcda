//! The list of what is wrong.

use crate::diagnostic::MOST_ERRORS;
use crate::{Diagnostic, Place};

/// Collects errors of one file.
pub(crate) struct Reports<'a> {
    file: &'a str,
    errors: Vec<Diagnostic>,
}

impl<'a> Reports<'a> {
    pub(crate) fn new(file: &'a str) -> Reports<'a> {
        Reports { file, errors: Vec::new() }
    }

    /// Adds an error.
    pub(crate) fn error(&mut self, place: Place, problem: impl Into<String>, help: Option<String>) {
        if !self.is_full() {
            let problem = problem.into();
            self.errors.push(Diagnostic { file: self.file.to_string(), place, problem, help });
        }
    }

    /// Whether no more errors are kept, so that there is no use in looking for them.
    pub(crate) fn is_full(&self) -> bool {
        self.errors.len() > MOST_ERRORS
    }

    /// All that was wrong.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        self.errors
    }
}

/// Of some names the one nearest to a name, if it is near enough to be meant.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A file may declare very many names and miss very many; the first ones are as good as any.
    const MOST_COMPARED: usize = 5000;
    // Long names (mangled ones) may differ in more places than short ones.
    let bound = (name.len() / 6).clamp(1, 4);
    known
        .filter(|known| known.len().abs_diff(name.len()) <= bound && *known != name)
        .take(MOST_COMPARED)
        .map(|known| (strsim::damerau_levenshtein(known, name), known))
        .filter(|&(distance, _)| distance <= bound)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, known)| known)
}
