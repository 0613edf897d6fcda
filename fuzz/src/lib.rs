//! What the fuzz targets do with the bytes that they are given.
//!
//! Anything may be refused, with an error that says something, but nothing may panic, hang, or take memory that the
//! input does not justify. What is accepted is used: a graph is written and read again, a program is launched, a
//! plan is run, a machine is built and runs a kernel, a DRAM part serves requests, a table of energies prices.
//! Graphs come as files, as users give them, so that opening them and the search for companion files take part.

mod dram;
mod graphs;
mod machines;
mod programs;

pub use dram::{dram_part, dram_trace};
pub use graphs::{read_any, read_as, read_webgraph, recipe, transform};
pub use machines::{energy_table, machine};
pub use programs::{plan, ptx_run, ptx_syntax};

use heddle_graph::Graph;
use std::path::PathBuf;
use std::sync::OnceLock;
use tempfile::TempDir;

const MEMORY_BYTES: u64 = 16 << 20;

fn sample(directed: bool) -> Graph {
    let arcs = [(0u32, 1u32), (1, 2), (2, 0), (2, 2), (0, 1), (5, 6), (6, 5), (4, 3)].into_iter().collect();
    let made = match directed {
        true => heddle_graph::build::from_arcs(&arcs, 9).map(Graph::directed),
        false => heddle_graph::build::from_undirected_arcs(&arcs, 9).map(Graph::undirected),
    };
    made.expect("the sample is a graph")
}

/// Writes a file into a folder of this process, below `TMPDIR`.
fn store(name: &str, data: &[u8]) -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| TempDir::new().expect("a folder for temporary files"));
    let path = folder.path().join(name);
    std::fs::write(&path, data).expect("a temporary file can be written");
    path
}
