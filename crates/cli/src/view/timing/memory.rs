//! What the memory system did.

use crate::result::Time;
use crate::view::page::Page;
use crate::view::text;
use heddle_memory::fabric::{MEMORY, in_prose};

/// Adds the section.
pub(super) fn section(page: &mut Page, time: &Time) {
    page.section("Memory");
    for level in time.machine_figures.levels.of_data() {
        cache(page, time, level, &in_prose(level));
    }
    traffic(page, time);
    waiting(page, time);
    dram(page, time);
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
    let others = time.machine_figures.levels.others_in_words();
    let others = others.map_or(String::new(), |names| format!(" or come of the {names} caches"));
    let own = time
        .ratio(&format!("{group}.own_mpki"))
        .map_or(String::new(), |own| format!("; {own:.2} of {name} itself, the others pass it{others}"));
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

fn traffic(page: &mut Page, time: &Time) {
    let total = time.ratio("traffic.flits").unwrap_or_default() as u64;
    if total == 0 {
        return;
    }
    let mut parts = Vec::new();
    for ends in &time.machine_figures.levels.traffic {
        let (name, prose) =
            (ends.join("_"), ends.iter().map(|end| in_prose(end)).collect::<Vec<_>>().join("-"));
        for kind in ["data", "address"] {
            let flits = count(time, &format!("traffic.{name}_{kind}_flits"));
            parts.push(format!("{prose} {kind} {}", text::share(flits, total)));
        }
    }
    page.row("on-chip traffic", format!("{} flits: {}", text::thousands(total), parts.join(", ")));
}

fn waiting(page: &mut Page, time: &Time) {
    let levels = &time.machine_figures.levels;
    let answerers = levels.shared_caches.iter().map(String::as_str).chain([MEMORY]);
    let waits = answerers.enumerate().map(|(place, level)| {
        let cycles = decimals(time.ratio(&format!("latency.{level}_read")));
        match place {
            0 => format!("{cycles} core cycles if {} has the data", in_prose(level)),
            _ => format!("{cycles} if {} does", in_prose(level)),
        }
    });
    let waits: Vec<String> = waits.collect();
    page.row(&format!("a miss in {} takes", in_prose(&levels.data_cache)), waits.join(", "));
    for (network, ends) in levels.networks.iter().zip(&levels.traffic) {
        let ratio = |name: &str| decimals(time.ratio(&format!("{network}.{name}")));
        let (request, reply) = (ratio("request_wait"), ratio("reply_wait"));
        let label = match levels.networks.len() {
            1 => "packets wait".to_owned(),
            _ => format!("packets on {network} wait"),
        };
        let to = ends.last().map_or(String::new(), |end| format!(" to {}", in_prose(end)));
        page.row(&label, format!("{request} cycles on the way{to}, {reply} on the way back"));
    }
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
