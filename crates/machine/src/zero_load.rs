//! Latencies without load of a resolved machine, measured on its memory system.

use crate::error::MachineError;
use heddle_gpu::GpuSpec;
use heddle_memory::fabric::{Clocks, FabricSpec, ZeroLoad};

/// Round trips of a lone read, in core cycles: a hit in the core's data cache, in each shared level, a closed row of DRAM.
pub fn zero_load(spec: &GpuSpec) -> Result<ZeroLoad, MachineError> {
    zero_load_of(&spec.memory, &spec.clocks)
}

/// The same of a memory system by itself.
pub fn zero_load_of(memory: &FabricSpec, clocks: &Clocks) -> Result<ZeroLoad, MachineError> {
    let domains = clocks.domains(memory.dram.clock);
    let domains = domains.map_err(|error| MachineError::of_key("clocks", error.to_string()))?;
    Ok(ZeroLoad::measure(memory, &domains)?)
}
