//! `kind = "gpu"`: SIMT cores that execute PTX, and their launches.

use super::{Kind, MachineKind};
use crate::check;
use crate::common::{Common, Identity};
use crate::decode::Fault;
use heddle_gpu::{CoreSpec, GpuSpec, LatencyTable, LaunchSpec, SharedMemorySpec, Split};
use heddle_memory::SpecError;
use heddle_memory::fabric::{Clocks, FabricSpec};
use serde::de::Error as _;
use serde::{Deserialize, Serialize};

/// The tables that files of GPUs have beside those of all machines.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GpuTables {
    core: CoreSpec,
    latency: LatencyTable,
    shared_memory: SharedMemorySpec,
    split: Vec<Split>,
    launch: LaunchSpec,
}

impl Kind for GpuTables {
    type Spec = GpuSpec;

    fn into_spec(self, mut common: Common) -> Result<GpuSpec, Fault> {
        let memory = common.take_memory();
        Ok(GpuSpec {
            name: common.name,
            description: common.description,
            source: common.source,
            clocks: common.clocks,
            core: self.core,
            latency: self.latency,
            shared_memory: self.shared_memory,
            splits: self.split,
            launch: self.launch,
            memory,
            energy: common.energy.ok_or_else(|| Fault::missing_field("energy"))?,
        })
    }

    fn of(spec: &GpuSpec) -> (Common, GpuTables) {
        let who = Identity { name: &spec.name, description: &spec.description, source: &spec.source };
        let common = Common::of(&who, MachineKind::Gpu, &spec.clocks, &spec.memory, Some(&spec.energy));
        let own = GpuTables {
            core: spec.core.clone(),
            latency: spec.latency,
            shared_memory: spec.shared_memory,
            split: spec.splits.clone(),
            launch: spec.launch,
        };
        (common, own)
    }

    fn clocks_mut(spec: &mut GpuSpec) -> &mut Clocks {
        &mut spec.clocks
    }

    fn paths() -> Vec<String> {
        // Keys without a value are not written.
        ["core.prefetch_conditional", "shared_memory.unified"].map(str::to_owned).to_vec()
    }

    fn memory_mut(spec: &mut GpuSpec) -> &mut FabricSpec {
        &mut spec.memory
    }

    fn check(spec: &GpuSpec) -> Result<(), SpecError> {
        check::gpu(spec)
    }
}
