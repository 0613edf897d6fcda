//! The pages of `heddle machine`.

use super::page::Page;
use super::text::{bytes, or_dash, thousands};
use crate::commands::{Change, Figures, MachineDescription, MachineEntry};
use heddle_engine::units::Bandwidth;
use heddle_machine::MemoryFigures;
use heddle_memory::fabric::{MEMORY, in_prose};

/// All presets.
pub(crate) fn list(machines: &[MachineEntry]) -> String {
    let mut page = Page::new();
    page.section("Machines (`heddle machine show NAME`)");
    for machine in machines {
        page.row(&machine.name, &machine.description);
        page.row("", format!("kind: {}; source: {}", machine.kind, machine.source));
    }
    page.section("A machine of your own is a TOML file that begins with: inherits = \"fermi\"");
    page.finish()
}

/// A machine: what follows from its keys, then every key.
pub(crate) fn show(machine: &MachineDescription) -> String {
    let latencies = &machine.zero_load;
    let cycles = |value: Option<u64>| or_dash(value.map(|value| format!("{} core cycles", thousands(value))));
    let mut page = Page::new();
    page.section("Machine");
    page.row("name", &machine.name);
    page.row("kind", machine.kind);
    page.row("what it is", &machine.description);
    page.row("source", &machine.source);
    if !machine.mechanisms.is_empty() {
        page.row("mechanisms", machine.mechanisms.join(", "));
    }
    page.row("hash", &machine.hash);
    page.section("Caches and memory");
    machine.tree.iter().for_each(|line| page.line(&format!("  {line}")));
    page.section("What follows");
    what_follows(&mut page, &machine.derived);
    page.section("Latency of a lone read");
    for (name, latency) in &latencies.0 {
        let label = match name.as_str() {
            MEMORY => "closed row of DRAM".to_owned(),
            level => format!("hit in {}", in_prose(level)),
        };
        page.row(&label, cycles(*latency));
    }
    page.section("Every key");
    machine.toml.lines().for_each(|line| page.line(&format!("  {line}")));
    page.finish()
}

fn what_follows(page: &mut Page, figures: &Figures) {
    match figures {
        Figures::Gpu(figures) => {
            page.row("resident warps", thousands(figures.warps));
            page.row("resident threads", thousands(figures.threads));
            page.row("arithmetic lanes", thousands(figures.lanes));
            page.row("issue per cycle", format!("{} warp instructions", thousands(figures.issue_width)));
            page.row("registers of a core", bytes(figures.register_bytes));
            memory(page, &figures.memory, "cores");
        }
        Figures::Memory(figures) => memory(page, figures, "requesters"),
    }
}

fn memory(page: &mut Page, figures: &MemoryFigures, askers: &str) {
    let rate = |bytes: u64| Bandwidth::from_bytes_per_second(bytes).to_string();
    for (place, level) in figures.levels.iter().enumerate() {
        let sets = thousands(level.slice_sets);
        let size = match place {
            0 => format!("{sets} sets"),
            _ => format!("{}, {sets} sets a slice", bytes(level.bytes)),
        };
        page.row(&in_prose(&level.name), size);
    }
    let [address, data] = figures.packet_flits;
    page.row("packets", format!("{address} flit for an address, {data} with a line"));
    page.row(&format!("replies to {askers}"), rate(figures.reply_bytes_per_second));
    page.row(
        "DRAM",
        format!("{}, {} B at once", rate(figures.dram_bytes_per_second), figures.dram_atom_bytes),
    );
}

/// What differs between two machines.
pub(crate) fn differences(here: &str, there: &str, changes: &[Change]) -> String {
    let mut page = Page::new();
    if changes.is_empty() {
        page.line("The machines are the same.");
        return page.finish();
    }
    let rows: Vec<Vec<String>> = changes
        .iter()
        .map(|change| vec![change.key.clone(), change.here.clone(), change.there.clone()])
        .collect();
    page.table(&["key", here, there], &[0, 1, 2], &rows);
    page.finish()
}
