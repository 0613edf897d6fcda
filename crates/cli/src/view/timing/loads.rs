//! Loads and atomics that kept warps waiting.

use crate::result::LoadRow;
use crate::view::page::Page;
use crate::view::text;

/// Rows, unless all are wanted.
const ROWS: usize = 8;

/// Adds the section.
pub(super) fn section(page: &mut Page, loads: &[LoadRow], all: bool) {
    if loads.is_empty() {
        return;
    }
    page.section("Loads that warps waited for longest");
    let total: u64 = loads.iter().map(|load| load.wait_cycles).sum();
    let row = |load: &LoadRow| {
        let average = |value: u64| format!("{:.1}", value as f64 / load.count.max(1) as f64);
        let answered = load.answered.l1 + load.answered.l2 + load.answered.dram;
        vec![
            text::share(load.wait_cycles, total),
            text::thousands(load.count),
            average(load.wait_cycles),
            average(load.transactions),
            text::share(load.answered.l1, answered),
            text::share(load.answered.l2, answered),
            text::share(load.answered.dram, answered),
            load.kernel.clone(),
            load.place.clone(),
        ]
    };
    let shown = if all { loads.len() } else { loads.len().min(ROWS) };
    let rows: Vec<Vec<String>> = loads[..shown].iter().map(row).collect();
    let head =
        ["of all waiting", "executed", "cycles each", "lines each", "L1", "L2", "DRAM", "kernel", "where"];
    page.table(&head, &[7, 8], &rows);
    if shown < loads.len() {
        page.line(&format!("  … {} more (--all)", loads.len() - shown));
    }
}
