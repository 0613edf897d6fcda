//! A machine file after inheritance, and the GPU that it describes.

use heddle_gpu::{
    Clocks, CoreSpec, EnergyChoice, GpuSpec, LatencyTable, LaunchSpec, SharedMemorySpec, Split,
};
use heddle_memory::cache::PolicySpec;
use heddle_memory::crossbar::CrossbarSpec;
use heddle_memory::dram::DramSpec;
use heddle_memory::fabric::{AgentSpec, FabricSpec, LevelSpec, NetworkSpec};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What sort of machine a file describes.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) enum MachineKind {
    /// SIMT cores that execute PTX.
    #[default]
    #[serde(rename = "gpu")]
    Gpu,
}

/// A whole machine file. The order is that of resolved files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MachineFile {
    name: String,
    description: String,
    source: String,
    /// What sort of machine it is.
    #[serde(default)]
    kind: MachineKind,
    /// The mechanisms that the figures contain. Reading a file takes them out of its tree before it is decoded.
    #[serde(default, skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    mechanisms: Vec<String>,
    /// The levels of caches, from the cores down; each is a table of this name.
    caches: Vec<String>,
    /// The networks; each is a table of this name.
    networks: Vec<String>,
    /// The agents; each is a table of this name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    agents: Vec<String>,
    clocks: Clocks,
    core: CoreSpec,
    latency: LatencyTable,
    shared_memory: SharedMemorySpec,
    split: Vec<Split>,
    launch: LaunchSpec,
    /// The tables of `networks`, of `caches` and of `agents`, which stand by themselves in files.
    network: BTreeMap<String, CrossbarSpec>,
    cache: BTreeMap<String, LevelSpec>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    agent: BTreeMap<String, AgentSpec>,
    #[serde(default)]
    policies: PolicySpec,
    dram: DramSpec,
    energy: EnergyChoice,
}

impl MachineFile {
    /// The GPU that the file describes.
    pub(crate) fn into_spec(mut self) -> GpuSpec {
        let level = |name: String| {
            let spec = self.cache.remove(&name)?;
            Some(LevelSpec { name, ..spec })
        };
        let caches = self.caches.into_iter().filter_map(level).collect();
        let network = |name: String| {
            let crossbar = self.network.remove(&name)?;
            Some(NetworkSpec { name, crossbar })
        };
        let networks = self.networks.into_iter().filter_map(network).collect();
        let agent = |name: String| {
            let spec = self.agent.remove(&name)?;
            Some(AgentSpec { name, ..spec })
        };
        let agents = self.agents.into_iter().filter_map(agent).collect();
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
            memory: FabricSpec { caches, networks, agents, policies: self.policies, dram: self.dram },
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
            kind: MachineKind::Gpu,
            mechanisms: mechanisms.to_vec(),
            caches: memory.caches.iter().map(|level| level.name.clone()).collect(),
            networks: memory.networks.iter().map(|network| network.name.clone()).collect(),
            agents: memory.agents.iter().map(|agent| agent.name.clone()).collect(),
            clocks: spec.clocks,
            core: spec.core.clone(),
            latency: spec.latency,
            shared_memory: spec.shared_memory,
            split: spec.splits.clone(),
            launch: spec.launch,
            network: memory.networks.into_iter().map(|network| (network.name, network.crossbar)).collect(),
            cache: memory.caches.into_iter().map(|level| (level.name.clone(), level)).collect(),
            agent: memory.agents.into_iter().map(|agent| (agent.name.clone(), agent)).collect(),
            policies: memory.policies,
            dram: memory.dram,
            energy: spec.energy.clone(),
        }
    }
}
