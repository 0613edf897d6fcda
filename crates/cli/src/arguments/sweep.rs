//! How the points of a sweep are run.

use super::claims::ScaleChoice;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// Options of every command that runs points.
#[derive(Args, Clone, Debug)]
pub(crate) struct RunnerArguments {
    /// Keep finished points in FOLDER, which experiments and runners may share, on several hosts too
    #[arg(long, value_name = "FOLDER", default_value = "sweep")]
    pub(crate) store: PathBuf,
    /// Run points again that failed or took too long
    #[arg(long)]
    pub(crate) retry_failed: bool,
    /// Drop the records of other builds than this one, and run their points again
    #[arg(long)]
    pub(crate) replace_older: bool,
    /// End a point after so many seconds; it counts as failed
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Take over the points of a runner that was not heard of for so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "20")]
    pub(crate) lease_expiry: Duration,
}

/// `heddle sweep`.
#[derive(Args, Debug)]
#[command(after_help = "\
A finished point is never run again: stop a sweep as you like and start the same command again. Results are tables in
FOLDER/EXPERIMENT. docs/experiments.md says how experiments are written.
Examples:
  heddle sweep --list
  heddle sweep granularity --dry-run
  heddle sweep mine.toml --store results")]
pub(crate) struct SweepArguments {
    /// Experiments that come with heddle, by name, or files that end in .toml
    #[arg(value_name = "EXPERIMENT", required_unless_present = "list")]
    pub(crate) experiments: Vec<String>,
    /// List the experiments that come with heddle
    #[arg(long, conflicts_with = "experiments")]
    pub(crate) list: bool,
    /// How large the experiments are [default: the smallest scale that the file has]
    #[arg(long, value_enum)]
    pub(crate) scale: Option<ScaleChoice>,
    /// Print the points, with the time and memory that they will probably take, and run none
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The folder that {graphs} in experiment files stands for [default: HEDDLE_GRAPHS]
    #[arg(long, value_name = "DIR")]
    pub(crate) graphs: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) runner: RunnerArguments,
}

/// A time that is not nothing.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds, such as 600".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => Err("expected a number of seconds above 0, such as 600".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_time_is_a_number_of_seconds_above_zero() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["0", "-1", "nan", "inf", "1e30", "10s", ""] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
