//! Counts by name.

use super::core_side::{CACHE_NAMES, REPLIES, REQUESTS, cache_of};
use super::counters::Queueing;
use super::{Hierarchy, LatencyCounters, QueueingCounters, TrafficCounters};
use crate::cache::{CacheCounters, Role};
use crate::crossbar::CrossbarCounters;
use crate::dram::DramCounters;
use crate::request::Path;
use heddle_engine::{Catalogue, CounterGroup, Statistics, Tick};

/// What a cache of a core can be asked.
fn role_of(cache: usize) -> Role {
    match cache {
        _ if cache == cache_of(Path::Global) => Role::Core,
        _ if cache == cache_of(Path::Instruction) => Role::Instructions,
        _ => Role::ReadOnly,
    }
}

impl Hierarchy {
    /// Declares all statistics of a memory system.
    pub fn declare(catalogue: &mut Catalogue) {
        for (which, name) in CACHE_NAMES.into_iter().enumerate() {
            catalogue.declare_part::<CacheCounters>(name, |counter| role_of(which).counts(counter));
        }
        catalogue.declare_part::<CacheCounters>("l2", |counter| Role::Shared.counts(counter));
        catalogue.declare::<CrossbarCounters>("interconnect.requests");
        catalogue.declare::<CrossbarCounters>("interconnect.replies");
        catalogue.declare::<DramCounters>("dram");
        catalogue.declare::<TrafficCounters>("traffic");
        catalogue.declare::<QueueingCounters>("queueing");
        catalogue.declare::<LatencyCounters>("latency");
    }

    /// Adds all counts up to now: the caches of all cores, all slices and all channels together.
    pub fn add_statistics(&mut self, now: Tick, statistics: &mut Statistics) {
        for (which, name) in CACHE_NAMES.iter().enumerate() {
            let total = CacheCounters::sum(self.cores.iter().map(|core| &core.caches[which].counters));
            statistics.add_part(name, &total, |counter| role_of(which).counts(counter));
        }
        let total = CacheCounters::sum(self.slices.iter().map(|slice| &slice.cache.counters));
        statistics.add_part("l2", &total, |counter| Role::Shared.counts(counter));
        let (requests, replies) = (self.crossbar.counters(REQUESTS), self.crossbar.counters(REPLIES));
        statistics.add_group("interconnect.requests", &requests);
        statistics.add_group("interconnect.replies", &replies);
        let dram_queue_ticks = self.add_channels(now, statistics);
        let traffic = TrafficCounters {
            l1_l2_data_flits: requests.data_flits + replies.data_flits,
            l1_l2_address_flits: requests.address_flits + replies.address_flits,
            ..self.traffic.clone()
        };
        statistics.add_group("traffic", &traffic);
        let queueing = Queueing { dram_queue_ticks, ..self.queueing.clone() };
        statistics.add_group("queueing", &queueing.in_cycles(self.clocks.core, self.clocks.l2));
        statistics.add_group("latency", &self.latency.in_cycles(self.clocks.core, self.clocks.l2));
    }
}
