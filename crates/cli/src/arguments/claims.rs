//! Arguments of `heddle claims`.

use super::sweep::RunnerArguments;
use clap::{Args, ValueEnum};
use heddle_lab::scale::Scale;
use std::path::PathBuf;

/// `heddle claims`.
#[derive(Args, Debug)]
#[command(after_help = "\
The points that the claims rest on are run unless they have been; stop the command as you like and start it again.
A claim agrees, does not agree, is not judged (its effect has the other sign at a larger scale), is incomplete (points
are missing or failed), or has to wait for a mechanism or a machine. docs/claims.md says how claims are written.
Example: heddle claims --only 'gran-*' --scale study")]
pub(crate) struct ClaimsArguments {
    /// Only claims whose names fit; * stands for anything
    #[arg(long, value_name = "GLOB", conflicts_with = "record")]
    pub(crate) only: Option<String>,
    /// How large the experiments are
    #[arg(long, value_enum, default_value = "quick")]
    pub(crate) scale: ScaleChoice,
    /// The folder of records: SCALE/points.jsonl.gz has points that have been run, SCALE/ledger.tsv the last ledger
    #[arg(long, value_name = "DIR", default_value = "records")]
    pub(crate) records: PathBuf,
    /// Judge by the points that have been run, and run none
    #[arg(long)]
    pub(crate) no_run: bool,
    /// The folder that {graphs} in experiment files stands for [default: HEDDLE_GRAPHS]
    #[arg(long, value_name = "DIR")]
    pub(crate) graphs: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Write ledger.tsv and ledger.json into this folder, which is made if need be
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// Write the ledger and its points into the folder of records, and the summary into the README.md beside that folder
    #[arg(long)]
    pub(crate) record: bool,
    /// The day that the ledger bears, as 2026-01-31 [default: today]
    #[arg(long, value_name = "DATE", value_parser = crate::date::parse)]
    pub(crate) date: Option<String>,
    #[command(flatten)]
    pub(crate) runner: RunnerArguments,
}

/// A scale, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScaleChoice {
    /// Minutes
    Quick,
    /// Full-size graphs and caches, the largest invocations
    Study,
    /// Further invocations
    Paper,
}

impl ScaleChoice {
    /// The scale.
    pub(crate) fn scale(self) -> Scale {
        match self {
            ScaleChoice::Quick => Scale::Quick,
            ScaleChoice::Study => Scale::Study,
            ScaleChoice::Paper => Scale::Paper,
        }
    }
}
