//! The page of `heddle run`.

use super::page::Page;
use super::{text, timing};
use crate::result::{IterationRow, LaunchRow, RunResult, Time};
use serde_json::Value;

/// Rows shown at each end of a long table, unless all are wanted.
const ENDS: usize = 8;

/// Makes the page; `all` shows every iteration and launch.
pub(crate) fn page(result: &RunResult, all: bool) -> String {
    let mut page = Page::new();
    what_was_run(&mut page, result);
    page.section("Answer");
    page.row("verified", verdict(result));
    for (name, value) in &result.answer {
        page.row(&name.replace('_', " "), figure(value));
    }
    match &result.time {
        Some(time) => {
            timing::sections(&mut page, result, time, all);
            iterations(&mut page, &result.iterations, true, all);
            timing::launches(&mut page, &result.launches, &time.machine_figures.levels, all);
            simulation(&mut page, result);
        }
        None => {
            page.section("Buffers");
            for region in &result.regions {
                page.row(&region.name, text::bytes(region.bytes));
            }
            iterations(&mut page, &result.iterations, false, all);
            launches(&mut page, &result.launches, all);
            executed(&mut page, result);
        }
    }
    if !result.printed.is_empty() {
        page.section("Printed by the kernels");
        result.printed.lines().for_each(|line| page.line(&format!("  {line}")));
    }
    if !result.notes.is_empty() {
        page.section("Notes");
        for note in &result.notes {
            page.line(&format!("  - {note}"));
        }
    }
    page.finish()
}

/// The machine in words: its name, the file of another name, what was added and changed.
pub(super) fn machine(name: &str, file: Option<&str>, mechanisms: &[String], set: &[String]) -> String {
    let mut words = name.to_owned();
    if let Some(file) = file {
        words += &format!(" ({file})");
    }
    if !mechanisms.is_empty() {
        words += &format!(" with {}", mechanisms.join(", "));
    }
    if !set.is_empty() {
        words += &format!(", set {}", set.join(", "));
    }
    words
}

fn verdict(result: &RunResult) -> &'static str {
    match (&result.partial, result.verified) {
        (Some(_), _) => "no: the run was stopped before it had an answer",
        (None, true) => "yes",
        (None, false) => "no: there was nothing to compare with (`check` of a plan, --expect of a launch)",
    }
}

fn what_was_run(page: &mut Page, result: &RunResult) {
    page.section("Run");
    page.row("workload", &result.workload);
    match &result.time {
        None => page.row("machine", format!("{} (no notion of time)", result.machine)),
        Some(time) => {
            let Time { machine_file, mechanisms, set, .. } = time;
            page.row("machine", machine(&result.machine, machine_file.as_deref(), mechanisms, set));
        }
    }
    if let Some(why) = &result.partial {
        page.row("partial", format!("{why}; every figure counts what was done until then"));
    }
    if let Some(graph) = &result.graph {
        page.row("graph", graph);
        page.row("vertices", text::thousands(result.vertices.into()));
        page.row("arcs", text::thousands(result.arcs));
    }
    if let Some(source) = result.source {
        let why = if result.source_is_default { " (the first vertex of largest degree)" } else { "" };
        page.row("source", format!("{source}{why}"));
    }
    if let Some(target) = result.target {
        page.row("target", target.to_string());
    }
    for (name, value) in &result.settings {
        page.row(name, value.to_string());
    }
}

fn executed(page: &mut Page, result: &RunResult) {
    page.section("Executed");
    page.row("launches", text::thousands(result.launches.len() as u64));
    page.row("warp instructions", text::thousands(result.warp_instructions));
    page.row("thread instructions", text::thousands(result.thread_instructions));
    let per_warp = result.thread_instructions as f64 / result.warp_instructions.max(1) as f64;
    page.row("lanes active", format!("{per_warp:.2} of 32 on average"));
    let rate = result.host.thread_instructions_per_second / 1e6;
    page.row("host", format!("{:.3} s, {rate:.1} million thread instructions/s", result.host.wall_seconds));
}

/// What depends on the host stands apart.
fn simulation(page: &mut Page, result: &RunResult) {
    page.section("Simulation on this host");
    page.row("time in launches", format!("{:.3} s", result.host.wall_seconds));
    let warps = result.host.warp_instructions_per_second / 1e6;
    page.row("speed", format!("{warps:.2} million warp instructions/s"));
}

/// A figure of the answer in words; of a long path both ends.
fn figure(value: &Value) -> String {
    match value {
        Value::Number(number) if number.is_f64() => {
            let real = number.as_f64().unwrap_or_default();
            if real != 0.0 && real.abs() < 1e-3 { format!("{real:.2e}") } else { format!("{real:.6}") }
        }
        Value::Number(number) => number.as_u64().map_or_else(|| number.to_string(), text::thousands),
        Value::Bool(value) => text::yes_no(*value).to_owned(),
        Value::Array(path) => {
            let names: Vec<String> = path.iter().map(Value::to_string).collect();
            match names.len() > 2 * ENDS {
                true => format!("{} … {}", names[..ENDS].join(" "), names[names.len() - ENDS..].join(" ")),
                false => names.join(" "),
            }
        }
        other => other.to_string(),
    }
}

/// The rows of a table, with those in the middle left out if there are too many.
pub(super) fn shown(rows: Vec<Vec<String>>, all: bool) -> Vec<Vec<String>> {
    if all || rows.len() <= 2 * ENDS + 1 {
        return rows;
    }
    let left_out = rows.len() - 2 * ENDS;
    let mut kept = rows[..ENDS].to_vec();
    kept.push(vec!["…".to_owned(), format!("{left_out} more (--all)")]);
    kept.extend_from_slice(&rows[rows.len() - ENDS..]);
    kept
}

fn iterations(page: &mut Page, iterations: &[IterationRow], in_time: bool, all: bool) {
    if iterations.is_empty() {
        return;
    }
    page.section("Iterations");
    let row = |row: &IterationRow| {
        let mut cells = vec![
            row.iteration.to_string(),
            text::or_dash(row.frontier.map(text::thousands)),
            row.launches.to_string(),
            text::thousands(row.warp_instructions),
            text::thousands(row.thread_instructions),
        ];
        if in_time {
            cells.push(text::or_dash(row.cycles.map(|cycles| cycles_of(row, cycles))));
        }
        cells
    };
    let rows = shown(iterations.iter().map(row).collect(), all);
    let mut head = vec!["iteration", "frontier", "launches", "warp instr.", "thread instr."];
    head.extend(in_time.then_some("cycles"));
    page.table(&head, &[], &rows);
}

/// The cycles of an iteration; a sum over only some of its launches says so.
fn cycles_of(row: &IterationRow, cycles: u64) -> String {
    let cycles = text::thousands(cycles);
    match row.timed_launches {
        Some(timed) if timed < row.launches => format!("{cycles} ({timed} of {} launches)", row.launches),
        _ => cycles,
    }
}

fn launches(page: &mut Page, launches: &[LaunchRow], all: bool) {
    page.section("Launches");
    let sectors = launches.iter().any(|row| row.global_load_sectors.is_some());
    let mut head = vec![
        "launch",
        "kernel",
        "blocks",
        "threads",
        "warp instr.",
        "thread instr.",
        "loads",
        "stores",
        "atomics",
        "branches",
        "divergent",
    ];
    if sectors {
        head.extend(["load sectors", "store sectors"]);
    }
    let row = |row: &LaunchRow| {
        let mut cells = vec![row.launch.to_string(), row.kernel.clone()];
        let product = |[x, y, z]: [u32; 3]| u64::from(x) * u64::from(y) * u64::from(z);
        let figures = [
            product(row.grid),
            product(row.block),
            row.warp_instructions,
            row.thread_instructions,
            row.global_loads,
            row.global_stores,
            row.atomics,
            row.branches,
            row.divergent_branches,
        ];
        cells.extend(figures.map(text::thousands));
        let counted = [row.global_load_sectors, row.global_store_sectors];
        cells.extend(counted.into_iter().flatten().map(text::thousands));
        cells
    };
    page.table(&head, &[1], &shown(launches.iter().map(row).collect(), all));
}
