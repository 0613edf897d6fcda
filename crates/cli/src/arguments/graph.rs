//! `heddle graph …`.

use super::values::{self, Compress, Size};
use clap::{Args, Subcommand};
use heddle_graph::Format;
use heddle_graph::metrics::taxonomy::TaxonomyMachine;
use heddle_graph::read::WeightPolicy;
use heddle_graph::transform::Transform;
use std::ffi::OsString;
use std::path::PathBuf;

pub(super) const GRAPH_HELP: &str = "\
A GRAPH is one of
  FILE                   Matrix Market, SNAP/TSV/CSV edge list, DIMACS, METIS, Galois,
                         GAP, Rodinia or WebGraph, known by content; plain, gzip, zstd
  GENERATOR:KEY=VALUE,…  a generated graph: rmat:scale=16,degree=8
  surrogate:NAME         stand-in for a published input: surrogate:in-2004,shrink=8
`heddle graph list` shows generators and surrogates.";

pub(super) const TRANSFORM_HELP: &str = "\
Change the graph; repeat it for several, which apply in order: transpose, symmetrise, symmetrise=double, \
drop-self-loops, drop-duplicates, weights=MIN..MAX[,seed=N], relabel=degree|hub-sort|bfs|random[,seed=N], \
largest-component";

/// The word after `graph`.
#[derive(Debug, Subcommand)]
pub(crate) enum GraphCommand {
    /// Describe a graph: size, degrees, components, depth, taxonomy
    Info(Box<InfoArguments>),
    /// Generate a graph and write it to a file
    Generate(GenerateArguments),
    /// Write a graph in another format
    Convert(Box<ConvertArguments>),
    /// List generators with their parameters, and surrogates beside what is published
    List(ListArguments),
}

/// `heddle graph info`.
#[derive(Args, Debug)]
#[command(after_help = GRAPH_HELP)]
pub(crate) struct InfoArguments {
    /// What to describe; without it a small built-in example
    pub(crate) graph: Option<OsString>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
    #[arg(long = "transform", value_name = "T", help = TRANSFORM_HELP, value_parser = values::transform)]
    pub(crate) transforms: Vec<Transform>,
    /// Start the breadth-first search at vertex V [default: the first of largest degree]
    #[arg(long, value_name = "V")]
    pub(crate) source: Option<u32>,
    /// Leave out components and diameter, which take longest on a huge graph
    #[arg(long)]
    pub(crate) quick: bool,
    #[command(flatten)]
    pub(crate) machine: MachineArguments,
}

/// How to read a file.
#[derive(Args, Debug)]
pub(crate) struct ReadArguments {
    /// Read the file as this format, whatever its content looks like
    #[arg(long, value_name = "NAME", value_parser = values::readable_format())]
    pub(crate) format: Option<Format>,
    /// Take every line of an edge list for an undirected edge, and hold both directions
    #[arg(long)]
    pub(crate) undirected: bool,
    /// What to do with weights that are not unsigned 32-bit integers: refuse, drop, round, absolute
    /// (value) or scale=FACTOR [default: refuse; `info` leaves them out and says so]
    #[arg(long, value_name = "POLICY", value_parser = values::weight_policy)]
    pub(crate) weights: Option<WeightPolicy>,
    /// Most memory that the file's arcs and rows may take, such as 8GiB [default: 256 times its size and 64MiB]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory_limit: Option<Size>,
    /// Most bytes that a compressed file may expand to [default: 100 times its size, at least 256MiB]
    #[arg(long, value_name = "SIZE")]
    pub(crate) decompressed_limit: Option<Size>,
}

/// The machine that the taxonomy measures against.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Machine of the taxonomy")]
pub(crate) struct MachineArguments {
    /// Cores (compute units) that share the second-level cache
    #[arg(long, value_name = "N", default_value_t = TaxonomyMachine::default().cores,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) cores: u32,
    /// First-level cache of one core
    #[arg(long, value_name = "SIZE", default_value_t = Size(TaxonomyMachine::default().l1_bytes))]
    pub(crate) l1: Size,
    /// Second-level cache
    #[arg(long, value_name = "SIZE", default_value_t = Size(TaxonomyMachine::default().l2_bytes))]
    pub(crate) l2: Size,
    /// Threads of a thread block, one per vertex
    #[arg(long, value_name = "N", default_value_t = TaxonomyMachine::default().thread_block,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) thread_block: u32,
    /// Threads of a warp
    #[arg(long, value_name = "N", default_value_t = TaxonomyMachine::default().warp,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) warp: u32,
}

/// `heddle graph generate`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  heddle graph generate rmat:scale=12,degree=8 -o rmat12.mtx
  heddle graph generate grid -o - --to edge-list | head
`heddle graph list` shows the recipes.")]
pub(crate) struct GenerateArguments {
    /// GENERATOR:KEY=VALUE,… or surrogate:NAME[,shrink=K]
    #[arg(value_name = "RECIPE")]
    pub(crate) recipe: String,
    /// The file to write; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[arg(long = "transform", value_name = "T", help = TRANSFORM_HELP, value_parser = values::transform)]
    pub(crate) transforms: Vec<Transform>,
    #[command(flatten)]
    pub(crate) write: WriteArguments,
}

/// `heddle graph convert`.
#[derive(Args, Debug)]
#[command(after_help = GRAPH_HELP)]
pub(crate) struct ConvertArguments {
    /// The graph to convert
    #[arg(value_name = "GRAPH")]
    pub(crate) input: OsString,
    /// The file to write; `-` is standard output
    #[arg(value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
    #[arg(long = "transform", value_name = "T", help = TRANSFORM_HELP, value_parser = values::transform)]
    pub(crate) transforms: Vec<Transform>,
    #[command(flatten)]
    pub(crate) write: WriteArguments,
}

/// How to write a file.
#[derive(Args, Debug)]
pub(crate) struct WriteArguments {
    /// Format of the output [default: by its extension .mtx .el .wel .txt .tsv .graph .metis .sg .wsg]
    #[arg(long, value_name = "FORMAT", value_parser = values::writable_format())]
    pub(crate) to: Option<Format>,
    /// Compress the output [default: by its extension .gz or .zst]
    #[arg(long, value_enum)]
    pub(crate) compress: Option<Compress>,
    /// Replace the output file if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Print what was written as JSON on standard output
    #[arg(long)]
    pub(crate) json: bool,
}

/// `heddle graph list`.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only the generated figures, as tab-separated text
    #[arg(long, conflicts_with = "json")]
    pub(crate) tsv: bool,
    /// Generate and measure these surrogates now (all without a NAME, which takes minutes), instead of
    /// showing the recorded figures
    #[arg(long, value_name = "NAME", num_args = 0..)]
    pub(crate) measure: Option<Vec<String>>,
}
