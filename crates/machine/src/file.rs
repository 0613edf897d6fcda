//! A machine file after inheritance, and the GPU that it describes.

use heddle_gpu::{
    Clocks, CoreSpec, EnergyChoice, GpuSpec, LatencyTable, LaunchSpec, SharedMemorySpec, Split,
};
use heddle_memory::cache::{CacheSpec, PolicySpec};
use heddle_memory::crossbar::CrossbarSpec;
use heddle_memory::dram::DramSpec;
use heddle_memory::hierarchy::{HierarchySpec, L2Spec};
use serde::{Deserialize, Serialize};

/// A whole machine file. The order is that of resolved files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MachineFile {
    name: String,
    description: String,
    source: String,
    /// The mechanisms that the figures contain. Reading a file takes them out of its tree before it is decoded.
    #[serde(default, skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    mechanisms: Vec<String>,
    clocks: Clocks,
    core: CoreSpec,
    latency: LatencyTable,
    shared_memory: SharedMemorySpec,
    split: Vec<Split>,
    launch: LaunchSpec,
    interconnect: CrossbarSpec,
    l1: CacheSpec,
    constant: CacheSpec,
    texture: CacheSpec,
    instruction: CacheSpec,
    l2: L2Spec,
    #[serde(default)]
    policies: PolicySpec,
    dram: DramSpec,
    energy: EnergyChoice,
}

impl MachineFile {
    /// The GPU that the file describes.
    pub(crate) fn into_spec(self) -> GpuSpec {
        GpuSpec {
            name: self.name,
            description: self.description,
            source: self.source,
            clocks: self.clocks,
            core: self.core,
            latency: self.latency,
            shared_memory: self.shared_memory,
            splits: self.split,
            launch: self.launch,
            memory: HierarchySpec {
                interconnect: self.interconnect,
                l1: self.l1,
                constant: self.constant,
                texture: self.texture,
                instruction: self.instruction,
                l2: self.l2,
                policies: self.policies,
                dram: self.dram,
            },
            energy: self.energy,
        }
    }

    /// The file that describes a GPU.
    pub(crate) fn of(spec: &GpuSpec, mechanisms: &[String]) -> MachineFile {
        let memory = spec.memory.clone();
        MachineFile {
            name: spec.name.clone(),
            description: spec.description.clone(),
            source: spec.source.clone(),
            mechanisms: mechanisms.to_vec(),
            clocks: spec.clocks,
            core: spec.core.clone(),
            latency: spec.latency,
            shared_memory: spec.shared_memory,
            split: spec.splits.clone(),
            launch: spec.launch,
            interconnect: memory.interconnect,
            l1: memory.l1,
            constant: memory.constant,
            texture: memory.texture,
            instruction: memory.instruction,
            l2: memory.l2,
            policies: memory.policies,
            dram: memory.dram,
            energy: spec.energy.clone(),
        }
    }
}
