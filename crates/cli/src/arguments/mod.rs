//! What the user types, checked. The doc comments of this folder are the help texts.

mod claims;
mod dram;
mod energy;
mod graph;
mod machine;
mod memory;
mod ptx;
mod query;
mod run;
mod sweep;
mod time;
mod values;

pub(crate) use claims::ClaimsArguments;
pub(crate) use dram::{
    DramCommand, DramReplayArguments, DramShowArguments, DramTraceArguments, PartArguments,
};
pub(crate) use energy::EnergyArguments;
pub(crate) use graph::{
    ConvertArguments, GenerateArguments, GraphCommand, InfoArguments, ListArguments, MachineArguments,
    ReadArguments, WriteArguments,
};
pub(crate) use machine::{
    ExplainArguments, MachineCommand, MachineListArguments, MachineShowArguments, MechanismsArguments,
};
pub(crate) use memory::{MemoryCommand, MemoryReplayArguments};
pub(crate) use ptx::{PtxCheckArguments, PtxCommand, PtxInfoArguments, PtxRunArguments};
pub(crate) use query::{QueryArguments, TableName};
pub(crate) use run::{
    CompareArguments, DiffArguments, Mechanisms, RunArguments, StatsArguments, WorkArguments,
    WorkloadsArguments,
};
pub(crate) use sweep::{RunnerArguments, SweepArguments};
pub(crate) use time::DEFAULT_MACHINE;
pub(crate) use values::Compress;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// Simulator and workbench for graph analytics on GPUs and multicores.
///
/// Without a command, prints what one can do, with examples.
#[derive(Debug, Parser)]
#[command(name = "heddle", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
}

/// Options of every command.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct CommonArguments {
    /// No progress and no notes on standard error; errors only
    #[arg(long, short, global = true, display_order = 900)]
    pub(crate) quiet: bool,
    /// Use N threads; results do not depend on it [default: one per core]
    #[arg(long, global = true, display_order = 901, value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
}

/// The first word.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Describe, generate and convert graphs
    #[command(subcommand)]
    Graph(GraphCommand),
    /// Check, describe and run PTX files
    #[command(subcommand)]
    Ptx(PtxCommand),
    /// Run a workload on a graph, and check its answer
    Run(Box<RunArguments>),
    /// Run a workload on a machine with different mechanisms, side by side
    Compare(Box<CompareArguments>),
    /// List and show machines
    #[command(subcommand)]
    Machine(MachineCommand),
    /// List the mechanisms that --with takes, with their sources and what they cost
    Mechanisms(MechanismsArguments),
    /// Explain a mechanism: how it works, where it is described, its parameters and cost, the claims that judge it
    Explain(ExplainArguments),
    /// Explain the statistics of a run: units, meanings, formulas of ratios
    Stats(StatsArguments),
    /// Show what differs between two results
    Diff(DiffArguments),
    /// Run the points of experiment files, each once, and keep their results
    Sweep(Box<SweepArguments>),
    /// Quick tables from the results of a sweep: filter, group, means, ratios to a baseline
    Query(Box<QueryArguments>),
    /// List the workloads, explain one, or verify all on many graphs
    Workloads(WorkloadsArguments),
    /// Judge the claims of the source documents on recorded results
    Claims(Box<ClaimsArguments>),
    /// Price a finished run: energy by component and action, average power
    Energy(EnergyArguments),
    /// Drive DRAM parts with traces, show and list them
    #[command(subcommand)]
    Dram(DramCommand),
    /// Drive memory systems with traces of requests, without cores
    #[command(subcommand)]
    Memory(MemoryCommand),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example: heddle completions bash > ~/.local/share/bash-completion/completions/heddle"
    )]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page, or write those of all commands to a folder
    #[command(after_help = "Example: heddle man --out ~/.local/share/man/man1")]
    Man {
        /// Write one page per command into this folder, which is made if need be
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Replace pages that exist
        #[arg(long, requires = "out")]
        force: bool,
    },
}
