//! The description of a whole GPU: everything that is simulated, and nothing of how a run is asked for.

use crate::spec::{CoreSpec, LatencyTable, LaunchSpec, SharedMemorySpec, Split};
use heddle_engine::Statistics;
use heddle_memory::fabric::{Clocks, FabricSpec};
use serde::{Deserialize, Serialize};
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
    /// Levels of caches that the table does not know, each with one whose prices it has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub like: BTreeMap<String, String>,
}

impl EnergyChoice {
    /// The counts with those of levels that the table does not know added to those whose prices they have.
    pub fn as_priced(&self, statistics: &Statistics) -> Statistics {
        if self.like.is_empty() {
            return statistics.clone();
        }
        let mut priced = Statistics::default();
        for (name, count) in statistics.iter() {
            let known = name.split_once('.').and_then(|(level, count)| Some((self.like.get(level)?, count)));
            let name = known.map_or_else(|| name.to_owned(), |(level, count)| format!("{level}.{count}"));
            priced.add(&Statistics::from_iter([(name, count)]));
        }
        priced
    }

    /// Whether the table has to know a statistic itself.
    pub fn prices(&self, name: &str) -> bool {
        !name.split_once('.').is_some_and(|(level, _)| self.like.contains_key(level))
    }
}
