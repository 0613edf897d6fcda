//! What a replay found, as JSON and pages have it.

use crate::commands::energy::told;
use crate::failure::Failure;
use heddle_energy::{Energy, Run, Table};
use heddle_engine::Statistics;
use heddle_memory::dram::{DramSpec, DramSummary, Latencies};
use serde::Serialize;
use std::collections::BTreeMap;

/// The result of `heddle dram replay`.
#[derive(Debug, Serialize)]
pub(crate) struct ReplayReport {
    pub(crate) part: String,
    pub(crate) trace: String,
    /// Requests kept outstanding; none where the cycles of the trace were followed.
    pub(crate) outstanding: Option<u32>,
    pub(crate) requests: u64,
    /// Command clocks from the first request to the end of the last.
    pub(crate) cycles: u64,
    pub(crate) seconds: f64,
    /// Of reads, until their data is there; of writes, until they are written.
    pub(crate) read_latency: LatencyReport,
    pub(crate) write_latency: LatencyReport,
    pub(crate) bytes: u64,
    pub(crate) bandwidth_bytes_per_second: f64,
    pub(crate) peak_bytes_per_second: u64,
    pub(crate) bandwidth_fraction: f64,
    pub(crate) row_hit_fraction: f64,
    /// Counts × table, where there is a table.
    pub(crate) energy: Option<Energy>,
    /// What the reader must know.
    pub(crate) notes: Vec<String>,
    /// Every counter, of all channels together.
    pub(crate) stats: BTreeMap<String, u64>,
}

/// Latencies in command clocks.
#[derive(Debug, Serialize)]
pub(crate) struct LatencyReport {
    pub(crate) count: u64,
    pub(crate) mean: f64,
    pub(crate) p50: u64,
    pub(crate) p95: u64,
    pub(crate) p99: u64,
    pub(crate) max: u64,
}

impl From<&Latencies> for LatencyReport {
    fn from(latencies: &Latencies) -> LatencyReport {
        LatencyReport {
            count: latencies.count(),
            mean: latencies.mean(),
            p50: latencies.percentile(50),
            p95: latencies.percentile(95),
            p99: latencies.percentile(99),
            max: latencies.max(),
        }
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

impl ReplayReport {
    /// From what a replay counted.
    pub(super) fn new(
        part: &str,
        trace: &str,
        outstanding: Option<u32>,
        spec: &DramSpec,
        summary: &DramSummary,
    ) -> ReplayReport {
        let counters = &summary.counters;
        let seconds = summary.cycles as f64 / spec.clock.hertz() as f64;
        let bytes = counters.bytes_read + counters.bytes_written;
        let bandwidth = ratio(bytes as f64, seconds);
        let peak = spec.peak_bandwidth().bytes_per_second();
        let rows = counters.row_hits + counters.row_misses + counters.row_conflicts;
        let mut statistics = Statistics::default();
        statistics.add_group("dram", counters);
        ReplayReport {
            part: part.to_string(),
            trace: trace.to_string(),
            outstanding,
            requests: summary.reads.count() + summary.writes.count(),
            cycles: summary.cycles,
            seconds,
            read_latency: (&summary.reads).into(),
            write_latency: (&summary.writes).into(),
            bytes,
            bandwidth_bytes_per_second: bandwidth,
            peak_bytes_per_second: peak,
            bandwidth_fraction: ratio(bandwidth, peak as f64),
            row_hit_fraction: ratio(counters.row_hits as f64, rows as f64),
            energy: None,
            notes: Vec::new(),
            stats: statistics.iter().map(|(name, value)| (name.to_string(), value)).collect(),
        }
    }

    /// The table that counts are priced with.
    pub(super) fn table(name: &str) -> Result<Table, Failure> {
        heddle_energy::load::find(name).map_err(|error| told(&error, "--energy"))
    }

    /// Prices the counts with a table.
    pub(super) fn price(&mut self, table: &Table, spec: &DramSpec) -> Result<(), Failure> {
        let priced = || {
            let run = Run::new(self.seconds)?.with_clock("dram", spec.clock.hertz() as f64)?;
            let counts = self.stats.iter().map(|(name, value)| (name.clone(), *value));
            heddle_energy::price(table, &counts.collect::<Statistics>(), &run)
        };
        self.energy = Some(priced().map_err(|error| told(&error, "--energy"))?);
        Ok(())
    }

    /// A counter by its name in the group.
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.stats.get(&format!("dram.{name}")).copied().unwrap_or(0)
    }
}
