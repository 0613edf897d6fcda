//! Runs the points of a sweep from the command line: the runner of `crates/lab` with this host's clock, memory, threads
//! and name, its events on standard error.

mod build_id;
pub(crate) mod experiments;
pub(crate) mod host;
pub(crate) mod origin;
mod progress;

use crate::arguments::{CommonArguments, RunnerArguments};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::view::text::plural;
use heddle_lab::record::Labels;
use heddle_lab::runner::{self, Execute, Host, Options, RunError, Summary, Task};
use heddle_lab::store::{Store, StoreError, Timing};
use progress::SweepProgress;
use std::sync::Arc;
use std::sync::atomic::Ordering;
#[expect(
    clippy::disallowed_types,
    reason = "it measures what points cost the host, never what a result is"
)]
use std::time::Instant;

/// How often a runner is heard in the time after which it is given up.
const BEATS_PER_EXPIRY: u32 = 10;

/// Failed points that are told by name.
const FAILED_TOLD: usize = 10;

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::new(error.to_string()).with_help(error.help)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        let help = error.help();
        Failure::new(error.to_string()).with_help(help)
    }
}

/// Threads that a sweep uses.
pub(crate) fn threads(common: CommonArguments) -> usize {
    let all_cores = || std::thread::available_parallelism().map_or(1, usize::from);
    common.threads.map_or_else(all_cores, usize::from)
}

/// Runs the tasks of which the store has no record. The interrupt is watched already, if it is to be.
pub(crate) fn run(
    store: &Store,
    tasks: &[Task],
    execute: &Execute<'_>,
    arguments: &RunnerArguments,
    common: CommonArguments,
    interrupt: &Interrupt,
) -> Result<Summary, Failure> {
    #[cfg(unix)]
    survive_large_files()?;
    let options = Options {
        name: host::name(),
        threads: threads(common),
        time_limit: arguments.time_limit,
        retry_failed: arguments.retry_failed,
        replace_older: arguments.replace_older,
        timing: Timing {
            heartbeat: arguments.lease_expiry / BEATS_PER_EXPIRY,
            expiry: arguments.lease_expiry,
        },
    };
    #[expect(
        clippy::disallowed_types,
        reason = "it measures what points cost the host, never what a result is"
    )]
    let begun = Instant::now();
    let flag = interrupt.flag();
    let (clock, interrupted) = (|| begun.elapsed(), || flag.load(Ordering::Relaxed));
    let host = Host { clock: &clock, interrupted: &interrupted, memory_bytes: &host::memory_bytes };
    let mut progress = SweepProgress::new(tasks, common.quiet, &clock);
    Ok(runner::run(store, tasks, execute, &options, &host, &mut progress)?)
}

/// What a sweep without an answer for every point fails with.
pub(crate) fn whole(store: &Store, tasks: &[Task], summary: &Summary) -> Result<(), Failure> {
    let finished = format!("{} of {} finished", summary.finished, plural(points(tasks), "point"));
    if summary.interrupted {
        let problem = format!("interrupted: {finished}; start the command again to go on");
        return Err(Failure::Interrupted { problem });
    }
    if summary.failed.is_empty() {
        return Ok(());
    }
    let failed = runner::gaps(store, tasks)?.failed;
    let failed: Vec<_> = failed.iter().filter(|(task, _)| summary.failed.contains(task)).collect();
    let mut problem = format!("{} failed, {finished}", plural(summary.failed.len() as u64, "point"));
    for (task, error) in failed.iter().take(FAILED_TOLD) {
        problem += &format!("\n  {}: {}", point_name(&tasks[*task].labels), first_line(error));
    }
    if failed.len() > FAILED_TOLD {
        problem += &format!("\n  and {} more", failed.len() - FAILED_TOLD);
    }
    let help = match failed.first() {
        Some((task, _)) => format!(
            "--retry-failed runs them again; all that each said is in {}, that of the first in {}.json",
            store.folder().join("failed").display(),
            tasks[*task].key
        ),
        None => "--retry-failed runs them again".to_owned(),
    };
    Err(Failure::new(problem).with_help(help))
}

/// What of an error fits into a list: warps that hang are told in dozens of lines.
fn first_line(error: &str) -> String {
    let mut lines = error.trim().lines();
    let first = lines.next().unwrap_or_default().trim_end();
    match lines.count() {
        0 => first.to_owned(),
        more => format!("{first} (and {})", plural(more as u64, "more line")),
    }
}

/// A file that finds no room is then an error of the write, which is told, and not the end of the process. Nobody looks
/// at the flag: that somebody takes the signal is what counts.
#[cfg(unix)]
fn survive_large_files() -> Result<(), Failure> {
    let taken = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    taken.map(drop).map_err(|error| Failure::new(format!("limits of files cannot be watched: {error}")))
}

/// Points, of which tasks with one key are one.
fn points(tasks: &[Task]) -> u64 {
    let keys: std::collections::BTreeSet<_> = tasks.iter().map(|task| &task.key).collect();
    keys.len() as u64
}

/// A point in a line: what it runs, on what, and then everything else that it is called by.
pub(crate) fn point_name(labels: &Labels) -> String {
    const FIRST: [&str; 3] = ["workload", "graph", "machine"];
    let first = FIRST.iter().filter_map(|name| labels.get(*name)).filter(|value| !value.is_empty());
    let rest = labels.iter().filter(|(name, value)| !FIRST.contains(&name.as_str()) && !value.is_empty());
    let words: Vec<String> =
        first.cloned().chain(rest.map(|(name, value)| format!("{name} {value}"))).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_error_with_many_lines_the_first_is_told() {
        assert_eq!(first_line("no source\n"), "no source");
        assert_eq!(first_line("stuck:\n  warp 1\n  warp 2"), "stuck: (and 2 more lines)");
        assert_eq!(first_line(""), "");
    }

    #[test]
    fn a_point_is_called_by_what_it_runs_first() {
        let labels =
            [("with", "obm"), ("machine", "fermi"), ("graph", "in-2004"), ("workload", "bfs"), ("set", "")];
        let labels = labels.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        assert_eq!(point_name(&labels), "bfs, in-2004, fermi, with obm");
    }
}
