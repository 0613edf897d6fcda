//! Occupancy and divergence.

use crate::result::{LaunchTime, RunResult, Time};
use crate::view::page::Page;
use crate::view::text;
use heddle_memory::fabric::in_prose;
use std::collections::BTreeMap;

/// Adds the section.
pub(super) fn section(page: &mut Page, result: &RunResult, time: &Time) {
    page.section("Occupancy and divergence");
    let mut kernels: BTreeMap<&str, &LaunchTime> = BTreeMap::new();
    for row in &result.launches {
        if let Some(time) = &row.time {
            kernels.entry(&row.kernel).or_insert(time);
        }
    }
    let room = time.machine_figures.warps_per_core;
    for (kernel, launch) in kernels {
        let LaunchTime { resident_blocks, resident_warps, limited_by, l1_bytes, .. } = launch;
        let cache =
            format!("{} of {}", in_prose(&time.machine_figures.levels.data_cache), text::bytes(*l1_bytes));
        let residents = format!("{resident_warps} of {room} warps on a core ({resident_blocks} blocks)");
        let registers = registers(launch);
        page.row(kernel, format!("{residents}, limited by {limited_by}; {registers}, {cache}"));
    }
    if let Some(occupancy) = time.ratio("core.occupancy") {
        page.row(
            "warps resident",
            format!("{occupancy:.1} % of the warps that fit, over all cores and cycles"),
        );
    }
    if let Some(lanes) = time.ratio("core.lanes_active") {
        page.row("lanes active", format!("{lanes:.2} of 32 on average"));
    }
    let total = |count: fn(&crate::result::LaunchRow) -> u64| {
        result.launches.iter().filter(|row| row.time.is_some()).map(count).sum::<u64>()
    };
    let (divergent, branches) = (total(|row| row.divergent_branches), total(|row| row.branches));
    page.row(
        "divergent branches",
        format!("{} of {}", text::share(divergent, branches), text::thousands(branches)),
    );
}

/// The registers of a thread, and those that the cap leaves out.
fn registers(launch: &LaunchTime) -> String {
    let LaunchTime { registers, spilled_registers, .. } = launch;
    match &launch.registers_capped_by {
        Some(by) => format!("{registers} registers (capped by {by}, {spilled_registers} more spilled)"),
        None => format!("{registers} registers"),
    }
}
