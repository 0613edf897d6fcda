//! What no machine can be: refused by key before anything is simulated or allocated.
//!
//! The parts check themselves where they can; here is what concerns cores, several parts at once, and the memory
//! that the simulation of absurd figures would take.

mod budget;
mod core;
mod likes;
mod memory;
mod store;

pub use likes::check_likes;

use crate::kind::MemorySpec;
use crate::layer::is_path;
use crate::nearest::nearest;
use heddle_energy::load;
use heddle_engine::TimeBase;
use heddle_engine::units::Frequency;
use heddle_gpu::{EnergyChoice, GpuSpec, slot_share};
use heddle_memory::SpecError;
use heddle_memory::fabric::{Clocks, FabricSpec, MEMORY};
use heddle_memory::request::Path;

/// Slowest clock of any machine: a figure below this lacks its unit, and a run would trip the watchdog.
const SLOWEST: u64 = 1_000_000;
/// Fastest clock that is taken for meant.
const FASTEST: u64 = 100_000_000_000;
/// Longest pipeline or latency.
const LONGEST: u64 = 1 << 16;
/// Longest launch overhead, in cycles: minutes at any clock.
const LONGEST_OVERHEAD: u64 = 1 << 40;
/// Most requesters of a memory system alone: as many as a GPU may have cores.
const MOST_REQUESTERS: u64 = 1024;

fn wrong(key: impl Into<String>, problem: impl Into<String>) -> Result<(), SpecError> {
    Err(SpecError { key: key.into(), problem: problem.into() })
}

fn within(key: impl Into<String>, value: u64, least: u64, most: u64) -> Result<(), SpecError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    wrong(key, format!("expected {least} to {most}, found {value}"))
}

/// Whether this can be a GPU.
pub(crate) fn gpu(spec: &GpuSpec) -> Result<(), SpecError> {
    check_name(&spec.name)?;
    check_below(&spec.memory)?;
    // Everything below asks which cache a path goes through.
    spec.memory.check_paths(&Path::ALL)?;
    memory::check_inclusion(&spec.memory)?;
    core::check(spec)?;
    store::check(spec)?;
    within("launch.overhead", spec.launch.overhead, 0, LONGEST_OVERHEAD)?;
    within("launch.block_interval", spec.launch.block_interval, 0, LONGEST_OVERHEAD)?;
    check_prices(&spec.energy, &spec.memory)?;
    check_answerers(&spec.memory)?;
    memory::check(&spec.memory, spec.core.count)?;
    check_clocks(&spec.clocks, &spec.memory)?;
    budget::check_memory(&spec.memory, spec.core.count)?;
    budget::check_cores(spec)
}

/// Whether this can be a memory system alone.
pub(crate) fn memory_alone(spec: &MemorySpec) -> Result<(), SpecError> {
    let (memory, requesters) = (&spec.memory, spec.requesters.count);
    check_name(&spec.name)?;
    check_below(memory)?;
    memory.check_paths(&[Path::Global])?;
    memory::check_inclusion(memory)?;
    within("requesters.count", requesters.into(), 1, MOST_REQUESTERS)?;
    if !memory.agents.is_empty() {
        let problem = "agents take commands of cores, and the requesters of a machine of kind memory give none; \
                       leave them out";
        return wrong("agents", problem);
    }
    spec.energy.iter().try_for_each(|energy| check_prices(energy, memory))?;
    memory::check(memory, requesters)?;
    check_clocks(&spec.clocks, memory)?;
    budget::check_memory(memory, requesters)
}

fn check_name(name: &str) -> Result<(), SpecError> {
    if name.trim().is_empty() {
        return wrong("name", "a machine needs a name");
    }
    Ok(())
}

/// What is below a level is there. Looked at first: which keys have an effect in a level depends on it.
fn check_below(memory: &FabricSpec) -> Result<(), SpecError> {
    let is_there = |below: &str| below == MEMORY || memory.cache(below).is_some();
    let Some(level) = memory.caches.iter().find(|level| !is_there(&level.below)) else { return Ok(()) };
    let known: Vec<&str> = memory.caches.iter().map(|level| level.name.as_str()).collect();
    let others = known.iter().copied().filter(|name| *name != level.name);
    let near = nearest(&level.below, others.chain([MEMORY]));
    let near = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
    let problem = format!(
        "expected \"{MEMORY}\" or one of caches = {known:?}; there is no level \"{}\"{near}",
        level.below
    );
    wrong(format!("{}.below", level.name), problem)
}

fn check_prices(energy: &EnergyChoice, memory: &FabricSpec) -> Result<(), SpecError> {
    check_energy("energy.table", Some(&energy.table))?;
    if energy.like.is_empty() {
        return Ok(());
    }
    likes::check_parts(energy, memory)?;
    // A table in a file is looked at by whoever prices.
    let table = load::find(&energy.table).ok().filter(|_| !is_path(&energy.table));
    table.map_or(Ok(()), |table| check_likes(energy, memory, &table))
}

/// The slots of levels that answer cores stand beside those of other causes.
fn check_answerers(memory: &FabricSpec) -> Result<(), SpecError> {
    match memory.answerers().into_iter().find(|(_, name)| slot_share(name).is_some()) {
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

fn check_clocks(clocks: &Clocks, memory: &FabricSpec) -> Result<(), SpecError> {
    clocks.check(memory)?;
    let clocks = clocks.all().map(|(name, clock)| (format!("clocks.{name}"), clock));
    let clocks: Vec<_> = clocks.chain([("dram.clock".to_owned(), memory.dram.clock)]).collect();
    for (key, clock) in &clocks {
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
            return wrong(key, error.to_string());
        }
    }
    Ok(())
}
