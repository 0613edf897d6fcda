//! Runs the real binary.

pub(crate) mod results;

use std::path::Path;
use std::process::{Command, Output};

/// What a run left behind.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The command, ready to be run in `folder`.
pub(crate) fn heddle_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
    command.current_dir(folder).args(arguments);
    command
}

/// Runs `heddle` with these arguments in `folder`.
pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> Run {
    let Output { status, stdout, stderr } = heddle_in(folder, arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
}

/// Runs `heddle` with these arguments where there is nothing to read.
pub(crate) fn run(arguments: &[&str]) -> Run {
    run_in(tempfile::tempdir().unwrap().path(), arguments)
}

/// The standard output of a run that must succeed.
pub(crate) fn stdout(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    run.stdout
}

/// The same, as JSON.
pub(crate) fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}
