//! Arguments of `heddle claims`.

use clap::{Args, ValueEnum};
use heddle_lab::claims::scale::Scale;
use std::path::PathBuf;

/// `heddle claims`.
#[derive(Args, Debug)]
#[command(after_help = "\
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
    /// The folder of records: SCALE/points.jsonl.gz has results, SCALE/ledger.tsv the last ledger
    #[arg(long, value_name = "DIR", default_value = "records")]
    pub(crate) records: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Write ledger.tsv and ledger.json into this folder, which is made if need be
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// Write the ledger into the folder of records, and its summary into the README.md beside that folder
    #[arg(long)]
    pub(crate) record: bool,
    /// The day that the ledger bears, as 2026-01-31 [default: today]
    #[arg(long, value_name = "DATE", value_parser = crate::date::parse)]
    pub(crate) date: Option<String>,
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
