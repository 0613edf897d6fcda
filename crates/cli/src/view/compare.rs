//! The page of `heddle compare`.

use super::page::Page;
use super::{run, text};
use crate::commands::{Column, Comparison, Reached};
use crate::slots::GROUPS;
use heddle_memory::fabric::in_prose;

/// Characters of the longest bar.
const BAR: usize = 40;

/// A row: its label, and its cell in a column.
type Row<'a> = (String, Box<dyn Fn(&Column) -> String + 'a>);

/// Makes the page.
pub(crate) fn page(comparison: &Comparison) -> String {
    let mut page = Page::new();
    page.section("Comparison");
    page.row("workload", &comparison.workload);
    page.row(
        "machine",
        run::machine(&comparison.machine, comparison.machine_file.as_deref(), &[], &comparison.set),
    );
    if let Some(graph) = &comparison.graph {
        page.row("graph", graph);
    }
    page.row("columns", "mechanisms; the first is the baseline");
    page.line("");
    table(&mut page, comparison);
    bars(&mut page, &comparison.columns);
    limits(&mut page, &comparison.limits);
    page.finish()
}

/// What columns reach of what is possible.
fn limits(page: &mut Page, reached: &[Reached]) {
    if reached.is_empty() {
        return;
    }
    page.section("Of what is possible (gains over the baseline)");
    let percent = |value: f64| format!("{:+.1} %", 100.0 * value);
    let row = |reached: &Reached| {
        let fraction = reached.fraction.map(|fraction| format!("{:.0} %", 100.0 * fraction));
        vec![
            reached.column.clone(),
            percent(reached.gain),
            reached.limit.clone(),
            percent(reached.possible),
            text::or_dash(fraction),
        ]
    };
    let rows: Vec<Vec<String>> = reached.iter().map(row).collect();
    page.table(&["column", "gain", "limit", "possible", "reached"], &[0, 2], &rows);
}

fn ratio<'a>(name: impl Into<String>, decimals: usize) -> Box<dyn Fn(&Column) -> String + 'a> {
    let name = name.into();
    Box::new(move |column| {
        let value = column.ratios.get(&name).copied().flatten();
        text::or_dash(value.map(|value| format!("{value:.decimals$}")))
    })
}

fn energy<'a>(of: fn(&Column) -> Option<f64>) -> Box<dyn Fn(&Column) -> String + 'a> {
    Box::new(move |column| text::or_dash(of(column).map(text::joules)))
}

fn verdict(column: &Column) -> String {
    if column.partial { "partial".to_owned() } else { text::yes_no(column.verified).to_owned() }
}

fn rows<'a>(columns: &[Column]) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = vec![
        ("verified".into(), Box::new(verdict)),
        ("cycles".into(), Box::new(|column| text::thousands(column.cycles))),
        (
            "speedup".into(),
            Box::new(|column| text::or_dash(column.speedup.map(|speedup| format!("{speedup:.3}")))),
        ),
        ("IPC".into(), ratio("core.ipc", 3)),
    ];
    for group in GROUPS {
        let cell = move |column: &Column| {
            let share = column.slots.get(group).copied().flatten();
            text::or_dash(share.map(|share| format!("{share:.1} %")))
        };
        rows.push((format!("slots: {}", group.to_lowercase()), Box::new(cell)));
    }
    let bytes = |column: &Column| {
        let bytes = column.ratios.get("dram.bytes").copied().flatten();
        text::or_dash(bytes.map(|bytes| text::bytes(bytes as u64)))
    };
    let flits = |column: &Column| {
        let flits = column.ratios.get("traffic.flits").copied().flatten();
        text::or_dash(flits.map(|flits| text::thousands(flits as u64)))
    };
    // Mechanisms may change levels, and hardly ever which there are.
    let mut levels: Vec<&str> = Vec::new();
    for level in columns.iter().flat_map(|column| column.levels.of_data()) {
        if !levels.contains(&level) {
            levels.push(level);
        }
    }
    rows.extend(
        levels
            .into_iter()
            .map(|level| (format!("{} MPKI", in_prose(level)), ratio(format!("{level}.mpki"), 2))),
    );
    rows.extend([
        ("DRAM moved".into(), Box::new(bytes) as Box<dyn Fn(&Column) -> String + 'a>),
        ("DRAM row hits, %".into(), ratio("dram.row_hit_rate", 1)),
        ("on-chip flits".into(), Box::new(flits)),
        ("dynamic energy".into(), energy(|column| column.dynamic_joules)),
        ("static energy".into(), energy(|column| column.static_joules)),
        ("energy".into(), energy(|column| column.joules)),
    ]);
    rows
}

fn table(page: &mut Page, comparison: &Comparison) {
    let names = comparison.columns.iter().map(|column| column.name.as_str());
    let head: Vec<&str> = std::iter::once("").chain(names).collect();
    let row = |(label, cell): Row<'_>| {
        std::iter::once(label).chain(comparison.columns.iter().map(cell)).collect::<Vec<String>>()
    };
    let rows: Vec<Vec<String>> = rows(&comparison.columns).into_iter().map(row).collect();
    page.table(&head, &[0], &rows);
}

/// Bars of speedups, the longest as long as may be.
fn bars(page: &mut Page, columns: &[Column]) {
    page.section("Speedup over the baseline");
    let largest = columns.iter().filter_map(|column| column.speedup).fold(0.0, f64::max);
    let width = columns.iter().map(|column| column.name.chars().count()).max().unwrap_or(0);
    for column in columns {
        let bar = text::bar(column.speedup.unwrap_or_default(), largest, BAR);
        let speedup = text::or_dash(column.speedup.map(|speedup| format!("{speedup:.3}")));
        page.line(&format!("  {:<width$}  {bar}  {speedup}", column.name));
    }
}
