//! `kind = "memory"`: a memory system alone, with requesters in place of cores. It runs no programs: a trace of requests
//! drives it.

use super::{Kind, MachineKind};
use crate::check;
use crate::common::{Common, Identity};
use crate::decode::Fault;
use heddle_gpu::{EnergyChoice, GpuSpec};
use heddle_memory::SpecError;
use heddle_memory::fabric::{Clocks, FabricSpec, keys_of};
use serde::{Deserialize, Serialize};

/// A memory system, and who asks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemorySpec {
    /// The machine's name.
    pub name: String,
    /// What it is, in a line.
    pub description: String,
    /// Where its figures are from.
    pub source: String,
    /// The clocks of requesters, networks and shared caches; that of DRAM is `memory.dram.clock`.
    pub clocks: Clocks,
    /// Who asks.
    pub requesters: RequesterSpec,
    /// Caches, networks, DRAM.
    pub memory: FabricSpec,
    /// How energy is accounted for, if it is.
    pub energy: Option<EnergyChoice>,
}

/// Who asks a memory system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequesterSpec {
    /// How many, each with a first cache of its own.
    pub count: u32,
}

/// The memory system of a GPU, with a requester in place of each core.
impl From<GpuSpec> for MemorySpec {
    fn from(gpu: GpuSpec) -> MemorySpec {
        MemorySpec {
            name: gpu.name,
            description: gpu.description,
            source: gpu.source,
            clocks: gpu.clocks,
            requesters: RequesterSpec { count: gpu.core.count },
            memory: gpu.memory,
            energy: Some(gpu.energy),
        }
    }
}

/// The tables that files of memory systems have beside those of all machines.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemoryTables {
    requesters: RequesterSpec,
}

impl Kind for MemoryTables {
    type Spec = MemorySpec;

    fn paths() -> Vec<String> {
        keys_of::<RequesterSpec>().iter().map(|key| format!("requesters.{key}")).collect()
    }

    fn into_spec(self, mut common: Common) -> Result<MemorySpec, Fault> {
        let memory = common.take_memory();
        Ok(MemorySpec {
            name: common.name,
            description: common.description,
            source: common.source,
            clocks: common.clocks,
            requesters: self.requesters,
            memory,
            energy: common.energy,
        })
    }

    fn of(spec: &MemorySpec) -> (Common, MemoryTables) {
        let who = Identity { name: &spec.name, description: &spec.description, source: &spec.source };
        let common = Common::of(&who, MachineKind::Memory, &spec.clocks, &spec.memory, spec.energy.as_ref());
        (common, MemoryTables { requesters: spec.requesters })
    }

    fn clocks_mut(spec: &mut MemorySpec) -> &mut Clocks {
        &mut spec.clocks
    }

    fn memory_mut(spec: &mut MemorySpec) -> &mut FabricSpec {
        &mut spec.memory
    }

    fn check(spec: &MemorySpec) -> Result<(), SpecError> {
        check::memory_alone(spec)
    }
}
