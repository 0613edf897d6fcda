//! The description of a whole GPU: everything that is simulated, and nothing of how a run is asked for.

use crate::spec::{CoreSpec, LatencyTable, LaunchSpec, SharedMemorySpec, Split};
use heddle_engine::{Catalogue, Meaning, Statistics};
use heddle_memory::fabric::{Clocks, FabricSpec};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A GPU. `heddle_machine` makes it from machine files, and checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuSpec {
    /// The machine's name.
    pub name: String,
    /// What it is, in a line.
    pub description: String,
    /// Where its figures are from.
    pub source: String,
    /// The clocks of cores, interconnect and L2; that of DRAM is `memory.dram.clock`.
    pub clocks: Clocks,
    /// The cores.
    pub core: CoreSpec,
    /// Latencies of operations.
    pub latency: LatencyTable,
    /// Shared memory.
    pub shared_memory: SharedMemorySpec,
    /// Ways to divide the on-chip store; at least one.
    pub splits: Vec<Split>,
    /// What a launch costs.
    pub launch: LaunchSpec,
    /// Caches, interconnect, DRAM.
    pub memory: FabricSpec,
    /// How energy is accounted for.
    pub energy: EnergyChoice,
}

/// How energy is accounted for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnergyChoice {
    /// The name of a table of energies per action.
    pub table: String,
    /// Caches and networks that are priced by another name: that of a component of the table, whether the machine has one
    /// of that name or not. A message class of a network is `network.class`, and priced like one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub like: BTreeMap<String, String>,
}

impl EnergyChoice {
    /// The name by which a table prices a statistic.
    pub fn priced_as<'a>(&self, name: &'a str) -> Cow<'a, str> {
        // The longest first: a class of a network before the network.
        let mut splits = name.rmatch_indices('.').map(|(at, _)| (&name[..at], &name[at + 1..]));
        let like = splits.find_map(|(part, count)| Some((self.like.get(part)?, count)));
        like.map_or(Cow::Borrowed(name), |(like, count)| Cow::Owned(format!("{like}.{count}")))
    }

    /// Counts by the names by which a table prices them; those that become the same are added up.
    pub fn as_priced(&self, statistics: &Statistics) -> Statistics {
        let mut priced = Statistics::default();
        statistics.iter().for_each(|(name, count)| priced.add_one(self.priced_as(name).into_owned(), count));
        priced
    }

    /// What is counted, by the names by which a table prices it.
    pub fn catalogue_as_priced(&self, catalogue: &Catalogue) -> Catalogue {
        let mut priced = Catalogue::default();
        for (name, Meaning { unit, description }) in catalogue.iter() {
            priced.declare_one(self.priced_as(name).into_owned(), unit.clone(), description.clone());
        }
        priced
    }
}
