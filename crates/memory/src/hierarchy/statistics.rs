//! Counts by name.

use super::core_side::{CACHE_NAMES, REPLIES, REQUESTS};
use super::counters::Queueing;
use super::{Hierarchy, LatencyCounters, QueueingCounters, TrafficCounters};
use crate::cache::CacheCounters;
use crate::crossbar::CrossbarCounters;
use crate::dram::DramCounters;
use heddle_engine::{Catalogue, Statistics, Tick};

impl Hierarchy {
    /// Declares all statistics of a memory system.
    pub fn declare(catalogue: &mut Catalogue) {
        for name in CACHE_NAMES {
            catalogue.declare::<CacheCounters>(name);
        }
        catalogue.declare::<CacheCounters>("l2");
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
            for core in &self.cores {
                statistics.add_group(name, &core.caches[which].counters);
            }
        }
        for slice in &self.slices {
            statistics.add_group("l2", &slice.cache.counters);
        }
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
