//! What machine files of every kind have: who the machine is, its clocks, its memory system, its energy.

use crate::kind::MachineKind;
use heddle_gpu::EnergyChoice;
use heddle_memory::cache::PolicySpec;
use heddle_memory::crossbar::CrossbarSpec;
use heddle_memory::dram::DramSpec;
use heddle_memory::fabric::{AgentSpec, Clocks, FabricSpec, LevelSpec, NetworkSpec};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The last key before the tables of a kind, in resolved files.
pub(crate) const BEFORE_OWN: &str = "clocks";

/// The keys that all kinds have. The order is that of resolved files, where the tables of the kind come behind `clocks`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Common {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) source: String,
    /// What sort of machine it is.
    #[serde(default)]
    pub(crate) kind: MachineKind,
    /// The mechanisms that the figures contain. Reading a file takes them out of its tree before it is decoded.
    #[serde(default, skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub(crate) mechanisms: Vec<String>,
    /// The levels of caches, from the cores down; each is a table of this name.
    caches: Vec<String>,
    /// The networks; each is a table of this name.
    networks: Vec<String>,
    /// The agents; each is a table of this name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    agents: Vec<String>,
    pub(crate) clocks: Clocks,
    /// The tables of `networks`, of `caches` and of `agents`, which stand by themselves in files.
    network: BTreeMap<String, CrossbarSpec>,
    cache: BTreeMap<String, LevelSpec>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    agent: BTreeMap<String, AgentSpec>,
    #[serde(default)]
    policies: PolicySpec,
    dram: DramSpec,
    /// Whether a machine needs it is a matter of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) energy: Option<EnergyChoice>,
}

/// Who a machine is.
pub(crate) struct Identity<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: &'a str,
    pub(crate) source: &'a str,
}

impl Common {
    /// Takes the memory system out.
    pub(crate) fn take_memory(&mut self) -> FabricSpec {
        let Common { caches, networks, agents, .. } = self;
        let level = |name: String| {
            let spec = self.cache.remove(&name)?;
            Some(LevelSpec { name, ..spec })
        };
        let network = |name: String| {
            let crossbar = self.network.remove(&name)?;
            Some(NetworkSpec { name, crossbar })
        };
        let agent = |name: String| {
            let spec = self.agent.remove(&name)?;
            Some(AgentSpec { name, ..spec })
        };
        FabricSpec {
            caches: std::mem::take(caches).into_iter().filter_map(level).collect(),
            networks: std::mem::take(networks).into_iter().filter_map(network).collect(),
            agents: std::mem::take(agents).into_iter().filter_map(agent).collect(),
            policies: std::mem::take(&mut self.policies),
            dram: self.dram.clone(),
        }
    }

    /// The keys of a machine.
    pub(crate) fn of(
        who: &Identity<'_>,
        kind: MachineKind,
        clocks: &Clocks,
        memory: &FabricSpec,
        energy: Option<&EnergyChoice>,
    ) -> Common {
        let memory = memory.clone();
        Common {
            name: who.name.to_owned(),
            description: who.description.to_owned(),
            source: who.source.to_owned(),
            kind,
            mechanisms: Vec::new(),
            caches: memory.caches.iter().map(|level| level.name.clone()).collect(),
            networks: memory.networks.iter().map(|network| network.name.clone()).collect(),
            agents: memory.agents.iter().map(|agent| agent.name.clone()).collect(),
            clocks: clocks.clone(),
            network: memory.networks.into_iter().map(|network| (network.name, network.crossbar)).collect(),
            cache: memory.caches.into_iter().map(|level| (level.name.clone(), level)).collect(),
            agent: memory.agents.into_iter().map(|agent| (agent.name.clone(), agent)).collect(),
            policies: memory.policies,
            dram: memory.dram,
            energy: energy.cloned(),
        }
    }
}
