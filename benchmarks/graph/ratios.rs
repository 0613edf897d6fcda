//! One table: reading, building and generating on one core, each as a ratio to other programs in the same run.
//!
//! `HEDDLE_BENCH_SCALE`, `HEDDLE_BENCH_DEGREE` and `HEDDLE_BENCH_RUNS` set the sizes; of the runs the fastest
//! counts, and the contenders take turns so that a busy machine is unfair to all of them. With the path of the
//! GAP Benchmark Suite's `converter` in `HEDDLE_GAP_CONVERTER` it takes part, by the times that it prints.

mod common;

use common::{Files, bytes, degree, on_one_core, random_arcs, read_plainly, scale, size};
use graph_builder::prelude::{DirectedCsrGraph, EdgeListInput, GraphBuilder};
use heddle_graph::Csr;
use heddle_graph::build::{from_arcs, transposed};
use heddle_graph::generate::generate;
use heddle_graph::generate::random::Random;
use heddle_graph::progress::Silent;
use heddle_graph::read::{ReadOptions, read};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
#[allow(clippy::disallowed_types, reason = "a benchmark measures time; no result depends on it")]
use std::time::Instant;

/// The fastest time of everything measured, in seconds, by what and by whom.
#[derive(Default)]
struct Table(BTreeMap<(&'static str, &'static str), f64>);

const READ: &str = "text to arcs";
const BUILD: &str = "arcs to rows and columns";
const BOTH: &str = "text to rows and columns";
const GENERATE: &str = "R-MAT, degree 8, to rows";
const US: &str = "heddle";
const PLAIN: &str = "lines, split, parse";
const OTHER: &str = "graph_builder";
const GAP: &str = "GAP";
const TEXTBOOK: &str = "a real number a level";

impl Table {
    fn keep(&mut self, what: &'static str, who: &'static str, seconds: f64) {
        let best = self.0.entry((what, who)).or_insert(f64::INFINITY);
        *best = best.min(seconds);
    }

    fn print(&self, megabytes: f64, arcs: u64, generated: u64) {
        println!("{:26} {:20} {:>9} {:>9} {:>12} {:>7}", "what", "who", "seconds", "MB/s", "arcs/s", "ratio");
        for (&(what, who), &seconds) in &self.0 {
            let units = if what == GENERATE { generated } else { arcs };
            let rate = units as f64 / seconds;
            let text = what == READ || what == BOTH;
            let speed = if text { format!("{:.0}", megabytes / seconds) } else { String::new() };
            let ratio = self.0.get(&(what, US)).map_or(f64::NAN, |ours| seconds / ours);
            println!("{what:26} {who:20} {seconds:9.4} {speed:>9} {rate:>12.4e} {ratio:6.2}x");
        }
    }
}

fn main() {
    let vertices = 1 << scale();
    let arcs = random_arcs(vertices, vertices * degree());
    let files = Files::write(&arcs, vertices);
    let recipe = format!("rmat:scale={},degree=8", scale());
    let converter = std::env::var_os("HEDDLE_GAP_CONVERTER");
    let mut table = Table::default();
    for _ in 0..size("HEDDLE_BENCH_RUNS", 3, 1) {
        on_one_core(|| {
            let rows = timed(|| from_arcs(&arcs, vertices).expect("ids are in range"));
            let columns = timed(|| transposed(&rows.1));
            let whole = timed(|| read(&files.edge_list, &ReadOptions::default()).expect("a graph"));
            assert_eq!(whole.1.graph.num_arcs(), arcs.len());
            table.keep(BUILD, US, rows.0 + columns.0);
            // The reader builds rows as it goes; what is left without them is the parsing.
            table.keep(READ, US, whole.0 - rows.0);
            table.keep(BOTH, US, whole.0 + columns.0);
            table.keep(GENERATE, US, timed(|| generate(&recipe, &Silent).expect("a recipe")).0);
        });
        let plain = timed(|| read_plainly(&files.edge_list, 0, 0));
        assert_eq!(plain.1.len() as u64, arcs.len());
        table.keep(READ, PLAIN, plain.0);
        table.keep(BOTH, OTHER, timed(|| read_with_graph_builder(&files.edge_list)).0);
        let pairs: Vec<(u32, u32)> =
            arcs.segments().iter().flat_map(|segment| &segment.pairs).copied().collect();
        on_one_core(|| {
            table.keep(BUILD, OTHER, timed(|| build_with_graph_builder(pairs)).0);
            table.keep(GENERATE, TEXTBOOK, timed(|| rmat_by_the_book(scale(), 8 << scale())).0);
        });
        if let Some(converter) = &converter {
            let path = files.edge_list.as_os_str();
            let of_file = gap_times(Command::new(converter).arg("-f").arg(path));
            table.keep(READ, GAP, of_file["Read Time"]);
            table.keep(BUILD, GAP, of_file["Build Time"]);
            table.keep(BOTH, GAP, of_file["Read Time"] + of_file["Build Time"]);
            let generated = gap_times(Command::new(converter).args(["-g", &scale().to_string(), "-k", "8"]));
            // Without the rows: it always makes them of both directions, which would be twice the work.
            table.keep(GENERATE, GAP, generated["Generate Time"]);
        }
    }
    table.print(bytes(&files.edge_list) as f64 / 1e6, arcs.len(), 8 << scale());
}

#[allow(clippy::disallowed_types, reason = "a benchmark measures time; no result depends on it")]
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = black_box(work());
    (start.elapsed().as_secs_f64(), result)
}

/// Its parser starts a thread per core, so pin the process to one core to compare.
fn read_with_graph_builder(path: &Path) -> DirectedCsrGraph<u32> {
    GraphBuilder::new().file_format(EdgeListInput::default()).path(path).build().expect("a graph")
}

/// Outgoing and incoming rows of the same arcs.
fn build_with_graph_builder(pairs: Vec<(u32, u32)>) -> DirectedCsrGraph<u32> {
    GraphBuilder::new().edges(pairs).build()
}

/// R-MAT as its definition reads: for every arc and every level a real number picks the quadrant.
fn rmat_by_the_book(scale: u32, arcs: u64) -> Csr {
    let random = &mut Random::new(1, 0);
    let arc = |_| {
        let (mut source, mut target) = (0, 0);
        for _ in 0..scale {
            let (down, right) = match random.unit() {
                chance if chance < 0.57 => (0, 0),
                chance if chance < 0.76 => (0, 1),
                chance if chance < 0.95 => (1, 0),
                _ => (1, 1),
            };
            (source, target) = (source << 1 | down, target << 1 | right);
        }
        (source, target)
    };
    from_arcs(&(0..arcs).map(arc).collect(), 1 << scale).expect("ids are in range")
}

/// The `… Time:` lines that GAP's programs print.
fn gap_times(command: &mut Command) -> BTreeMap<String, f64> {
    let output = command.env("OMP_NUM_THREADS", "1").output().expect("the converter runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let time = |line: &str| {
        let (name, seconds) = line.split_once(':')?;
        Some((name.to_string(), seconds.trim().parse().ok()?))
    };
    text.lines().filter_map(time).collect()
}
