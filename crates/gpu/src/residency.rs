//! How many blocks of a kernel a core holds, and how its on-chip store is divided for them.

use crate::gpu_spec::GpuSpec;
use crate::spec::Split;
use heddle_engine::units::Bytes;
use heddle_memory::cache::CacheSpec;
use heddle_memory::request::Path;
use heddle_ptx::analysis::{CoreLimits, KernelNeeds, Occupancy, occupancy};

/// Threads of a warp.
const WARP: u32 = 32;

/// What a launch finds on every core.
#[derive(Clone, Debug)]
pub(crate) struct Residency {
    pub(crate) occupancy: Occupancy,
    /// The data cache that the division leaves.
    pub(crate) l1: CacheSpec,
}

/// Chooses the division of the on-chip store: among those with the most resident blocks, the first of the file.
pub(crate) fn residency(spec: &GpuSpec, kernel: &str, needs: KernelNeeds) -> Result<Residency, String> {
    let mut best: Option<Residency> = None;
    let mut problem = String::new();
    for split in &spec.splits {
        match occupancy(&core_limits(spec, &[split.shared]), needs) {
            Err(error) => problem = error.of_kernel(kernel),
            Ok(found) => {
                if best.as_ref().is_none_or(|best| found.blocks > best.occupancy.blocks) {
                    best = Some(Residency {
                        occupancy: found,
                        l1: divided(spec.memory.serving(Path::Global).slice(), split),
                    });
                }
            }
        }
    }
    best.ok_or(problem)
}

impl Residency {
    /// Where registers, shared memory and the data cache share one storage (\[Lakshminarayana14\] section 3.5.5): the data
    /// cache has what the resident blocks leave, with so many registers of a thread for prefetching beside the kernel's
    /// own. In whole ways, so that its sets stay; one at least.
    pub(crate) fn unify(&mut self, spec: &GpuSpec, needs: KernelNeeds, spare: u32) {
        let store = spec.shared_memory.unified.0;
        if store == 0 {
            return;
        }
        let (core, occupancy) = (&spec.core, &self.occupancy);
        let warp = ((needs.registers + spare) * WARP).next_multiple_of(core.register_unit.max(1));
        let registers = 4 * u64::from(occupancy.warps) * u64::from(warp);
        let block = u64::from(needs.shared_bytes).next_multiple_of(spec.shared_memory.unit.0.max(1));
        let left = store.saturating_sub(registers + u64::from(occupancy.blocks) * block);
        let way = u64::from(self.l1.sets()) * self.l1.line.0;
        let ways = (left / way.max(1)).max(1);
        self.l1.ways = ways as u32;
        self.l1.size = Bytes(ways * way);
    }
}

/// The data cache that a division leaves.
fn divided(mut l1: CacheSpec, split: &Split) -> CacheSpec {
    if split.l1_size.0 > 0 {
        l1.size = split.l1_size;
        l1.ways = split.l1_ways;
    }
    l1
}

/// What bounds the blocks and warps of a core with these sizes of shared memory to choose from.
pub fn core_limits(spec: &GpuSpec, shared: &[Bytes]) -> CoreLimits {
    let core = &spec.core;
    let bounded = |bytes: Bytes| u32::try_from(bytes.0).unwrap_or(u32::MAX);
    let mut shared_bytes: Vec<u32> = shared.iter().map(|&bytes| bounded(bytes)).collect();
    shared_bytes.sort_unstable_by(|a, b| b.cmp(a));
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
        shared_bytes,
        shared_unit: bounded(spec.shared_memory.unit).max(1),
    }
}
