//! `heddle machine …`, `heddle mechanisms` and `heddle explain`.

use clap::{Args, Subcommand};

/// The word after `machine`.
#[derive(Debug, Subcommand)]
pub(crate) enum MachineCommand {
    /// List the presets
    List(MachineListArguments),
    /// Show a machine with every key, and figures that follow from them
    Show(MachineShowArguments),
}

/// `heddle machine list`.
#[derive(Args, Debug)]
pub(crate) struct MachineListArguments {
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `heddle machine show`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  heddle machine show fermi --with obm+sector --set l1.mshrs=32
  heddle machine show gtx480 --diff gtx480-mff
  heddle machine show fermi --toml > mine.toml")]
pub(crate) struct MachineShowArguments {
    /// A preset of `heddle machine list`, or a machine file
    #[arg(value_name = "NAME|FILE", default_value = "fermi")]
    pub(crate) machine: String,
    /// Apply a mechanism of `heddle mechanisms`, or several as A+B; repeat it for several
    #[arg(long, value_name = "MECHANISM")]
    pub(crate) with: Vec<String>,
    /// Set a key, such as l1.size=16KiB; repeat it for several
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// Show only the keys whose values differ from those of another machine
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) diff: Option<String>,
    /// Print the machine file alone
    #[arg(long, conflicts_with_all = ["json", "diff"])]
    pub(crate) toml: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `heddle mechanisms`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  heddle mechanisms
  heddle mechanisms --pairs
  heddle mechanisms --pairs --with obm+sector+stride
  heddle compare h-bfs --with obm --with obm+sector")]
pub(crate) struct MechanismsArguments {
    /// The machine that costs are computed for, and that mechanisms are tried on
    #[arg(long, value_name = "NAME|FILE", default_value = "fermi")]
    pub(crate) machine: String,
    /// Show which mechanisms go together, two by two, and why others do not
    #[arg(long)]
    pub(crate) pairs: bool,
    /// Only the pairs of these mechanisms, and whether all of them go together
    #[arg(long, value_name = "A+B+C", requires = "pairs")]
    pub(crate) with: Vec<String>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `heddle explain`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  heddle explain obm
  heddle explain stream --machine gtx480 --json")]
pub(crate) struct ExplainArguments {
    /// A mechanism of `heddle mechanisms`, or a mechanism file
    #[arg(value_name = "NAME|FILE")]
    pub(crate) mechanism: String,
    /// The machine that its parameters and its cost are those of
    #[arg(long, value_name = "NAME|FILE", default_value = "fermi")]
    pub(crate) machine: String,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}
