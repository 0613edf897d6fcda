//! What no machine can be: refused by key before anything is simulated or allocated.
//!
//! The parts check themselves where they can; here is what concerns cores, several parts at once, and the memory
//! that the simulation of absurd figures would take.

mod budget;
mod core;
mod store;

use crate::layer::is_path;
use crate::nearest::nearest;
use heddle_energy::load;
use heddle_engine::TimeBase;
use heddle_engine::units::Frequency;
use heddle_gpu::{GpuSpec, slot_share};
use heddle_memory::SpecError;
use heddle_memory::cache::{BypassKind, InclusionKind, PrefetchKind};
use heddle_memory::request::Path;

/// Slowest clock of any machine: a figure below this lacks its unit, and a run would trip the watchdog.
const SLOWEST: u64 = 1_000_000;
/// Fastest clock that is taken for meant.
const FASTEST: u64 = 100_000_000_000;
/// Longest pipeline or latency.
const LONGEST: u64 = 1 << 16;
/// Longest launch overhead, in cycles: minutes at any clock.
const LONGEST_OVERHEAD: u64 = 1 << 40;

fn wrong(key: impl Into<String>, problem: impl Into<String>) -> Result<(), SpecError> {
    Err(SpecError { key: key.into(), problem: problem.into() })
}

fn within(key: impl Into<String>, value: u64, least: u64, most: u64) -> Result<(), SpecError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    wrong(key, format!("expected {least} to {most}, found {value}"))
}

/// Whether this can be a machine.
pub(crate) fn check(spec: &GpuSpec) -> Result<(), SpecError> {
    if spec.name.trim().is_empty() {
        return wrong("name", "a machine needs a name");
    }
    // Everything below asks which cache a path goes through.
    spec.memory.check_paths()?;
    core::check(spec)?;
    store::check(spec)?;
    within("launch.overhead", spec.launch.overhead, 0, LONGEST_OVERHEAD)?;
    within("launch.block_interval", spec.launch.block_interval, 0, LONGEST_OVERHEAD)?;
    check_energy("energy.table", Some(&spec.energy.table))?;
    check_likes(spec)?;
    check_answerers(spec)?;
    check_energy("dram.energy", spec.memory.dram.energy.as_deref())?;
    check_memory(spec)?;
    check_clocks(spec)?;
    budget::check(spec)
}

/// What is priced by another name is a part of the machine, and a table that comes with the program has prices by that
/// name; one in a file is looked at by whoever prices.
fn check_likes(spec: &GpuSpec) -> Result<(), SpecError> {
    if spec.energy.like.is_empty() {
        return Ok(());
    }
    let parts = spec.memory.caches.iter().map(|level| &level.name);
    let parts: Vec<&String> = parts.chain(spec.memory.networks.iter().map(|network| &network.name)).collect();
    let table = load::find(&spec.energy.table).ok().filter(|_| !is_path(&spec.energy.table));
    for (part, like) in &spec.energy.like {
        let wrong = |problem: String, known: Vec<&str>| {
            let near = nearest(if parts.contains(&part) { like } else { part }, known.iter().copied());
            let near = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
            let key = format!("energy.like.{part}");
            Err(SpecError { key, problem: format!("{problem} ({}){near}", known.join(", ")) })
        };
        if !parts.contains(&part) {
            let known = parts.iter().map(|name| name.as_str()).collect();
            return wrong(format!("\"{part}\" is none of the machine's caches and networks"), known);
        }
        if let Some(table) = table.as_ref().filter(|table| !table.components().contains(like.as_str())) {
            let known = table.components().into_iter().collect();
            return wrong(format!("the energy table {} has no prices for \"{like}\"", table.name), known);
        }
    }
    Ok(())
}

/// The slots of levels that answer cores stand beside those of other causes.
fn check_answerers(spec: &GpuSpec) -> Result<(), SpecError> {
    match spec.memory.answerers().into_iter().find(|(_, name)| slot_share(name).is_some()) {
        None => Ok(()),
        Some((_, name)) => {
            wrong("caches", format!("\"{name}\" is the name of something else: the statistic slots.{name}"))
        }
    }
}

/// A name is one of those that come with the program; a path is opened by whoever prices.
pub(crate) fn check_energy(key: &str, table: Option<&str>) -> Result<(), SpecError> {
    let is_known = |table: &str| is_path(table) || load::names().any(|name| name == table);
    if table.is_none_or(is_known) {
        return Ok(());
    }
    let names: Vec<&str> = load::names().collect();
    let near = nearest(table.unwrap_or_default(), names.iter().copied());
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let names = names.join(", ");
    wrong(key, format!("expected the name of a table, one of {names}, or the path of a file{near}"))
}

fn check_clocks(spec: &GpuSpec) -> Result<(), SpecError> {
    let clocks = [
        ("clocks.core", spec.clocks.core),
        ("clocks.interconnect", spec.clocks.interconnect),
        ("clocks.l2", spec.clocks.l2),
        ("dram.clock", spec.memory.dram.clock),
    ];
    for (key, clock) in clocks {
        match clock.hertz() {
            0 => return wrong(key, "expected a frequency above 0Hz: this clock would stand still"),
            hertz if hertz < SLOWEST => {
                let (least, found) = (Frequency::from_hertz(SLOWEST), Frequency::from_hertz(hertz));
                return wrong(
                    key,
                    format!("expected at least {least}, which any machine has; found {found}"),
                );
            }
            hertz if hertz > FASTEST => {
                return wrong(key, format!("expected at most {}", Frequency::from_hertz(FASTEST)));
            }
            _ => {}
        }
    }
    // The clock that spoils it is the first without a common tick with those before it.
    for known in 1..=clocks.len() {
        let frequencies: Vec<Frequency> = clocks.iter().take(known).map(|(_, clock)| *clock).collect();
        if let (Err(error), Some((key, _))) = (TimeBase::common(&frequencies), clocks.get(known - 1)) {
            return wrong(*key, error.to_string());
        }
    }
    Ok(())
}

/// Keys of the cores' caches that only other caches act on.
fn check_core_caches(spec: &GpuSpec) -> Result<(), SpecError> {
    let instruction = spec.memory.serving(Path::Instruction);
    for level in spec.memory.caches.iter().filter(|level| level.is_private()) {
        let name = &level.name;
        let holds_data = level.serves.contains(&Path::Global);
        if !holds_data && level.bypass != BypassKind::Never {
            return wrong(format!("{name}.bypass"), "only caches of data bypass; use \"never\"");
        }
        if !holds_data && level.prefetch != PrefetchKind::None {
            return wrong(format!("{name}.prefetch"), "only caches of data prefetch; use \"none\"");
        }
        if *name != instruction.name {
            within(format!("{name}.banks"), u64::from(level.banks), 1, 64)?;
        }
        if level.inclusion != InclusionKind::NonInclusive {
            let problem = format!("inclusion is a matter of the lower cache: set {}.inclusion", level.below);
            return wrong(format!("{name}.inclusion"), problem);
        }
    }
    let name = &instruction.name;
    if instruction.sector != instruction.line {
        let problem = format!("instructions are fetched by lines; use {name}.line = {}", instruction.line);
        return wrong(format!("{name}.sector"), problem);
    }
    for (key, value) in [("ports", instruction.ports), ("banks", instruction.banks)] {
        if value != 1 {
            let problem = "core.fetch_width says how often the instruction cache is read in a cycle; use 1";
            return wrong(format!("{name}.{key}"), problem);
        }
    }
    Ok(())
}

fn check_memory(spec: &GpuSpec) -> Result<(), SpecError> {
    let memory = &spec.memory;
    for level in memory.caches.iter().filter(|level| !level.is_private()) {
        // No cycles at all are a figure, too.
        within(format!("{}.latency", level.name), level.latency.into(), 0, LONGEST)?;
        within(format!("{}.atomic_cycles", level.name), level.atomic_cycles.into(), 0, LONGEST)?;
    }
    memory.check(spec.core.count)?;
    memory.policies.check("policies")?;
    for level in &memory.caches {
        let below = memory.cache(&level.below).filter(|below| below.inclusion.moves_lines());
        if let Some(below) = below
            && level.bypass != BypassKind::Never
        {
            let problem = format!(
                "an exclusive cache below ({}.inclusion) lives on what this one kept and gave up; use \"never\"",
                below.name
            );
            return wrong(format!("{}.bypass", level.name), problem);
        }
    }
    check_core_caches(spec)?;
    let mut last = memory.caches.iter().filter(|level| level.is_last());
    if let Some(level) = last.find(|level| memory.dram.atom() > level.line.0) {
        let problem = format!(
            "dram.bus × dram.burst = {} bytes are more than a line of {}, {}",
            memory.dram.atom(),
            level.name,
            level.line
        );
        return wrong("dram.burst", problem);
    }
    Ok(())
}
