//! `heddle ptx …`.

use super::time::TimeArguments;
use super::{Mechanisms, values};
use clap::{Args, Subcommand};
use heddle_machine::Machine;
use heddle_ptx::analysis::{CoreLimits, RegisterOverride};
use std::path::PathBuf;

/// The word after `ptx`.
#[derive(Debug, Subcommand)]
pub(crate) enum PtxCommand {
    /// Check PTX files: every error with its line, warnings, and what this machine does not support
    Check(PtxCheckArguments),
    /// Describe the kernels of a PTX file: parameters, registers, memory, loops, loads, occupancy
    Info(PtxInfoArguments),
    /// Launch one kernel with buffers from files or fills
    Run(Box<PtxRunArguments>),
}

/// `heddle ptx check`.
#[derive(Args, Debug)]
#[command(after_help = "\
Example: heddle ptx check kernels/*.ptx
The exit code is 0 if no file has an error, and 1 otherwise.")]
pub(crate) struct PtxCheckArguments {
    /// The files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `heddle ptx info`.
#[derive(Args, Debug)]
#[command(after_help = "\
Example: heddle ptx info bfs.ptx --kernel Kernel --machine fermi --block 512 --registers Kernel=15")]
pub(crate) struct PtxInfoArguments {
    /// The file; `-` is standard input; without it a built-in example, the kernels of h-bfs
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Describe this kernel alone
    #[arg(long, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// The machine of the occupancy: a preset of `heddle machine list`, or a machine file
    #[arg(long, value_name = "NAME|FILE", default_value = "fermi", value_parser = machine)]
    pub(crate) machine: CoreLimits,
    /// Threads of a block, for the occupancy [default: the one that the kernel requires, or else 256]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) block: Option<u32>,
    /// Dynamic shared memory of a block in bytes, for the occupancy
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub(crate) dynamic_shared: u32,
    /// Take N registers per thread for this kernel, in place of our own allocation; repeat it for several
    #[arg(long, value_name = "KERNEL=N", value_parser = RegisterOverride::parse)]
    pub(crate) registers: Vec<(String, u32)>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `heddle ptx run`.
#[derive(Args, Debug)]
#[command(after_help = "\
A BUFFER is NAME=TYPE[LENGTH] (zeros), NAME=TYPE[LENGTH]:FILL, NAME=TYPE:V,V,V… or NAME=TYPE@FILE, where
TYPE is u8 s8 u16 s16 u32 s32 u64 s64 f32 or f64 and a FILE holds little-endian elements.
An argument is the NAME of a buffer, NAME+BYTES for an address inside it, TYPE:VALUE, or bytes:HEX for a
struct by value.

Example:
  heddle ptx run saxpy.ptx --kernel saxpy --grid-threads 1000 --buffer x=f32[1000]:1.5 \\
    --buffer y=f32[1000]:1 --arg u32:1000 --arg f32:2 --arg x --arg y --print y
The same with --machine gtx480 is simulated in time on that machine.")]
pub(crate) struct PtxRunArguments {
    /// The PTX file
    pub(crate) file: PathBuf,
    /// The kernel [default: the only one]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// Threads in all; the grid follows
    #[arg(long, value_name = "N", conflicts_with = "grid")]
    pub(crate) grid_threads: Option<u64>,
    /// Blocks: X or X,Y or X,Y,Z [default: 1]
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', num_args = 1..=3)]
    pub(crate) grid: Vec<u32>,
    /// Threads of a block: X or X,Y or X,Y,Z
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', num_args = 1..=3, default_value = "256")]
    pub(crate) block: Vec<u32>,
    /// Dynamic shared memory in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub(crate) shared: u32,
    /// A buffer; repeat it for several
    #[arg(long = "buffer", value_name = "BUFFER")]
    pub(crate) buffers: Vec<String>,
    /// An argument of the kernel, in order; repeat it for several
    #[arg(long = "arg", value_name = "ARG", allow_hyphen_values = true)]
    pub(crate) arguments: Vec<String>,
    /// Print this buffer afterwards
    #[arg(long, value_name = "NAME")]
    pub(crate) print: Vec<String>,
    /// Write this buffer to a file afterwards
    #[arg(long, value_name = "NAME=FILE")]
    pub(crate) save: Vec<String>,
    /// Compare this buffer with a file of elements, or with values (NAME=:V,V,V…); a difference is an error
    #[arg(long, value_name = "NAME=FILE")]
    pub(crate) expect: Vec<String>,
    /// Replace files that exist, and the result of --out
    #[arg(long)]
    pub(crate) force: bool,
    /// At most this many blocks at once, without --machine [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) resident: Option<u64>,
    /// Stop after this many warp instructions, without --machine
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// Count the 32-byte sectors that global accesses touch, too, without --machine
    #[arg(long)]
    pub(crate) sectors: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Write result.json, the resolved machine and tables into this folder, which is made if need be
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) time: TimeArguments,
    /// Add a mechanism to the machine, or several joined by +; repeat it for more, which apply in order
    #[arg(long, value_name = "MECHANISM", value_parser = values::mechanisms, help_heading = "Machine and time")]
    pub(crate) with: Vec<Mechanisms>,
}

fn machine(name: &str) -> Result<CoreLimits, String> {
    let resolved = Machine::named(name).and_then(|machine| machine.resolve());
    resolved.map(|resolved| resolved.core_limits()).map_err(|error| match &error.help {
        Some(help) => format!("{error}; {help}"),
        None => error.to_string(),
    })
}
