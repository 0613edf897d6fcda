//! What no memory system can be, beyond what its parts check themselves.

use super::{LONGEST, check_energy, within, wrong};
use heddle_memory::SpecError;
use heddle_memory::cache::{BypassKind, InclusionKind, PrefetchKind};
use heddle_memory::fabric::{FabricSpec, LevelSpec};
use heddle_memory::request::Path;

/// Which of two levels holds a line is said of the lower one, and nothing is above a core's own cache. Looked at before
/// caches are by themselves: other keys of theirs would be blamed for what an inclusion policy refuses.
pub(super) fn check_inclusion(memory: &FabricSpec) -> Result<(), SpecError> {
    let has_policy =
        |level: &&LevelSpec| level.is_private() && level.inclusion != InclusionKind::NonInclusive;
    let Some(level) = memory.caches.iter().find(has_policy) else { return Ok(()) };
    let problem = format!("inclusion is a matter of the lower cache: set {}.inclusion", level.below);
    wrong(format!("{}.inclusion", level.name), problem)
}

/// Keys of the cores' caches that only other caches act on.
fn check_core_caches(memory: &FabricSpec) -> Result<(), SpecError> {
    let instruction = memory.serving_level(Path::Instruction);
    for level in memory.caches.iter().filter(|level| level.is_private()) {
        let name = &level.name;
        let holds_data = level.serves.contains(&Path::Global);
        if !holds_data && level.bypass != BypassKind::Never {
            return wrong(format!("{name}.bypass"), "only caches of data bypass; use \"never\"");
        }
        if !holds_data && level.prefetch != PrefetchKind::None {
            return wrong(format!("{name}.prefetch"), "only caches of data prefetch; use \"none\"");
        }
        if instruction.is_none_or(|instruction| *name != instruction.name) {
            within(format!("{name}.banks"), u64::from(level.banks), 1, 64)?;
        }
    }
    instruction.map_or(Ok(()), check_instruction_cache)
}

fn check_instruction_cache(instruction: &LevelSpec) -> Result<(), SpecError> {
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

/// Whether this can be the memory system of so many cores or requesters.
pub(super) fn check(memory: &FabricSpec, cores: u32) -> Result<(), SpecError> {
    check_energy("dram.energy", memory.dram.energy.as_deref())?;
    // Of a whole machine: a part of one, with fewer cores, may have less than an instance of a level.
    if let Some(level) = memory.caches.iter().find(|level| level.shared_by > cores) {
        let problem =
            format!("expected at most the {cores} that there are, found {}; 0 is for all", level.shared_by);
        return wrong(format!("{}.shared_by", level.name), problem);
    }
    for level in memory.caches.iter().filter(|level| !level.is_private()) {
        // No cycles at all are a figure, too.
        within(format!("{}.latency", level.name), level.latency.into(), 0, LONGEST)?;
        within(format!("{}.atomic_cycles", level.name), level.atomic_cycles.into(), 0, LONGEST)?;
    }
    memory.check(cores)?;
    check_core_caches(memory)?;
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
