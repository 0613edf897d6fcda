//! `heddle dram …`.

use clap::{Args, Subcommand};
use heddle_memory::dram::Pattern;
use std::path::PathBuf;

/// The word after `dram`.
#[derive(Debug, Subcommand)]
pub(crate) enum DramCommand {
    /// Drive a DRAM part with a trace of requests: latencies, bandwidth, row hits, commands
    Replay(Box<DramReplayArguments>),
    /// Write a trace of a known shape: sequential, random, same-row, row-conflict
    Trace(DramTraceArguments),
    /// Print a part: its file with the source of every figure, or what settings make of it
    Show(DramShowArguments),
    /// List the built-in parts
    List {
        /// Print JSON instead of text
        #[arg(long)]
        json: bool,
    },
}

/// A part and settings on top.
#[derive(Args, Debug)]
pub(crate) struct PartArguments {
    /// A built-in part of `heddle dram list`, a TOML file like those, or a machine (preset or file) for its DRAM
    #[arg(value_name = "PART")]
    pub(crate) part: String,
    /// Change a key of the part, such as tCL=20 or page_policy=closed; repeat it for several
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting)]
    pub(crate) settings: Vec<String>,
}

/// `heddle dram replay`.
#[derive(Args, Debug)]
#[command(after_help = "\
A TRACE has a request per line, `address READ|WRITE cycle`: numbers are decimal or 0x…, cycles are command
clocks, # begins a comment. Requests enter in the order of the file, each in its cycle or as soon as its queue
has room; its latency counts from its cycle. With --outstanding the cycles are not looked at.

Examples:
  heddle dram replay ddr4-2400 requests.trace
  heddle dram replay gddr5-gtx480 requests.trace --outstanding 256 --set queue.entries=32
  heddle run bfs --capture-dram bfs.trace && heddle dram replay fermi bfs.trace")]
pub(crate) struct DramReplayArguments {
    #[command(flatten)]
    pub(crate) part: PartArguments,
    /// The trace; `-` is standard input
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
    /// Closed loop: keep W requests outstanding instead of following the cycles of the trace
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) outstanding: Option<u32>,
    /// Price it with this energy table (a name of `heddle energy`, or a file) [default: the part's own]
    #[arg(long, value_name = "TABLE")]
    pub(crate) energy: Option<String>,
    /// Write a line per request to a file: address, READ or WRITE, cycle in which it came, latency
    #[arg(long, value_name = "FILE")]
    pub(crate) per_request: Option<PathBuf>,
    /// Replace the file of --per-request if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `heddle dram trace`.
#[derive(Args, Debug)]
#[command(
    after_help = "Example: heddle dram trace ddr4-2400 random --requests 20000 --writes 30 -o mixed.trace"
)]
pub(crate) struct DramTraceArguments {
    #[command(flatten)]
    pub(crate) part: PartArguments,
    /// sequential, random, same-row or row-conflict
    #[arg(value_name = "PATTERN", value_parser = pattern)]
    pub(crate) pattern: Pattern,
    /// How many requests
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10_000)]
    pub(crate) requests: u64,
    /// Percent of them that write
    #[arg(long, value_name = "PERCENT", default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) writes: u32,
    /// Cycles from one to the next; 0 for all at once
    #[arg(long, value_name = "CYCLES", default_value_t = 0)]
    pub(crate) every: u64,
    /// Another seed makes another random trace
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The file; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) out: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
}

/// `heddle dram show`.
#[derive(Args, Debug)]
pub(crate) struct DramShowArguments {
    #[command(flatten)]
    pub(crate) part: PartArguments,
    /// Print JSON instead of TOML
    #[arg(long)]
    pub(crate) json: bool,
}

fn setting(text: &str) -> Result<String, String> {
    match text.contains('=') {
        true => Ok(text.to_string()),
        false => Err("expected KEY=VALUE, such as timing.tCL=20".to_string()),
    }
}

fn pattern(name: &str) -> Result<Pattern, String> {
    let names: Vec<&str> = Pattern::ALL.iter().map(|(name, _)| *name).collect();
    let known = Pattern::ALL.iter().find(|(known, _)| *known == name);
    known.map(|(_, pattern)| *pattern).ok_or(format!("expected one of {}", names.join(", ")))
}
