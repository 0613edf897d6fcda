//! Counts by name.

use super::agent::Agents;
use super::counters::{Latency, ModeCounters};
use super::queueing;
use super::{
    Fabric, FabricSpec, LatencyCounters, LevelSpec, MEMORY, QueueingCounters, in_cycles_of, in_prose,
};
use crate::cache::policy::bypass::DecisionCounters;
use crate::cache::{CacheCounters, InclusionKind, Role, SharingCounters};
use crate::crossbar::CrossbarCounters;
use crate::dram::DramCounters;
use crate::request::{Answerer, Path};
use heddle_engine::{Catalogue, CounterGroup, Statistics, Tick};

/// Whether the caches of a level can move a counter.
fn counts(level: &LevelSpec, counter: &str) -> bool {
    role_of(level).counts(counter, level.victim_lines)
}

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

/// The group of what Flexclusion counts.
const MODES: &str = "flexclusion";

/// Whether a level changes between modes.
fn has_modes(level: &LevelSpec) -> bool {
    level.inclusion == InclusionKind::Flexclusion
}

/// Names of statistics that follow from the shape of a memory system.
#[derive(Clone, Debug)]
pub(super) struct Names {
    answerers: Vec<(Answerer, String)>,
    /// By network, and to memory.
    traffic: Vec<String>,
    /// The last level of the data path.
    pub(super) last_level: String,
}

impl Names {
    pub(super) fn new(spec: &FabricSpec) -> Names {
        let answerers = spec.answerers().into_iter().map(|(answerer, name)| (answerer, name.to_owned()));
        let traffic = spec.traffic().into_iter().map(|ends| ends.join("_"));
        let last_level = spec.last_level().name.clone();
        Names { answerers: answerers.collect(), traffic: traffic.collect(), last_level }
    }
}

/// On-chip traffic by network and to memory, in packets of the same sizes (\[Lakshminarayana14\] chapter 4 has four parts:
/// data and addresses between the cores' caches and L2, and between L2 and the memory controllers).
fn declare_traffic(spec: &FabricSpec, catalogue: &mut Catalogue) {
    let core = &spec.serving(Path::Global).name;
    for ends in spec.traffic() {
        let name = ends.join("_");
        let in_words = |end: &&str| match *end {
            MEMORY => "the memory controllers".to_owned(),
            end if end == core => "the cores".to_owned(),
            end => in_prose(end),
        };
        let between: Vec<String> = ends.iter().map(in_words).collect();
        let between = format!("between {}, both ways", between.join(" and "));
        let addresses = match ends[..] {
            [last, MEMORY] => {
                format!("Flits of fetches that {} sends to the memory controllers.", in_prose(last))
            }
            _ => format!("Flits of packets without data {between}."),
        };
        let data = format!("Flits of packets with data {between}.");
        catalogue.declare_one(format!("traffic.{name}_data_flits"), "flits", data);
        catalogue.declare_one(format!("traffic.{name}_address_flits"), "flits", addresses);
    }
}

fn add_traffic(statistics: &mut Statistics, name: &str, data: u64, addresses: u64) {
    statistics.add_one(format!("traffic.{name}_data_flits"), data);
    statistics.add_one(format!("traffic.{name}_address_flits"), addresses);
}

impl Fabric {
    /// Declares all statistics of a memory system.
    pub fn declare(spec: &FabricSpec, catalogue: &mut Catalogue) {
        for level in &spec.caches {
            catalogue.declare_part::<CacheCounters>(&level.name, |counter| counts(level, counter));
            if level.bypass.finds_out() {
                catalogue.declare::<DecisionCounters>(&format!("{}.bypass", level.name));
            }
            if level.count_sharing {
                catalogue.declare::<SharingCounters>(&level.name);
            }
        }
        for network in &spec.networks {
            for class in network.crossbar.message_classes() {
                catalogue.declare::<CrossbarCounters>(&format!("{}.{}", network.name, class.name));
            }
        }
        Agents::declare(&spec.agents, catalogue);
        catalogue.declare::<DramCounters>("dram");
        declare_traffic(spec, catalogue);
        if spec.caches.iter().any(has_modes) {
            catalogue.declare::<ModeCounters>(MODES);
        }
        catalogue.declare::<QueueingCounters>("queueing");
        queueing::declare(spec, catalogue);
        Latency::declare(spec, catalogue);
        catalogue
            .declare_in::<LatencyCounters>("latency", |unit| in_cycles_of(unit, &spec.last_level().name));
    }

    /// Adds all counts up to now: all caches of a level and all channels together.
    pub fn add_statistics(&mut self, now: Tick, statistics: &mut Statistics) {
        for level in &self.levels {
            let nodes = &mut self.nodes[level.first.index()..][..level.nodes];
            let found: Vec<&DecisionCounters> =
                nodes.iter_mut().filter_map(|node| node.cache.decisions()).collect();
            if !found.is_empty() {
                let total = DecisionCounters::sum(found);
                statistics.add_group(&format!("{}.bypass", level.spec.name), &total);
            }
            if level.spec.count_sharing {
                let total = SharingCounters::sum(nodes.iter().filter_map(|node| node.cache.sharing()));
                statistics.add_group(&level.spec.name, &total);
            }
            let total = CacheCounters::sum(nodes.iter().map(|node| &node.cache.counters));
            statistics.add_part(&level.spec.name, &total, |counter| counts(&level.spec, counter));
        }
        let counted = self.ctx.memory.counts(now);
        for (network, traffic) in self.ctx.networks.iter().zip(&self.names.traffic) {
            for (class, name) in network.classes.names() {
                let counters = network.crossbar.counters(class);
                add_traffic(statistics, traffic, counters.data_flits, counters.address_flits);
                statistics.add_group(&format!("{}.{name}", network.name), &counters);
            }
        }
        if let Some(to_memory) = self.names.traffic.last() {
            add_traffic(statistics, to_memory, counted.data_flits, self.ctx.fetch_flits);
        }
        self.agents.add_statistics(statistics);
        if self.levels.iter().any(|level| has_modes(&level.spec)) {
            statistics.add_group(MODES, &self.ctx.modes.in_cycles(now, self.ctx.core_clock));
        }
        let (core, l2) = (self.ctx.core_clock, self.ctx.last_level_clock);
        statistics.add_group("dram", &counted.dram);
        self.add_queueing(&counted, statistics);
        self.ctx.latency.add_reads(&self.names.answerers, core, statistics);
        statistics.add_group("latency", &self.ctx.latency.in_cycles(core, l2, &counted));
    }
}
