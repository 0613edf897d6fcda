//! How the points of a sweep are run.

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
