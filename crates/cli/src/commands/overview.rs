//! `heddle` alone: what one can do, with examples that can be pasted. A test runs every one of them.

use crate::failure::Failure;
use crate::output;

const OVERVIEW: &str = "\
Heddle: simulator and workbench for graph analytics on GPUs and multicores.

Commands
  run             run a workload or a launch plan on a graph, and check its answer
  compare         run a workload with different mechanisms, side by side
  machine list    the machines that are built in
  machine show    a machine with every key, its mechanisms and settings, or how two differ
  mechanisms      what --with takes, with sources and cost; which go together
  explain         how a mechanism works, its parameters, its cost, the claims that judge it
  stats           explain the statistics of a run
  diff            show what differs between two results
  sweep           run the points of experiment files, each once, and keep their results
  query           quick tables from the results of a sweep
  workloads       list the workloads, explain one, verify all of them on many graphs
  claims          the claims of the source documents beside what is measured
  ptx check       check PTX files: every error with its place
  ptx info        describe kernels: parameters, registers, loops, loads, occupancy
  ptx run         launch one kernel with buffers from files or fills
  graph info      describe a graph: size, degrees, components, depth, taxonomy
  graph generate  generate a graph and write it to a file
  graph convert   write a graph in another format, changed on the way if wanted
  graph list      generators with their parameters, and surrogates of published inputs
  energy          price a finished run with a table of energies; list and show the tables
  dram replay     drive a DRAM part with a trace: latencies, bandwidth, row hits, commands
  dram trace      write a trace of a known shape
  dram list       the built-in DRAM parts; `dram show` prints one
  memory replay   drive a memory system with a trace of requests: hits, misses, latencies by level
  completions     completion script for a shell
  man             manual pages

Examples (each can be pasted as it stands)
  heddle run bfs
  heddle run h-sssp --graph road:vertices=2000 --machine gtx480 --with sector --set l1.size=16KiB --out sssp
  heddle compare bfs --graph rmat:scale=10 --with obm --with obm+sector
  heddle diff sssp sssp/result.json
  heddle run sssp-dd --functional --graph road:vertices=2000 --json
  heddle stats mpki
  heddle machine list
  heddle machine show fermi --with obm+sector --set l1.mshrs=32
  heddle machine show gtx480 --diff gtx480-mff
  heddle mechanisms
  heddle mechanisms --pairs --with obm+sector+stride
  heddle explain obm
  heddle workloads
  heddle sweep --list
  heddle sweep occupancy --store results
  heddle query results --columns workload,registers,resident_warps
  heddle claims --only ch3-spare
  heddle workloads h-bfs --save .
  heddle ptx check h_bfs.ptx
  heddle ptx info h_bfs.ptx --machine fermi --block 512
  heddle ptx run h_bfs.ptx --kernel Kernel2 --grid-threads 4 --block 32 --buffer m=u8[4] --buffer u=u8:0,1,0,1 --buffer v=u8[4] --buffer o=u32[1] --arg m --arg u --arg v --arg o --arg u32:4 --print m
  heddle graph info
  heddle graph generate rmat:scale=12,degree=8 -o rmat12.mtx
  heddle graph info rmat12.mtx --json
  heddle graph convert rmat12.mtx rmat12.sg --transform symmetrise
  heddle graph list
  heddle ptx info --kernel Kernel --machine k40c
  heddle energy --show gtx480
  heddle dram trace ddr4-2400 random --requests 5000 --writes 30 -o mixed.trace
  heddle dram replay ddr4-2400 mixed.trace --outstanding 32
  heddle dram show gddr5-gtx480
  heddle dram list
  heddle completions bash > heddle.bash

Every command explains itself: `heddle run --help`.
";

/// Prints the overview.
pub(super) fn run() -> Result<(), Failure> {
    output::page(OVERVIEW)
}
