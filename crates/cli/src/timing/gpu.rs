//! GPUs of machine files, with their energy tables.

use super::{Built, Hook, MachineChoice, Pricer};
use crate::commands::told;
use crate::failure::Failure;
use crate::ratio::{Levels, MachineFigures, Ratios};
use heddle_energy::{EnergyError, Run, Table, component_of};
use heddle_engine::Catalogue;
use heddle_engine::units::Frequency;
use heddle_gpu::{EnergyChoice, Gpu, GpuSpec, RunSettings};
pub(crate) use heddle_lab::simulate::fitted;
use heddle_machine::{Machine, MachineSpec, MemorySpec, Resolved, derived};
use heddle_memory::fabric::{Fabric, FabricSpec};

/// Makes the machine that the user asked for.
pub(crate) fn build(choice: &MachineChoice, settings: RunSettings, hook: Hook) -> Result<Built, Failure> {
    let machine = Machine::named(&choice.machine)?;
    let resolved = machine.with(&choice.with).set(&choice.set).resolve()?;
    let Resolved { spec, toml, mechanisms, notes, files, .. } = resolved;
    let table = table(&spec, choice.energy_table.as_deref().unwrap_or(&spec.energy.table))?;
    let of_machine = files.into_iter().map(|file| ("a file of the machine", file));
    let of_table = table.files.iter().map(|file| ("a file of the energy table", file.clone()));
    let files = of_machine.chain(of_table).collect();
    let pricer = pricer(&spec, table);
    let figures = figures(&spec);
    let (name, rehearses) = (spec.name.clone(), spec.memory.foresees());
    let mut gpu = Gpu::new(spec, settings).map_err(|error| Failure::new(error.to_string()))?;
    gpu.on_progress(hook);
    let record = gpu.record();
    Ok(Built {
        machine: Box::new(gpu),
        record,
        name,
        resolved: toml,
        mechanisms,
        notes,
        figures,
        files,
        pricer: Some(pricer),
        rehearses,
    })
}

pub(super) fn figures(spec: &GpuSpec) -> MachineFigures {
    let levels = Levels::new(&spec.memory);
    MachineFigures {
        ratios: Ratios::new(&levels),
        levels,
        cores: spec.core.count,
        warps_per_core: spec.core.warps,
        schedulers_per_core: spec.core.schedulers,
        core_hertz: spec.clocks.core.hertz(),
        dram_bytes_per_second: derived(spec).memory.dram_bytes_per_second,
    }
}

/// An energy table that covers what machines count; what it does not is told before anything runs.
fn table(spec: &GpuSpec, name: &str) -> Result<Table, Failure> {
    let option = "--energy-table";
    let table = heddle_energy::load::find(name).map_err(|error| told(&error, option))?;
    covered_table(table, &spec.energy, &spec.memory, &heddle_gpu::catalogue(spec), option)
}

/// The dynamic part of the table of a memory system by itself, if it names one; what it does not cover is told.
pub(crate) fn memory_table(spec: &MemorySpec) -> Result<Option<Table>, Failure> {
    let Some(choice) = &spec.energy else { return Ok(None) };
    let option = "--set energy.table";
    let mut catalogue = Catalogue::default();
    Fabric::declare(&spec.memory, &mut catalogue);
    let table = heddle_energy::load::find(&choice.table).map_err(|error| told(&error, option))?;
    covered_table(table.dynamic_alone(), choice, &spec.memory, &catalogue, option).map(Some)
}

/// Whether what a machine counts has prices: no other machine can be run.
pub(crate) fn check_prices(spec: &MachineSpec) -> Result<(), Failure> {
    match spec {
        MachineSpec::Gpu(spec) => table(spec, &spec.energy.table).map(drop),
        MachineSpec::Memory(spec) => memory_table(spec).map(drop),
    }
}

/// The part of an energy table that a machine has, if it covers what the machine counts, by the names that it chooses.
/// `option` is how the user can name another table.
pub(crate) fn covered_table(
    table: Table,
    choice: &EnergyChoice,
    memory: &FabricSpec,
    counted: &Catalogue,
    option: &str,
) -> Result<Table, Failure> {
    check_likes(choice, memory, &table)?;
    let (table, catalogue) = fitted(table, choice, counted);
    heddle_energy::cover::check(&table, &catalogue)
        .map_err(|error| unpriced(&error, &table, memory, option))?;
    Ok(table)
}

/// What is not priced; a level or network of the machine that the table does not know can be priced like another.
fn unpriced(error: &EnergyError, table: &Table, memory: &FabricSpec, option: &str) -> Failure {
    let failure = told(error, option);
    let EnergyError::Uncovered { statistics, .. } = error else { return failure };
    let mut parts = statistics.iter().map(|name| component_of(name.trim_start_matches('`')));
    let levels = memory.caches.iter().map(|level| (level.name.as_str(), "l2"));
    let networks = memory.networks.iter().map(|network| (network.name.as_str(), "interconnect"));
    let mut known = levels.chain(networks);
    let Some((part, like)) = parts.next().and_then(|part| known.find(|(name, _)| *name == part)) else {
        return failure;
    };
    let rows = "price each in an [[action]] row of a table, or list it under [[free]] with the reason";
    // What the table prices in part would not get other prices by the name of another.
    if table.components().contains(part) {
        return failure.with_help(rows.to_owned());
    }
    failure.with_help(format!(
        "give it the prices of a component of the table, such as [energy.like] {part} = \"{like}\"; or {rows}"
    ))
}

/// What a machine prices by another name must have prices by that name, of its own sort.
pub(crate) fn check_likes(choice: &EnergyChoice, memory: &FabricSpec, table: &Table) -> Result<(), Failure> {
    heddle_machine::check_likes(choice, memory, table)
        .map_err(|error| Failure::new(format!("`{}`: {}", error.key, error.problem)))
}

/// Prices by a table, with the machine's own clocks.
fn pricer(spec: &GpuSpec, table: Table) -> Pricer {
    let energy = spec.energy.clone();
    let clocks = spec.clocks.all().chain([("dram", spec.memory.dram.clock)]);
    let clocks: Vec<(String, Frequency)> = clocks.map(|(name, of)| (name.to_owned(), of)).collect();
    Box::new(move |statistics, seconds| {
        let mut run = Run::new(seconds)?;
        for (clock, frequency) in &clocks {
            run = run.with_clock(clock, frequency.hertz() as f64)?;
        }
        heddle_energy::price(&table, &energy.as_priced(statistics), &run)
    })
}
