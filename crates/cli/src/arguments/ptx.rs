//! `heddle ptx …`.

use clap::{Args, Subcommand};
use heddle_ptx::analysis::{CoreLimits, RegisterOverride};
use std::path::PathBuf;

/// The word after `ptx`.
#[derive(Debug, Subcommand)]
pub(crate) enum PtxCommand {
    /// Check PTX files: every error with its line, warnings, and what this machine does not support
    Check(PtxCheckArguments),
    /// Describe the kernels of a PTX file: parameters, registers, memory, loops, loads, occupancy
    Info(PtxInfoArguments),
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
    /// The file; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Describe this kernel alone
    #[arg(long, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// The machine of the occupancy: fermi, gtx480, gtx480-mff or k40c
    #[arg(long, value_name = "NAME", default_value = "fermi", value_parser = machine)]
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

fn machine(name: &str) -> Result<CoreLimits, String> {
    let all = CoreLimits::all();
    let names: Vec<String> = all.iter().map(|machine| machine.name.clone()).collect();
    all.into_iter()
        .find(|machine| machine.name == name)
        .ok_or(format!("expected one of {}", names.join(", ")))
}
