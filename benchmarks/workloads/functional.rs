//! Functional execution on one core: lane-instructions per second of whole workloads, launches only.
//!
//! `HEDDLE_BENCH_SCALE` (default 20) sets the graph `rmat:scale=…,degree=8`, `HEDDLE_BENCH_RUNS` (default 3) how
//! often each workload runs: the fastest counts, and workloads take turns so that a busy machine is unfair to
//! all of them. Other workloads than the first are there for comparison; name them as arguments.

use heddle_device::{Device, LaunchError, LaunchReport, Machine};
use heddle_graph::read::ReadOptions;
use heddle_graph::source::load;
use heddle_ptx::exec::{Functional, LaunchRequest};
use heddle_workloads::library::{RunOptions, registry, run};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
#[allow(clippy::disallowed_types, reason = "a benchmark measures time; no result depends on it")]
use std::time::Instant;

#[derive(Debug, Default)]
struct Timed {
    machine: Functional,
    nanoseconds: Arc<AtomicU64>,
}

impl Machine for Timed {
    fn launch(&mut self, request: LaunchRequest<'_>) -> Result<LaunchReport, LaunchError> {
        #[allow(clippy::disallowed_types, reason = "a benchmark measures time; no result depends on it")]
        let started = Instant::now();
        let report = self.machine.launch(request);
        self.nanoseconds.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
        report
    }
}

fn number(name: &str, default: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test` runs this once at its smallest, so that it keeps working.
    let is_benchmark = arguments.iter().any(|argument| argument == "--bench");
    let scale = if is_benchmark { number("HEDDLE_BENCH_SCALE", 20) } else { 8 };
    let runs = if is_benchmark { number("HEDDLE_BENCH_RUNS", 3) } else { 1 };
    let named = arguments.iter().filter(|argument| !argument.starts_with('-')).map(String::as_str);
    let mut workloads: Vec<&str> = named.collect();
    if workloads.is_empty() {
        workloads = vec!["h-bfs", "bfs-dd", "h-sssp", "pagerank"];
    }
    let recipe = format!("rmat:scale={scale},degree=8");
    let graph = load(&recipe, &ReadOptions::default()).expect("the recipe is right").graph;
    let mut rows: Vec<(&str, f64, LaunchTotals)> = Vec::new();
    for _ in 0..runs {
        for &name in &workloads {
            let workload = registry::find(name).expect("a workload of this name");
            let machine = Timed::default();
            let nanoseconds = Arc::clone(&machine.nanoseconds);
            let mut device = Device::new(Box::new(machine));
            let outcome = run(workload, graph.clone(), &mut device, &RunOptions::default(), &|_, _| ());
            let outcome = outcome.expect("a right answer");
            let seconds = nanoseconds.load(Ordering::Relaxed) as f64 / 1e9;
            let totals = LaunchTotals {
                launches: outcome.launches.len(),
                warps: outcome.total(|report| report.warp_instructions),
                lanes: outcome.total(|report| report.lane_instructions),
            };
            match rows.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, best, _)) => *best = best.min(seconds),
                None => rows.push((name, seconds, totals)),
            }
        }
    }
    println!("{recipe}, one core, fastest of {runs}");
    println!(
        "{:12} {:>8} {:>9} {:>14} {:>14} {:>12}",
        "workload", "launches", "seconds", "warp instr.", "lane instr.", "M lanes/s"
    );
    for (name, seconds, totals) in rows {
        let rate = totals.lanes as f64 / seconds / 1e6;
        println!(
            "{name:12} {:8} {seconds:9.4} {:14} {:14} {rate:12.1}",
            totals.launches, totals.warps, totals.lanes
        );
    }
}

struct LaunchTotals {
    launches: usize,
    warps: u64,
    lanes: u64,
}
