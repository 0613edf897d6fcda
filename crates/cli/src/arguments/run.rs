//! `heddle run`, `heddle compare`, `heddle stats`, `heddle diff` and `heddle workloads`.

use super::ReadArguments;
use super::graph::{GRAPH_HELP, TRANSFORM_HELP};
use super::time::{DEFAULT_MACHINE, TimeArguments};
use super::values;
use clap::Args;
use heddle_graph::transform::Transform;
use std::ffi::OsString;
use std::path::PathBuf;

/// `heddle run`.
#[derive(Args, Debug)]
#[command(after_help = GRAPH_HELP)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) work: WorkArguments,
    /// Execute without any notion of time: the answer, and counts of what was executed
    #[arg(long)]
    pub(crate) functional: bool,
    /// Count the 32-byte sectors that global accesses touch, too (with --functional)
    #[arg(long, requires = "functional")]
    pub(crate) sectors: bool,
    /// Stop a launch after this many warp instructions (with --functional)
    #[arg(long, value_name = "N", requires = "functional")]
    pub(crate) limit: Option<u64>,
    /// Show every iteration and launch instead of the first and last ones
    #[arg(long)]
    pub(crate) all: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Write result.json, the resolved machine and tables into this folder, which is made if need be
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) time: TimeArguments,
    /// Add a mechanism to the machine, or several joined by +; repeat it for more, which apply in order
    #[arg(long, value_name = "MECHANISM", value_parser = values::mechanisms, help_heading = "Machine and time")]
    pub(crate) with: Vec<Mechanisms>,
    /// Write a timeline of blocks and launches, for ui.perfetto.dev; with --interval, rates and power too
    #[arg(long, value_name = "FILE", help_heading = "Machine and time")]
    pub(crate) trace: Option<PathBuf>,
    /// Write the DRAM transactions of the run, as `heddle dram replay` reads them
    #[arg(long, value_name = "FILE", help_heading = "Machine and time")]
    pub(crate) capture_dram: Option<PathBuf>,
}

/// Mechanisms that were named together.
pub(crate) type Mechanisms = Vec<String>;

/// `heddle compare`.
#[derive(Args, Debug)]
#[command(after_help = "\
The first column is the baseline: the machine without mechanisms. Every --with is a column of its own; what is
joined by + is in one column together.
Examples:
  heddle compare h-bfs --graph rmat:scale=12 --with obm --with obm+sector
  heddle compare h-bfs --graph rmat:scale=12 --with obm --with sector --limits")]
pub(crate) struct CompareArguments {
    #[command(flatten)]
    pub(crate) work: WorkArguments,
    /// A column: a mechanism, or several joined by +; `none`, the baseline, is always there
    #[arg(long, value_name = "MECHANISMS", value_parser = values::mechanisms)]
    pub(crate) with: Vec<Mechanisms>,
    /// Show each column as a fraction of what is possible: adds the limits of its mechanisms as columns
    #[arg(long)]
    pub(crate) limits: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Write compare.json and a folder per column into this folder, which is made if need be
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) time: TimeArguments,
}

/// What may be written.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct OutputArguments {
    /// Replace files and results that exist
    #[arg(long)]
    pub(crate) force: bool,
    /// Let a plan save its buffers outside the working folder
    #[arg(long)]
    pub(crate) allow_outside: bool,
}

/// What is run, on what.
#[derive(Args, Debug)]
pub(crate) struct WorkArguments {
    /// A workload of `heddle workloads` (bfs, h-sssp, …), or a launch plan (a file that ends in .toml)
    #[arg(value_name = "WORKLOAD")]
    pub(crate) workload: String,
    /// The graph [default: a small built-in example]
    #[arg(long, value_name = "GRAPH")]
    pub(crate) graph: Option<OsString>,
    /// Start at vertex V [default: the first of largest degree]
    #[arg(long, value_name = "V")]
    pub(crate) source: Option<u32>,
    /// The vertex to be reached, for stcon [default: the last vertex that is not the source]
    #[arg(long, value_name = "V")]
    pub(crate) target: Option<u32>,
    /// Threads of a block [default: the workload's own]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) block: Option<u32>,
    /// A setting of the workload, such as limit=4; `heddle workloads NAME` shows them
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub(crate) settings: Vec<String>,
    #[arg(long = "transform", value_name = "T", help = TRANSFORM_HELP, value_parser = values::transform)]
    pub(crate) transforms: Vec<Transform>,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

/// `heddle stats`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  heddle stats
  heddle stats 'dram.*'
  heddle stats mpki
  heddle stats --machine examples/machines/cluster-cache.toml 'cluster.*'")]
pub(crate) struct StatsArguments {
    /// Only statistics whose name fits, where * stands for anything; without a * any part of the name will do
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: Option<String>,
    /// The machine whose statistics are explained: a preset of `heddle machine list`, or a machine file
    #[arg(long, value_name = "NAME|FILE", default_value = DEFAULT_MACHINE)]
    pub(crate) machine: String,
    /// Apply a mechanism of `heddle mechanisms`, or several as A+B; repeat it for several
    #[arg(long, value_name = "MECHANISM")]
    pub(crate) with: Vec<String>,
    /// Set a key, such as l1.size=16KiB; repeat it for several
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `heddle diff`.
#[derive(Args, Debug)]
#[command(after_help = "\
The exit code is 0 if the results are equal in everything but the host's time, 1 if they differ, and 2 if one
of them cannot be read.")]
pub(crate) struct DiffArguments {
    /// A result.json, or the folder that holds it
    #[arg(value_name = "A")]
    pub(crate) before: PathBuf,
    /// Another
    #[arg(value_name = "B")]
    pub(crate) after: PathBuf,
    /// Show every statistic that differs instead of the largest changes
    #[arg(long)]
    pub(crate) all: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `heddle workloads`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  heddle workloads
  heddle workloads bfs-dd --save .
  heddle workloads --verify --only 'bfs-*' --quick")]
pub(crate) struct WorkloadsArguments {
    /// Explain this one: kernels, buffers, registers, settings
    #[arg(value_name = "WORKLOAD", conflicts_with = "verify")]
    pub(crate) name: Option<String>,
    /// Write the workload's PTX files into this folder, too
    #[arg(long, value_name = "DIR", requires = "name")]
    pub(crate) save: Option<PathBuf>,
    /// With --save: replace files that exist
    #[arg(long, requires = "save")]
    pub(crate) force: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Run every workload on every graph of a list and check the answers: generators, special shapes, and
    /// the files of --graphs
    #[arg(long, conflicts_with = "json")]
    pub(crate) verify: bool,
    /// With --verify: only workloads whose name fits, where * stands for anything
    #[arg(long, value_name = "PATTERN", requires = "verify")]
    pub(crate) only: Option<String>,
    /// With --verify: smaller graphs of the list only
    #[arg(long, requires = "verify")]
    pub(crate) quick: bool,
    /// With --verify: also every graph file in this folder and the folders in it
    #[arg(long, value_name = "DIR", requires = "verify")]
    pub(crate) graphs: Option<PathBuf>,
    /// With --verify: write a line per pair to this file as it is done; pairs that are there already are
    /// not run again
    #[arg(long, value_name = "FILE", requires = "verify")]
    pub(crate) out: Option<PathBuf>,
}
