//! The page of `heddle memory replay`.

use super::dram::latencies;
use super::page::Page;
use super::text::{bytes, plural, thousands};
use crate::commands::{LevelReport, MemoryReport, TrafficReport};
use heddle_memory::fabric::in_prose;

/// What a replay found.
pub(crate) fn replay(report: &MemoryReport) -> String {
    let mut page = Page::new();
    page.section("Replay");
    page.row("machine", format!("{} (kind {})", report.machine, report.kind));
    if !report.mechanisms.is_empty() {
        page.row("mechanisms", report.mechanisms.join(", "));
    }
    page.row("trace", &report.trace);
    page.row(
        "arrival",
        match (report.by_cycles, report.outstanding) {
            (true, _) => "by the cycles of the trace".to_string(),
            (false, None) => "in order, as fast as caches take requests".to_string(),
            (false, Some(most)) => {
                format!("in order, at most {} unanswered for each requester", thousands(most.into()))
            }
        },
    );
    let requesters = plural(report.requesters.into(), "requester");
    page.row("requests", format!("{} of {requesters}, all answered", thousands(report.requests)));
    let drained = thousands(report.drained_cycles);
    page.row(
        "cycles",
        format!(
            "{} core cycles, {:.3} us; {drained} until DRAM is written",
            thousands(report.cycles),
            report.seconds * 1e6
        ),
    );
    latency(&mut page, report);
    page.section("Caches");
    let rows: Vec<_> = report.levels.iter().filter(|level| is_used(level)).map(level).collect();
    let head = ["level", "accesses", "reads", "hits", "merged", "misses", "writes", "atomics"];
    page.table(&head, &[0], &rows);
    memory(&mut page, report);
    if let Some(energy) = &report.energy {
        page.section(&format!("Dynamic energy (table {})", energy.table));
        for row in energy.rows.iter().filter(|row| row.joules > 0.0) {
            page.row(&row.name.replace(" and ", "/"), format!("{:.3} uJ", row.joules * 1e6));
        }
        page.row("total", format!("{:.3} uJ", energy.joules * 1e6));
    }
    if !report.notes.is_empty() {
        page.section("Notes");
        report.notes.iter().for_each(|note| page.line(&format!("  {note}")));
    }
    page.finish()
}

fn latency(page: &mut Page, report: &MemoryReport) {
    page.section("Latency in core cycles");
    let mut rows = vec![latencies("reads", &report.read_latency)];
    for (name, latency) in &report.read_latency_by_level.0 {
        rows.push(latencies(&format!("reads, {}", in_prose(name)), latency));
    }
    rows.push(latencies("writes", &report.write_latency));
    rows.push(latencies("atomics", &report.atomic_latency));
    page.table(&["", "requests", "mean", "p50", "p95", "p99", "max"], &[0], &rows);
}

/// A cache that no request of a trace can come to is not worth a row.
fn is_used(level: &LevelReport) -> bool {
    level.accesses + level.reads + level.writes + level.atomics > 0
}

fn level(level: &LevelReport) -> Vec<String> {
    let LevelReport { name, accesses, reads, writes, atomics, read_hits, read_misses, merges } = level;
    let counts = [accesses, reads, read_hits, merges, read_misses, writes, atomics];
    std::iter::once(name.clone()).chain(counts.map(|count| thousands(*count))).collect()
}

fn memory(page: &mut Page, report: &MemoryReport) {
    page.section("Traffic and DRAM");
    for TrafficReport { ends, data_flits, address_flits } in &report.traffic {
        let ends: Vec<String> = ends.iter().map(|end| in_prose(end)).collect();
        let (all, data) = (thousands(data_flits + address_flits), thousands(*data_flits));
        page.row(&ends.join("-"), format!("{all} flits, {data} of them data"));
    }
    let (read, written) = (report.count("dram.bytes_read"), report.count("dram.bytes_written"));
    page.row("DRAM", format!("{} read, {} written", bytes(read), bytes(written)));
    let commands = [("reads", "RD"), ("writes", "WR"), ("activates", "ACT"), ("refreshes", "REF")];
    let commands = commands.map(|(name, word)| {
        let count = thousands(report.count(&format!("dram.{name}")));
        format!("{count} {word}")
    });
    page.row("commands", commands.join(", "));
    let (used, peak) =
        (report.dram_bandwidth_bytes_per_second / 1e9, report.dram_peak_bytes_per_second as f64 / 1e9);
    page.row("bandwidth", format!("{used:.3} GB/s of the peak of {peak:.3} GB/s"));
}
