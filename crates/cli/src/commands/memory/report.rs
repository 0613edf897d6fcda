//! What a replay found, as JSON and pages have it.

use crate::commands::LatencyReport;
use crate::commands::energy::told;
use crate::failure::Failure;
use crate::timing::memory_table;
use heddle_energy::{EnergyRow, Run, Table};
use heddle_gpu::EnergyChoice;
use heddle_machine::{MachineKind, MemorySpec};
use heddle_memory::fabric::FabricSpec;
use heddle_memory::replay::{Answered, Arrival, Summary};
use heddle_memory::request::Answerer;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The result of `heddle memory replay`.
#[derive(Debug, Serialize)]
pub(crate) struct MemoryReport {
    pub(crate) machine: String,
    pub(crate) kind: &'static str,
    pub(crate) mechanisms: Vec<String>,
    pub(crate) trace: String,
    pub(crate) requesters: u32,
    /// Whether the cycles of the trace were followed.
    pub(crate) by_cycles: bool,
    /// Most requests of a requester that were unanswered, where there was such a bound.
    pub(crate) outstanding: Option<u32>,
    /// All of them were answered; a replay that loses one ends with an error.
    pub(crate) requests: u64,
    /// Cycles of the requesters' clock, from the first request to the last answer.
    pub(crate) cycles: u64,
    /// The same until the last write has reached DRAM.
    pub(crate) drained_cycles: u64,
    pub(crate) seconds: f64,
    pub(crate) read_latency: LatencyReport,
    /// Reads by who answered.
    pub(crate) read_latency_by_level: ByAnswerer,
    pub(crate) write_latency: LatencyReport,
    pub(crate) atomic_latency: LatencyReport,
    pub(crate) levels: Vec<LevelReport>,
    /// By network, and to memory; its counts are among `stats`.
    #[serde(skip)]
    pub(crate) traffic: Vec<TrafficReport>,
    pub(crate) dram_bytes: u64,
    pub(crate) dram_bandwidth_bytes_per_second: f64,
    pub(crate) dram_peak_bytes_per_second: u64,
    /// Dynamic energy, where the machine names a table.
    pub(crate) energy: Option<DynamicEnergy>,
    /// What the reader must know.
    pub(crate) notes: Vec<String>,
    /// Every counter, by the names of `heddle stats`.
    pub(crate) stats: BTreeMap<String, u64>,
}

/// Latencies of reads by the name of who answered them, the nearest first.
#[derive(Debug)]
pub(crate) struct ByAnswerer(pub(crate) Vec<(String, LatencyReport)>);

impl ByAnswerer {
    fn new(memory: &FabricSpec, answered: &Answered) -> ByAnswerer {
        let of = |(answerer, name): (Answerer, &str)| {
            (name.to_owned(), (&answered.reads_by_answerer[answerer.index()]).into())
        };
        ByAnswerer(memory.answerers().into_iter().map(of).collect())
    }
}

impl Serialize for ByAnswerer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, latency)| (name, latency)))
    }
}

/// The part of on-chip traffic between some levels.
#[derive(Debug)]
pub(crate) struct TrafficReport {
    /// The levels, from the requesters down.
    pub(crate) ends: Vec<String>,
    pub(crate) data_flits: u64,
    pub(crate) address_flits: u64,
}

/// What a level of caches did, all its caches together.
#[derive(Debug, Serialize)]
pub(crate) struct LevelReport {
    pub(crate) name: String,
    pub(crate) accesses: u64,
    pub(crate) reads: u64,
    pub(crate) writes: u64,
    pub(crate) atomics: u64,
    pub(crate) read_hits: u64,
    pub(crate) read_misses: u64,
    pub(crate) merges: u64,
}

/// The dynamic energy of a memory system.
#[derive(Debug, Serialize)]
pub(crate) struct DynamicEnergy {
    pub(crate) table: String,
    pub(crate) joules: f64,
    pub(crate) rows: Vec<EnergyRow>,
}

/// A table that covers what the memory system counts, and how it is used.
pub(super) struct Pricer {
    table: Table,
    choice: EnergyChoice,
    clocks: Vec<(String, u64)>,
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// How a user names another table.
const TABLE: &str = "--set energy.table";

impl MemoryReport {
    /// The table of the machine, if it names one; what it does not cover is told before anything runs.
    pub(super) fn pricer(spec: &MemorySpec) -> Result<Option<Pricer>, Failure> {
        let Some(choice) = &spec.energy else { return Ok(None) };
        let Some(table) = memory_table(spec)? else { return Ok(None) };
        let clocks = spec.clocks.all().chain([("dram", spec.memory.dram.clock)]);
        let clocks = clocks.map(|(name, clock)| (name.to_owned(), clock.hertz())).collect();
        Ok(Some(Pricer { table, choice: choice.clone(), clocks }))
    }

    /// From what a replay counted.
    pub(super) fn new(
        spec: &MemorySpec,
        kind: MachineKind,
        trace: &str,
        arrival: Arrival,
        summary: &Summary,
    ) -> MemoryReport {
        let seconds = summary.cycles as f64 / spec.clocks.core.hertz() as f64;
        let drained = summary.drained_cycles as f64 / spec.clocks.core.hertz() as f64;
        let count = |name: &str| summary.statistics.get(name).unwrap_or(0);
        let dram_bytes = count("dram.bytes_read") + count("dram.bytes_written");
        let answered = &summary.answered;
        MemoryReport {
            machine: spec.name.clone(),
            kind: kind.name(),
            mechanisms: Vec::new(),
            trace: trace.to_string(),
            requesters: spec.requesters.count,
            by_cycles: arrival == Arrival::ByCycle,
            outstanding: match arrival {
                Arrival::InOrder(outstanding) => outstanding,
                Arrival::ByCycle => None,
            },
            requests: summary.requests,
            cycles: summary.cycles,
            drained_cycles: summary.drained_cycles,
            seconds,
            read_latency: (&answered.reads).into(),
            read_latency_by_level: ByAnswerer::new(&spec.memory, answered),
            write_latency: (&answered.writes).into(),
            atomic_latency: (&answered.atomics).into(),
            levels: spec.memory.caches.iter().map(|level| LevelReport::new(&level.name, count)).collect(),
            traffic: spec.memory.traffic().into_iter().map(|ends| TrafficReport::new(&ends, count)).collect(),
            dram_bytes,
            dram_bandwidth_bytes_per_second: ratio(dram_bytes as f64, drained),
            dram_peak_bytes_per_second: spec.memory.dram.peak_bandwidth().bytes_per_second(),
            energy: None,
            notes: Vec::new(),
            stats: summary.statistics.iter().map(|(name, value)| (name.to_string(), value)).collect(),
        }
    }

    /// Prices the counts. The static energy of tables is that of whole machines, and is left out.
    pub(super) fn price(&mut self, pricer: &Pricer, summary: &Summary) -> Result<(), Failure> {
        let priced = || {
            let mut run = Run::new(self.seconds)?;
            for (clock, hertz) in &pricer.clocks {
                run = run.with_clock(clock, *hertz as f64)?;
            }
            heddle_energy::price(&pricer.table, &pricer.choice.as_priced(&summary.statistics), &run)
        };
        let energy = priced().map_err(|error| told(&error, TABLE))?;
        let (table, joules, rows) = (energy.table, energy.dynamic_joules, energy.rows);
        self.energy = Some(DynamicEnergy { table, joules, rows });
        Ok(())
    }

    /// A counter by its name.
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.stats.get(name).copied().unwrap_or(0)
    }
}

impl TrafficReport {
    fn new(ends: &[&str], count: impl Fn(&str) -> u64) -> TrafficReport {
        let flits = |kind: &str| count(&format!("traffic.{}_{kind}_flits", ends.join("_")));
        let (data_flits, address_flits) = (flits("data"), flits("address"));
        TrafficReport { ends: ends.iter().map(|&end| end.to_owned()).collect(), data_flits, address_flits }
    }
}

impl LevelReport {
    fn new(name: &str, count: impl Fn(&str) -> u64) -> LevelReport {
        let of = |counter: &str| count(&format!("{name}.{counter}"));
        LevelReport {
            name: name.to_string(),
            accesses: of("accesses"),
            reads: of("reads"),
            writes: of("writes"),
            atomics: of("atomics"),
            read_hits: of("read_hits"),
            read_misses: of("read_misses"),
            merges: of("merges"),
        }
    }
}
