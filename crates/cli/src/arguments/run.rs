//! `heddle run` and `heddle workloads`.

use super::ReadArguments;
use super::graph::{GRAPH_HELP, TRANSFORM_HELP};
use super::values;
use clap::Args;
use heddle_graph::transform::Transform;
use std::ffi::OsString;
use std::path::PathBuf;

/// `heddle run`.
#[derive(Args, Debug)]
#[command(after_help = GRAPH_HELP)]
pub(crate) struct RunArguments {
    /// A workload of `heddle workloads` (bfs, h-sssp, …), or a launch plan (a file that ends in .toml)
    #[arg(value_name = "WORKLOAD")]
    pub(crate) workload: String,
    /// The graph [default: a small built-in example]
    #[arg(long, value_name = "GRAPH")]
    pub(crate) graph: Option<OsString>,
    /// Execute without any notion of time: the answer, and counts of what was executed
    #[arg(long)]
    pub(crate) functional: bool,
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
    /// Count the 32-byte sectors that global accesses touch, too
    #[arg(long)]
    pub(crate) sectors: bool,
    /// Stop a launch after this many warp instructions
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// Show every iteration and launch instead of the first and last ones
    #[arg(long)]
    pub(crate) all: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    #[arg(long = "transform", value_name = "T", help = TRANSFORM_HELP, value_parser = values::transform)]
    pub(crate) transforms: Vec<Transform>,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
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
