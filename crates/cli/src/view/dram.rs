//! The pages of `heddle dram`.

use super::page::Page;
use super::text::{bytes, plural, thousands};
use crate::commands::{LatencyReport, PartEntry, ReplayReport};

/// The built-in parts.
pub(crate) fn list(parts: &[PartEntry]) -> String {
    let mut page = Page::new();
    page.section("DRAM parts (`heddle dram show NAME` prints one, with the source of every figure)");
    let row = |part: &PartEntry| {
        vec![
            part.name.to_string(),
            part.channels.to_string(),
            part.clock.clone(),
            part.peak.clone(),
            part.summary.to_string(),
        ]
    };
    let rows: Vec<_> = parts.iter().map(row).collect();
    page.table(&["name", "channels", "clock", "peak", "what it is"], &[0, 4], &rows);
    page.finish()
}

/// What a replay found.
pub(crate) fn replay(report: &ReplayReport) -> String {
    let mut page = Page::new();
    page.section("Replay");
    page.row("part", &report.part);
    page.row("trace", &report.trace);
    page.row(
        "arrival",
        match report.outstanding {
            Some(outstanding) => format!("closed loop, {} outstanding", thousands(outstanding.into())),
            None => "open loop, by the cycles of the trace".to_string(),
        },
    );
    page.row("requests", thousands(report.requests));
    page.row(
        "cycles",
        format!("{} command clocks, {:.3} us", thousands(report.cycles), report.seconds * 1e6),
    );
    page.section("Latency in command clocks");
    let rows = [("reads", &report.read_latency), ("writes", &report.write_latency)];
    let rows: Vec<_> = rows.iter().map(|(name, latency)| latencies(name, latency)).collect();
    page.table(&["", "requests", "mean", "p50", "p95", "p99", "max"], &[0], &rows);
    page.section("Bandwidth");
    page.row("moved", bytes(report.bytes));
    let used = report.bandwidth_bytes_per_second / 1e9;
    let peak = report.peak_bytes_per_second as f64 / 1e9;
    let percent = 100.0 * report.bandwidth_fraction;
    page.row("used", format!("{used:.3} GB/s, {percent:.1} % of the peak of {peak:.3} GB/s"));
    page.section("Rows");
    page.row(
        "hits",
        format!("{}, {:.1} %", thousands(report.count("row_hits")), 100.0 * report.row_hit_fraction),
    );
    page.row("closed", thousands(report.count("row_misses")));
    page.row("conflicts", thousands(report.count("row_conflicts")));
    page.section("Commands");
    for (label, name) in
        [("ACT", "activates"), ("RD", "reads"), ("WR", "writes"), ("PRE", "precharges"), ("REF", "refreshes")]
    {
        page.row(label, thousands(report.count(name)));
    }
    let forwarded = report.count("forwarded_reads");
    if forwarded > 0 {
        page.line(&format!("  {} answered from a waiting write", plural(forwarded, "read")));
    }
    if let Some(energy) = &report.energy {
        page.section(&format!("Energy (table {})", energy.table));
        for row in &energy.rows {
            let name = row.name.trim_start_matches("DRAM ").replace(" and ", "/");
            page.row(&name, format!("{:.3} uJ", row.joules * 1e6));
        }
        let total = energy.total_joules;
        page.row("total", format!("{:.3} uJ, {:.3} W", total * 1e6, energy.average_watts));
    }
    if !report.notes.is_empty() {
        page.section("Notes");
        report.notes.iter().for_each(|note| page.line(&format!("  {note}")));
    }
    page.finish()
}

pub(super) fn latencies(name: &str, latency: &LatencyReport) -> Vec<String> {
    let LatencyReport { count, mean, p50, p95, p99, max } = latency;
    let mut row = vec![name.to_string(), thousands(*count), format!("{mean:.1}")];
    row.extend([p50, p95, p99, max].map(|value| thousands(*value)));
    row
}
