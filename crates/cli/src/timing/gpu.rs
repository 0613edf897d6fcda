//! GPUs of machine files, with their energy tables.

use super::{Built, Hook, MachineChoice, Pricer};
use crate::commands::told;
use crate::failure::Failure;
use crate::ratio::{Levels, MachineFigures, Ratios};
use heddle_energy::{Run, Table};
use heddle_engine::Catalogue;
use heddle_engine::units::Frequency;
use heddle_gpu::{EnergyChoice, Gpu, GpuSpec, RunSettings};
pub(crate) use heddle_lab::simulate::fitted;
use heddle_machine::{Machine, Resolved, derived};
use heddle_memory::fabric::FabricSpec;

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
    heddle_energy::cover::check(&table, &catalogue).map_err(|error| told(&error, option))?;
    Ok(table)
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
