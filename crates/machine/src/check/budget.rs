//! How much of anything a machine may have in all. The keys of a part are bounded one by one; their products are
//! what the simulation allocates, and a slip of the pen must not take the host's memory.

use super::wrong;
use heddle_gpu::GpuSpec;
use heddle_memory::SpecError;
use heddle_memory::cache::CacheSpec;
use heddle_memory::fabric::{FabricSpec, LevelSpec};
use heddle_memory::request::Path;

/// Most entries (lines, queue places, table rows) of one kind in all.
const MOST_ENTRIES: u64 = 1 << 24;
/// Most bytes of registers, and of shared memory, in all.
const MOST_BYTES: u64 = 1 << 30;

/// What cores keep besides their caches.
pub(super) fn check_cores(spec: &GpuSpec) -> Result<(), SpecError> {
    let cores = u64::from(spec.core.count);
    let largest = spec.splits.iter().map(|split| split.l1_size.0).max().unwrap_or(0);
    entries("split", cores, &[largest / spec.memory.serving(Path::Global).line.0.max(1)])?;
    bytes("core.registers", cores, 4 * u64::from(spec.core.registers))?;
    bytes("shared_memory.store", cores, spec.shared_memory.store.0)
}

/// What a memory system keeps, for so many cores or requesters.
pub(super) fn check_memory(memory: &FabricSpec, cores: u32) -> Result<(), SpecError> {
    let nodes = |level: &LevelSpec| u64::from(level.instances(cores)) * u64::from(level.slices);
    for level in &memory.caches {
        check_cache(&level.name, nodes(level), &level.slice())?;
    }
    let all: u64 = memory.caches.iter().map(nodes).sum::<u64>() + memory.agents.len() as u64;
    for network in &memory.networks {
        let key = |key: &str| format!("{}.{key}", network.name);
        entries(&key("input_queue"), all, &[network.crossbar.input_queue.into()])?;
        entries(&key("output_queue"), all, &[network.crossbar.output_queue.into()])?;
    }
    let dram = &memory.dram;
    let banks = u64::from(dram.channels) * u64::from(dram.banks);
    entries("dram.queue.entries", banks, &[dram.queue.entries.into()])?;
    entries("dram.write_queue.entries", dram.channels.into(), &[dram.write_queue.entries.into()])?;
    entries("dram.return_queue", dram.channels.into(), &[dram.return_queue.into()])?;
    for (key, rows) in memory.policies.rows() {
        entries(&format!("policies.{key}"), all, &[rows])?;
    }
    Ok(())
}

fn check_cache(name: &str, instances: u64, cache: &CacheSpec) -> Result<(), SpecError> {
    let key = |key: &str| format!("{name}.{key}");
    entries(&key("size"), instances, &[cache.size.0 / cache.line.0.max(1)])?;
    entries(&key("merges"), instances, &[cache.mshrs.into(), cache.merges.into()])?;
    entries(&key("miss_queue"), instances, &[cache.miss_queue.into()])?;
    entries(&key("victim_lines"), instances, &[cache.victim_lines.into()])
}

fn entries(key: &str, instances: u64, factors: &[u64]) -> Result<(), SpecError> {
    let all = factors.iter().fold(instances, |all, &factor| all.saturating_mul(factor));
    if all <= MOST_ENTRIES {
        return Ok(());
    }
    wrong(key, format!("makes {all} entries in the whole machine; at most {MOST_ENTRIES} can be simulated"))
}

fn bytes(key: &str, instances: u64, each: u64) -> Result<(), SpecError> {
    let all = instances.saturating_mul(each);
    if all <= MOST_BYTES {
        return Ok(());
    }
    wrong(key, format!("makes {all} bytes in the whole machine; at most {MOST_BYTES} can be simulated"))
}
