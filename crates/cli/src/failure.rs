//! How the command fails: words on standard error and an exit code.
//!
//! 0: done, also when whoever read our output stopped reading; 1: the input or the output is at fault;
//! 2: the command line is (most of those errors are clap's); 130: an interrupt ended a simulation, whose page was
//! printed. Elsewhere an interrupt keeps its default action.

use crate::view::text::harmless;
use heddle_graph::GraphError;
use heddle_machine::MachineError;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Why a command did not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something to tell the user, and what would help.
    Told {
        /// What is wrong.
        problem: String,
        /// What the user can do about it.
        help: Option<String>,
    },
    /// The command line asks for what makes no sense together.
    Usage {
        /// What is wrong.
        problem: String,
        /// What the user can do about it.
        help: String,
    },
    /// The user ended the command.
    Interrupted {
        /// Where it was.
        problem: String,
    },
    /// What is wrong is the command's result, and stands in its output already.
    Reported,
    /// The reader of our output has gone. That is how `… | head` ends.
    BrokenPipe,
}

impl Failure {
    /// A failure without advice.
    pub(crate) fn new(problem: impl Into<String>) -> Failure {
        Failure::Told { problem: problem.into(), help: None }
    }

    /// What is wrong, in words.
    pub(crate) fn words(&self) -> &str {
        match self {
            Failure::Told { problem, .. }
            | Failure::Usage { problem, .. }
            | Failure::Interrupted { problem } => problem,
            _ => "the output was closed",
        }
    }

    /// The same failure with advice.
    pub(crate) fn with_help(self, advice: impl Into<String>) -> Failure {
        match self {
            Failure::Told { problem, .. } => Failure::Told { problem, help: Some(advice.into()) },
            Failure::Usage { problem, .. } => Failure::Usage { problem, help: advice.into() },
            other => other,
        }
    }

    /// A command line that makes no sense, and one that would.
    pub(crate) fn usage(problem: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Usage { problem: problem.into(), help: help.into() }
    }

    /// What the system said about a file.
    pub(crate) fn at_path(path: &Path, error: &io::Error) -> Failure {
        Failure::new(format!("{}: {}", path.display(), words(error)))
    }

    /// What the system said about our output.
    pub(crate) fn at_stdout(error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::new(format!("standard output: {}", words(error))),
        }
    }
}

/// What went wrong after the work was done: it is told after the result, which is not lost.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Failure>);

impl Problems {
    /// Keeps a failure for later.
    pub(crate) fn note(&mut self, result: Result<(), Failure>) {
        self.0.extend(result.err());
    }

    /// The first failure, with the words of the others.
    pub(crate) fn into_result(self) -> Result<(), Failure> {
        let mut all = self.0.into_iter();
        let Some(first) = all.next() else { return Ok(()) };
        let more: String = all.map(|failure| format!("\n{}", failure.words())).collect();
        Err(match first {
            Failure::Told { problem, help } => Failure::Told { problem: problem + &more, help },
            Failure::Usage { problem, help } => Failure::Usage { problem: problem + &more, help },
            Failure::Interrupted { problem } => Failure::Interrupted { problem: problem + &more },
            other => other,
        })
    }
}

impl From<GraphError> for Failure {
    fn from(error: GraphError) -> Failure {
        Failure::Told { problem: error.to_string(), help: error.help }
    }
}

impl From<MachineError> for Failure {
    fn from(error: MachineError) -> Failure {
        Failure::Told { problem: error.to_string(), help: error.help }
    }
}

/// What the system says, without the number that Rust appends.
pub(crate) fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}

/// Tells the user, and the shell.
pub(crate) fn exit_code(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) | Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Err(Failure::Reported) => ExitCode::from(1),
        Err(Failure::Told { problem, help }) => {
            tell(&problem, help.as_deref());
            ExitCode::from(1)
        }
        Err(Failure::Usage { problem, help }) => {
            tell(&problem, Some(&help));
            ExitCode::from(2)
        }
        Err(Failure::Interrupted { problem }) => {
            tell(&problem, None);
            ExitCode::from(130)
        }
    }
}

fn tell(problem: &str, help: Option<&str>) {
    let help = help.map(|help| format!("help: {help}\n")).unwrap_or_default();
    say(&format!("heddle: error: {problem}\n{help}"));
}

/// Writes a text to standard error, without what would command a terminal.
pub(crate) fn say(text: &str) {
    // Where standard error is closed too there is nobody left to tell.
    let _ = io::stderr().write_all(harmless(text).as_bytes());
}
