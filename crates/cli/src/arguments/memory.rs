//! `heddle memory …`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// The word after `memory`.
#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// Drive a memory system with a trace of requests: hits and misses by level, latencies, traffic, DRAM
    Replay(Box<MemoryReplayArguments>),
}

/// `heddle memory replay`.
#[derive(Args, Debug)]
#[command(after_help = "\
A TRACE has a request per line, `cycle requester read|write|atomic address bytes [pc]`: numbers are decimal or
0x…, cycles are those of clocks.core, # begins a comment; plain, gzip or zstd. A request is offered in its cycle or
as soon as its requester's cache takes it; its latency counts from its cycle. Without cycles, or with
--ignore-cycles or --outstanding, each requester asks in order, as fast as its cache takes what it asks.

Examples:
  heddle memory replay examples/machines/memory-alone.toml requests.trace
  heddle memory replay gtx480 requests.trace.gz --outstanding 16 --with obm --set l2.size=1536KiB")]
pub(crate) struct MemoryReplayArguments {
    /// A machine of kind memory, or a GPU for its memory system, with a requester in place of each core
    #[arg(value_name = "MACHINE")]
    pub(crate) machine: String,
    /// The trace; `-` is standard input
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
    /// Apply a mechanism of `heddle mechanisms`, or several as A+B; repeat it for several
    #[arg(long, value_name = "MECHANISM")]
    pub(crate) with: Vec<String>,
    /// Set a key, such as l1.size=16KiB; repeat it for several
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// In order, with at most W requests of each requester unanswered; the cycles of the trace are not looked at
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) outstanding: Option<u32>,
    /// In order, whatever the cycles of the trace are
    #[arg(long)]
    pub(crate) ignore_cycles: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}
