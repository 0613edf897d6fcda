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
use std::ops::ControlFlow;
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
    let arguments = run_arguments(&[&graph, more].concat());
    let finished = running::in_time(&arguments, QUIET, &synthetic::build)?;
    finished.problems.into_result().map(|()| finished.result)
}

/// The trace of a breadth-first search, and its result.
pub(crate) fn trace(more: &[&str]) -> (Vec<u8>, RunResult) {
    let arguments = run_arguments(more);
    let task = super::task::Task::find(&arguments.work).unwrap();
    let job = super::job::Job::load(task, &arguments.work, &heddle_graph::progress::Silent).unwrap();
    let settings = heddle_gpu::RunSettings { trace: true, ..arguments.time.settings() };
    let choice = arguments.time.choice(Vec::new());
    let built = synthetic::build(&choice, settings.clone(), Box::new(|_| ControlFlow::Continue(()))).unwrap();
    let simulated = simulate::simulate(&job, &choice, &settings, built, &|_, _| ());
    let simulated = simulated.map_err(|failure| failure.words().to_owned()).unwrap();
    (simulated.trace.unwrap(), simulated.result)
}

fn words(path: &Path) -> &str {
    path.to_str().unwrap()
}
