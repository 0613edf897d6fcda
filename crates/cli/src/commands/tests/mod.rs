//! Commands on a stand-in for a machine with time, whose figures are known.

mod compare;
mod diff;
mod run;

use super::{compare as comparing, run as running, simulate};
use crate::arguments::{Arguments, Command, CommonArguments, CompareArguments, RunArguments};
use crate::failure::Failure;
use crate::result::RunResult;
use crate::timing::synthetic;
use clap::Parser;
use std::path::Path;

const QUIET: CommonArguments = CommonArguments { quiet: true, threads: None };

fn run_arguments(more: &[&str]) -> RunArguments {
    let words = ["heddle", "run", "bfs"].iter().chain(more);
    match Arguments::try_parse_from(words).unwrap().command {
        Some(Command::Run(arguments)) => *arguments,
        other => panic!("{other:?}"),
    }
}

fn compare_arguments(more: &[&str]) -> CompareArguments {
    let words = ["heddle", "compare", "bfs", "--graph", "grid:width=8,height=4"].iter().chain(more);
    match Arguments::try_parse_from(words).unwrap().command {
        Some(Command::Compare(arguments)) => *arguments,
        other => panic!("{other:?}"),
    }
}

/// Runs a small search with more options.
fn run(more: &[&str]) -> Result<RunResult, Failure> {
    let graph = ["--graph", "grid:width=8,height=4", "--source", "0"];
    running::in_time(&run_arguments(&[&graph, more].concat()), QUIET, &synthetic::build)
}

/// The trace of a breadth-first search, and its result.
pub(crate) fn trace(more: &[&str]) -> (Vec<u8>, RunResult) {
    let arguments = run_arguments(more);
    let job = super::job::Job::load(&arguments.work, &heddle_graph::progress::Silent).unwrap();
    let settings = heddle_gpu::RunSettings { trace: true, ..arguments.time.settings() };
    let choice = arguments.time.choice(Vec::new());
    let simulated = simulate::simulate(&job, &choice, settings, Box::new(|_, _| ()), &synthetic::build);
    let simulated = simulated.map_err(|failure| failure.words().to_owned()).unwrap();
    (simulated.trace.unwrap(), simulated.result)
}

fn words(path: &Path) -> &str {
    path.to_str().unwrap()
}
