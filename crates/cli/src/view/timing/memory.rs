//! What the memory system did.

use crate::result::Time;
use crate::view::page::Page;
use crate::view::text;

/// Adds the section.
pub(super) fn section(page: &mut Page, time: &Time) {
    page.section("Memory");
    cache(page, time, "l1", "L1");
    for level in further_levels(time) {
        further_level(page, time, level);
    }
    cache(page, time, "l2", "L2");
    traffic(page, time);
    waiting(page, time);
    dram(page, time);
}

/// Levels of caches that presets do not have, by name.
fn further_levels(time: &Time) -> Vec<&str> {
    let known = ["l1", "l2", "constant", "texture", "instruction"];
    let names = time.stats.keys().filter_map(|name| name.strip_suffix(".insertions"));
    names.filter(|name| !known.contains(name)).collect()
}

/// A level that reports have no ratios for: its counts.
fn further_level(page: &mut Page, time: &Time, name: &str) {
    let counted = |counter: &str| text::thousands(count(time, &format!("{name}.{counter}")));
    let split =
        format!("{} reads, {} writes, {} atomics", counted("reads"), counted("writes"), counted("atomics"));
    page.row(&format!("{name} accesses"), format!("{} ({split})", counted("accesses")));
    let reads = format!(
        "{} hit, {} merged into an outstanding miss, {} missed",
        counted("read_hits"),
        counted("merges"),
        counted("read_misses")
    );
    page.row(&format!("{name} reads"), reads);
}

fn count(time: &Time, name: &str) -> u64 {
    time.stats.get(name).copied().unwrap_or_default()
}

fn percent(value: Option<f64>) -> String {
    text::or_dash(value.map(|value| format!("{value:.1} %")))
}

fn decimals(value: Option<f64>) -> String {
    text::or_dash(value.map(|value| format!("{value:.2}")))
}

fn cache(page: &mut Page, time: &Time, group: &str, name: &str) {
    let counted = |counter: &str| text::thousands(count(time, &format!("{group}.{counter}")));
    let ratio = |ratio: &str| time.ratio(&format!("{group}.{ratio}"));
    let number = |counter: &str| count(time, &format!("{group}.{counter}"));
    let [reads, writes, atomics, accesses] = ["reads", "writes", "atomics", "accesses"].map(number);
    // Atomics that pass are counted as atomics and not as accesses.
    let passed_atomics = (reads + writes + atomics).saturating_sub(accesses).min(atomics);
    let here = text::thousands(atomics - passed_atomics);
    let split = format!("{} reads, {} writes, {here} atomics", counted("reads"), counted("writes"));
    page.row(&format!("{name} accesses"), format!("{} ({split})", counted("accesses")));
    let passed: Vec<String> =
        [(number("passed_reads"), "reads (ld.cg, ld.cv, volatile, ordered)"), (passed_atomics, "atomics")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", text::thousands(count)))
            .collect();
    if !passed.is_empty() {
        page.row(&format!("{name} passed by"), passed.join(", "));
    }
    let (hits, merges) = (percent(ratio("hit_rate")), percent(ratio("merge_rate")));
    page.row(&format!("{name} reads"), format!("{hits} hit, {merges} merged into an outstanding miss"));
    let misses = decimals(ratio("mpki"));
    let own = time.ratio(&format!("{group}.own_mpki")).map_or(String::new(), |own| {
        format!("; {own:.2} of L1 itself, the others pass it or come of the instruction, constant and texture caches")
    });
    page.row(
        &format!("{name} misses"),
        format!("{misses} of reads per thousand warp instructions (MPKI){own}"),
    );
    if let Some(sectors) = ratio("sectors_per_line") {
        page.row(
            &format!("{name} lines"),
            format!("{sectors:.2} sectors of a line used before its eviction, on average"),
        );
    }
}

/// The four parts of on-chip traffic, in flits.
const TRAFFIC: [(&str, &str); 4] = [
    ("L1-L2 data", "traffic.l1_l2_data_flits"),
    ("L1-L2 address", "traffic.l1_l2_address_flits"),
    ("L2-DRAM data", "traffic.l2_dram_data_flits"),
    ("L2-DRAM address", "traffic.l2_dram_address_flits"),
];

fn traffic(page: &mut Page, time: &Time) {
    let total = time.ratio("traffic.flits").unwrap_or_default() as u64;
    if total == 0 {
        return;
    }
    let part =
        |(name, counter): &(&str, &str)| format!("{name} {}", text::share(count(time, counter), total));
    let parts: Vec<String> = TRAFFIC.iter().map(part).collect();
    page.row("on-chip traffic", format!("{} flits: {}", text::thousands(total), parts.join(", ")));
}

fn waiting(page: &mut Page, time: &Time) {
    let (l2, dram) = (decimals(time.ratio("latency.l2_read")), decimals(time.ratio("latency.dram_read")));
    page.row("a miss in L1 takes", format!("{l2} core cycles if L2 has the data, {dram} if DRAM does"));
    let ratio = |name: &str| decimals(time.ratio(&format!("interconnect.{name}")));
    let (request, reply) = (ratio("request_wait"), ratio("reply_wait"));
    page.row("packets wait", format!("{request} cycles on the way to L2, {reply} on the way back"));
}

fn dram(page: &mut Page, time: &Time) {
    let (read, written) = (count(time, "dram.bytes_read"), count(time, "dram.bytes_written"));
    page.row("DRAM", format!("{} read, {} written", text::bytes(read), text::bytes(written)));
    let used = percent(time.ratio("dram.bandwidth_used"));
    let rate = time.ratio("dram.bandwidth").map(|rate| format!("{:.2} GB/s", rate / 1e9));
    let peak = time.machine_figures.dram_bytes_per_second as f64 / 1e9;
    page.row("DRAM bandwidth", format!("{}, {used} of the peak of {peak:.1} GB/s", text::or_dash(rate)));
    page.row(
        "DRAM rows",
        format!("{} of requests found their row open", percent(time.ratio("dram.row_hit_rate"))),
    );
    let (wait, latency) =
        (decimals(time.ratio("dram.queue_wait")), decimals(time.ratio("dram.read_latency")));
    page.row("DRAM queueing", format!("{wait} DRAM clocks on average; a read takes {latency} in all"));
}
