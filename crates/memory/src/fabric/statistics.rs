//! Counts by name.

use super::{Fabric, FabricSpec, LatencyCounters, LevelSpec, QueueingCounters, TrafficCounters};
use crate::cache::{CacheCounters, Role};
use crate::crossbar::{Class, CrossbarCounters};
use crate::dram::DramCounters;
use crate::message::class;
use crate::request::Path;
use heddle_engine::{Catalogue, CounterGroup, Statistics, Tick};

/// What a cache of a level can be asked.
fn role_of(level: &LevelSpec) -> Role {
    match level.serves.as_slice() {
        [] if level.is_last() => Role::Shared,
        [] => Role::Between,
        serves if serves.contains(&Path::Global) => Role::Core,
        serves if serves.contains(&Path::Instruction) => Role::Instructions,
        _ => Role::ReadOnly,
    }
}

impl Fabric {
    /// Declares all statistics of a memory system.
    pub fn declare(spec: &FabricSpec, catalogue: &mut Catalogue) {
        for level in &spec.caches {
            let role = role_of(level);
            catalogue.declare_part::<CacheCounters>(&level.name, |counter| role.counts(counter));
        }
        for network in &spec.networks {
            for class in class::NAMES {
                catalogue.declare::<CrossbarCounters>(&format!("{}.{class}", network.name));
            }
        }
        Fabric::declare_agents(&spec.agents, catalogue);
        catalogue.declare::<DramCounters>("dram");
        catalogue.declare::<TrafficCounters>("traffic");
        catalogue.declare::<QueueingCounters>("queueing");
        catalogue.declare::<LatencyCounters>("latency");
    }

    /// Adds all counts up to now: all caches of a level and all channels together.
    pub fn add_statistics(&mut self, now: Tick, statistics: &mut Statistics) {
        for level in &self.levels {
            let nodes = &self.nodes[level.first.index()..][..level.nodes];
            let total = CacheCounters::sum(nodes.iter().map(|node| &node.cache.counters));
            let role = role_of(&level.spec);
            statistics.add_part(&level.spec.name, &total, |counter| role.counts(counter));
        }
        let counted = self.ctx.memory.counts(now);
        let mut traffic = TrafficCounters {
            l2_dram_data_flits: counted.data_flits,
            l2_dram_address_flits: self.ctx.fetch_flits,
            ..TrafficCounters::default()
        };
        for network in &self.ctx.networks {
            for (number, class) in class::NAMES.into_iter().enumerate() {
                let counters = network.crossbar.counters(Class(number as u8));
                traffic.l1_l2_data_flits += counters.data_flits;
                traffic.l1_l2_address_flits += counters.address_flits;
                statistics.add_group(&format!("{}.{class}", network.name), &counters);
            }
        }
        self.add_agents(statistics);
        let (core, l2) = (self.ctx.clocks.core, self.ctx.clocks.l2);
        statistics.add_group("dram", &counted.dram);
        statistics.add_group("traffic", &traffic);
        statistics.add_group("queueing", &self.ctx.queueing.in_cycles(core, l2, &counted));
        statistics.add_group("latency", &self.ctx.latency.in_cycles(core, l2, &counted));
    }
}
