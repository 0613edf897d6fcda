//! `heddle energy`.

use clap::Args;
use std::path::PathBuf;

/// `heddle energy`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  heddle energy --list
  heddle energy --show gtx480
  heddle energy result.json --table k40c")]
pub(crate) struct EnergyArguments {
    /// A result of `heddle run` in time: result.json, or the folder that holds it
    #[arg(value_name = "RESULT", required_unless_present_any = ["list", "show"])]
    pub(crate) result: Option<PathBuf>,
    /// Price it with this table: a name, or a file that ends in .toml [default: the one that the result names]
    #[arg(long, value_name = "TABLE", requires = "result")]
    pub(crate) table: Option<String>,
    /// List the tables that come with the program
    #[arg(long, conflicts_with_all = ["result", "show"])]
    pub(crate) list: bool,
    /// Show a table: every figure with its source
    #[arg(long, value_name = "TABLE", conflicts_with = "result")]
    pub(crate) show: Option<String>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}
