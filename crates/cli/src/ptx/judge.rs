//! What is right and wrong in PTX files.

use super::source::{self, Source};
use heddle_ptx::analysis::{Severity, verify};
use heddle_ptx::exec::EXTERNALS;
use heddle_ptx::{Diagnostic, Diagnostics, check};
use serde::Serialize;
use std::path::PathBuf;

/// The judgement of several files.
#[derive(Debug, Serialize)]
pub(crate) struct Judgement {
    pub(crate) files: Vec<FileJudgement>,
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) notes: usize,
}

/// One file.
#[derive(Debug, Serialize)]
pub(crate) struct FileJudgement {
    pub(crate) file: String,
    /// None if the file cannot be loaded.
    pub(crate) kernels: Option<usize>,
    pub(crate) functions: Option<usize>,
    pub(crate) instructions: Option<usize>,
    pub(crate) findings: Vec<FindingEntry>,
}

/// One thing that was found.
#[derive(Debug, Serialize)]
pub(crate) struct FindingEntry {
    pub(crate) severity: &'static str,
    /// None where the file as a whole is meant.
    pub(crate) line: Option<u32>,
    pub(crate) column: Option<u32>,
    pub(crate) problem: String,
    pub(crate) help: Option<String>,
    /// The line of the file.
    pub(crate) source: Option<String>,
}

impl Judgement {
    /// Of these files, in their order.
    pub(crate) fn new(paths: &[PathBuf]) -> Judgement {
        let judge = |path: &PathBuf| match source::read(path) {
            Ok(source) => FileJudgement::new(&source),
            Err(problem) => FileJudgement::unreadable(path.display().to_string(), problem),
        };
        let files: Vec<FileJudgement> = paths.iter().map(judge).collect();
        let count = |severity: &str| {
            files
                .iter()
                .flat_map(|file| &file.findings)
                .filter(|finding| finding.severity == severity)
                .count()
        };
        let (errors, warnings, notes) = (count("error"), count("warning"), count("note"));
        Judgement { files, errors, warnings, notes }
    }
}

impl FileJudgement {
    fn unreadable(file: String, problem: String) -> FileJudgement {
        // The problem names the file already; the entry does not repeat it.
        let problem = problem.strip_prefix(&format!("{file}: ")).map_or(problem.clone(), str::to_string);
        let finding =
            FindingEntry { severity: "error", line: None, column: None, problem, help: None, source: None };
        FileJudgement { file, kernels: None, functions: None, instructions: None, findings: vec![finding] }
    }

    /// Loads, verifies and decodes a file.
    fn new(source: &Source) -> FileJudgement {
        let lines: Vec<&str> = source.text.lines().collect();
        let mut judged = FileJudgement {
            file: source.name.clone(),
            kernels: None,
            functions: None,
            instructions: None,
            findings: Vec::new(),
        };
        let (module, errors) = check(&source.name, &source.text, EXTERNALS);
        if let Some(errors) = errors {
            judged.add_errors(&lines, errors);
        }
        let Some(module) = module else { return judged };
        let is_kernel = |function: &&heddle_ptx::ir::Function| function.is_kernel;
        judged.kernels = Some(module.functions.iter().filter(is_kernel).count());
        judged.functions = Some(module.functions.len() - judged.kernels.unwrap_or(0));
        judged.instructions = Some(module.functions.iter().map(|function| function.instructions.len()).sum());
        for finding in verify(&module) {
            let severity = match finding.severity {
                Severity::Warning => "warning",
                Severity::Note => "note",
            };
            judged.findings.push(FindingEntry::new(severity, &lines, finding.diagnostic));
        }
        judged.findings.sort_by_key(|finding| (finding.line, finding.column));
        judged
    }

    fn add_errors(&mut self, lines: &[&str], errors: Diagnostics) {
        self.findings.extend(errors.0.into_iter().map(|error| FindingEntry::new("error", lines, error)));
    }
}

impl FindingEntry {
    fn new(severity: &'static str, lines: &[&str], diagnostic: Diagnostic) -> FindingEntry {
        let Diagnostic { place, problem, help, .. } = diagnostic;
        let source = (place.line as usize).checked_sub(1).and_then(|line| lines.get(line));
        FindingEntry {
            severity,
            line: Some(place.line),
            column: Some(place.column),
            problem,
            help,
            source: source.map(|line| line.to_string()),
        }
    }
}
