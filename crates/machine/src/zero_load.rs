//! Latencies without load of a resolved machine, measured on its memory system.

use crate::error::MachineError;
use heddle_engine::TimeBase;
use heddle_gpu::GpuSpec;
use heddle_memory::fabric::{ClockDomains, ZeroLoad};

/// Round trips of a lone read, in core cycles: a hit in the core's data cache, in each shared level, a closed row of DRAM.
pub fn zero_load(spec: &GpuSpec) -> Result<ZeroLoad, MachineError> {
    let frequencies = [spec.clocks.core, spec.clocks.interconnect, spec.clocks.l2, spec.memory.dram.clock];
    let base =
        TimeBase::common(&frequencies).map_err(|error| MachineError::of_key("clocks", error.to_string()))?;
    let [core, interconnect, l2, dram] = frequencies.map(|frequency| base.clock(frequency));
    Ok(ZeroLoad::measure(&spec.memory, ClockDomains { core, interconnect, l2, dram })?)
}
