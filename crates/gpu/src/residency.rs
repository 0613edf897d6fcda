//! How many blocks of a kernel a core holds, and how its on-chip store is divided for them.

use crate::gpu_spec::GpuSpec;
use crate::spec::Split;
use heddle_memory::cache::CacheSpec;
use heddle_ptx::analysis::{CoreLimits, KernelNeeds, Occupancy, occupancy};

/// What a launch finds on every core.
#[derive(Clone, Debug)]
pub(crate) struct Residency {
    pub(crate) occupancy: Occupancy,
    /// The data cache that the division leaves.
    pub(crate) l1: CacheSpec,
}

/// Chooses the division of the on-chip store: among those with the most resident blocks, the first of the file.
pub(crate) fn residency(spec: &GpuSpec, needs: KernelNeeds) -> Result<Residency, String> {
    let mut best: Option<Residency> = None;
    let mut problem = String::new();
    for split in &spec.splits {
        match occupancy(&limits(spec, split), needs) {
            Err(error) => problem = error.to_string(),
            Ok(found) => {
                if best.as_ref().is_none_or(|best| found.blocks > best.occupancy.blocks) {
                    best = Some(Residency { occupancy: found, l1: divided(&spec.memory.l1, split) });
                }
            }
        }
    }
    best.ok_or(problem)
}

/// The data cache that a division leaves.
fn divided(l1: &CacheSpec, split: &Split) -> CacheSpec {
    let mut l1 = l1.clone();
    if split.l1_size.0 > 0 {
        l1.size = split.l1_size;
        l1.ways = split.l1_ways;
    }
    l1
}

fn limits(spec: &GpuSpec, split: &Split) -> CoreLimits {
    let core = &spec.core;
    CoreLimits {
        name: spec.name.clone(),
        source: spec.source.clone(),
        cores: core.count,
        warps: core.warps,
        threads: core.threads,
        blocks: core.blocks,
        threads_per_block: core.threads_per_block,
        registers: core.registers,
        registers_per_thread: core.registers_per_thread,
        register_unit: core.register_unit,
        warp_granularity: core.warp_granularity,
        shared_bytes: vec![split.shared.0 as u32],
        shared_unit: spec.shared_memory.unit.0.max(1) as u32,
    }
}
