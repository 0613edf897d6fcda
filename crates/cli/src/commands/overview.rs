//! `heddle` alone: what one can do, with examples that can be pasted. A test runs every one of them.

use crate::failure::Failure;
use crate::output;

const OVERVIEW: &str = "\
Heddle: simulator and workbench for graph analytics on GPUs and multicores.

Commands
  graph info      describe a graph: size, degrees, components, depth, taxonomy
  graph generate  generate a graph and write it to a file
  graph convert   write a graph in another format, changed on the way if wanted
  graph list      generators with their parameters, and surrogates of published inputs
  ptx check       check PTX files: every error with its line, warnings
  ptx info        describe kernels: parameters, registers, memory, loops, loads, occupancy
  completions     completion script for a shell
  man             manual pages

Examples (each can be pasted as it stands)
  heddle graph info
  heddle graph generate rmat:scale=12,degree=8 -o rmat12.mtx
  heddle graph info rmat12.mtx --json
  heddle graph convert rmat12.mtx rmat12.sg --transform symmetrise
  heddle graph list
  heddle ptx info --kernel Kernel --machine k40c
  heddle completions bash > heddle.bash

Every command explains itself: `heddle graph info --help`.
";

/// Prints the overview.
pub(super) fn run() -> Result<(), Failure> {
    output::page(OVERVIEW)
}
