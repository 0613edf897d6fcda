//! Loads and atomics that kept warps waiting.

use crate::result::LoadRow;
use crate::view::page::Page;
use crate::view::text;
use heddle_memory::fabric::in_prose;

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
        let answered: u64 = load.answered.0.iter().map(|(_, count)| count).sum();
        let mut cells = vec![
            text::share(load.wait_cycles, total),
            text::thousands(load.count),
            average(load.wait_cycles),
            average(load.transactions),
        ];
        cells.extend(load.answered.0.iter().map(|(_, count)| text::share(*count, answered)));
        cells.extend([load.kernel.clone(), load.place.clone()]);
        cells
    };
    let shown = if all { loads.len() } else { loads.len().min(ROWS) };
    let rows: Vec<Vec<String>> = loads[..shown].iter().map(row).collect();
    let answerers = loads[0].answered.0.iter().map(|(name, _)| in_prose(name));
    let head = ["of all waiting", "executed", "cycles each", "lines each"].map(str::to_owned).into_iter();
    let head: Vec<String> = head.chain(answerers).chain(["kernel", "where"].map(str::to_owned)).collect();
    let texts = [head.len() - 2, head.len() - 1];
    page.table(&head.iter().map(String::as_str).collect::<Vec<_>>(), &texts, &rows);
    if shown < loads.len() {
        page.line(&format!("  … {} more (--all)", loads.len() - shown));
    }
}
