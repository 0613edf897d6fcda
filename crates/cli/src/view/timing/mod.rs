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
use heddle_energy::Energy;

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
    let (dynamic, fixed) = (text::joules(energy.dynamic_joules), text::joules(energy.static_joules));
    page.row("actions, leakage", format!("{dynamic} by what was done, {fixed} by being switched on"));
    for part in &energy.components {
        let joules = part.dynamic_joules + part.static_joules;
        if joules == 0.0 {
            continue;
        }
        let percent = if energy.total_joules > 0.0 { 100.0 * joules / energy.total_joules } else { 0.0 };
        let bar = text::bar(joules, energy.total_joules, 20);
        page.row(&part.component, format!("{percent:>5.1} %  {bar}  {}", text::joules(joules)));
    }
}
