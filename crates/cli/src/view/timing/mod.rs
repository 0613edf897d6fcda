//! The sections of a run's page that a machine with time adds.

mod core;
mod launches;
mod loads;
mod memory;
mod slots;

pub(super) use launches::launches;

use super::page::Page;
use super::text;
use crate::result::{RunResult, Time};
use heddle_energy::{ComponentEnergy, Energy};

/// Adds the sections between the answer and the tables.
pub(super) fn sections(page: &mut Page, result: &RunResult, time: &Time, all: bool) {
    summary(page, result, time);
    slots::section(page, time);
    memory::section(page, time);
    loads::section(page, &time.loads, all);
    core::section(page, result, time);
    if let Some(energy) = &time.energy {
        self::energy(page, energy);
    }
}

fn summary(page: &mut Page, result: &RunResult, time: &Time) {
    page.section("Time on the simulated machine");
    page.row("cycles", format!("{} of the core clock", text::thousands(time.cycles)));
    page.row("simulated time", text::seconds(time.seconds));
    page.row("launches", launches_in_words(result, time));
    page.row("warp instructions", text::thousands(result.warp_instructions));
    page.row("thread instructions", text::thousands(result.thread_instructions));
    if let (Some(ipc), Some(per_core)) = (time.ipc, time.ratio("core.ipc_per_core")) {
        let cores = time.machine_figures.cores;
        let note = format!("{ipc:.3} warp instructions per cycle on {cores} cores, {per_core:.3} on each");
        page.row("IPC", note);
    }
    if time.intervals.len() > 1 {
        page.row(
            "samples",
            format!("{} intervals, in result.json", text::thousands(time.intervals.len() as u64)),
        );
    }
}

fn launches_in_words(result: &RunResult, time: &Time) -> String {
    let timed = result.launches.iter().filter(|row| row.time.is_some()).count() as u64;
    match time.skipped_launches {
        0 => text::thousands(timed),
        skipped => {
            let skipped = text::thousands(skipped);
            format!("{} in time; {skipped} more functionally, in none of the figures", text::thousands(timed))
        }
    }
}

fn energy(page: &mut Page, energy: &Energy) {
    page.section(&format!("Energy, by the table {}", energy.table));
    let (total, watts) = (text::joules(energy.total_joules), energy.average_watts);
    page.row("total", format!("{total}, {watts:.1} W on average"));
    let percent =
        |joules: f64| if energy.total_joules > 0.0 { 100.0 * joules / energy.total_joules } else { 0.0 };
    let part = |joules: f64| format!("{}, {:.1} %", text::joules(joules), percent(joules));
    page.row("dynamic energy", part(energy.dynamic_joules));
    page.row("static energy", part(energy.static_joules));
    let parts = energy.components.iter().map(|part| (part, part.dynamic_joules + part.static_joules));
    let row = |(part, joules): (&ComponentEnergy, f64)| {
        let shown = |joules: f64| text::or_dash((joules > 0.0).then(|| text::joules(joules)));
        let [dynamic, fixed, all] = [part.dynamic_joules, part.static_joules, joules].map(shown);
        let bar = text::bar(joules, energy.total_joules, 20);
        vec![part.component.clone(), dynamic, fixed, all, format!("{:.1} %", percent(joules)), bar]
    };
    let rows: Vec<Vec<String>> = parts.filter(|(_, joules)| *joules > 0.0).map(row).collect();
    page.line("");
    page.table(&["component", "dynamic energy", "static energy", "energy", "share", ""], &[0, 5], &rows);
}
