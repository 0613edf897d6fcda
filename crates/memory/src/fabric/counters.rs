//! What the fabric counts itself, besides its parts.

use super::in_prose;
use super::spec::FabricSpec;
use crate::controller::Counts;
use crate::request::{Access, Answerer, Request};
use heddle_engine::{Catalogue, Clock, Statistics, Tick};

heddle_engine::counters! {
    /// Time spent waiting in queues, summed over what waits; the crossbar and DRAM count their own.
    pub struct QueueingCounters {
        miss_queue: "core cycles", "In the miss queues of the cores' caches.";
        refused_mshrs: "times", "Requests that a core's cache refused: every MSHR was in use.";
        refused_merges: "times", "Requests that a core's cache refused: too many waited for the line.";
        refused_ways: "times", "Requests that a core's cache refused: every way of the set was reserved.";
        refused_miss_queue: "times", "Requests that a core's cache refused: its miss queue was full.";
        prefetches_dropped: "lines", "Prefetches for which a queue had no room.";
    }
}

heddle_engine::counters! {
    /// How long requests took, from the core and back; reads are counted by who answered ([`Latency::declare`]).
    pub struct LatencyCounters {
        writes: "requests", "Writes that the last level acknowledged.";
        write_cycles: "core cycles", "From a write to its acknowledgement.";
        atomics: "requests", "Atomics performed by the last level.";
        atomic_cycles: "core cycles", "From an atomic to its answer.";
        dram_fetches: "fetches", "Fetches of the last level's slices from DRAM.";
        dram_fetch_cycles: "cycles of the level", "From a slice's miss to its fill.";
    }
}

heddle_engine::counters! {
    /// What Flexclusion did: the mode of those sets that follow the monitors.
    pub struct ModeCounters {
        exclusive_cycles: "core cycles", "While sets that follow the monitors were exclusive.";
        non_inclusive_cycles: "core cycles", "While they were non-inclusive.";
        switches: "times", "Changes of their mode.";
    }
}

/// How long Flexclusion was in each mode.
#[derive(Clone, Debug, Default)]
pub(super) struct ModeTimes {
    exclusive: bool,
    since: u64,
    /// Ticks in either mode before that.
    non_inclusive_ticks: u64,
    exclusive_ticks: u64,
    switches: u64,
}

impl ModeTimes {
    /// The mode is this one from now on.
    pub(super) fn set(&mut self, now: Tick, exclusive: bool) {
        let elapsed = now.0.saturating_sub(self.since);
        *if self.exclusive { &mut self.exclusive_ticks } else { &mut self.non_inclusive_ticks } += elapsed;
        self.switches += u64::from(self.exclusive != exclusive);
        (self.since, self.exclusive) = (now.0, exclusive);
    }

    pub(super) fn in_cycles(&self, now: Tick, core: Clock) -> ModeCounters {
        let mut times = self.clone();
        times.set(now, self.exclusive);
        ModeCounters {
            exclusive_cycles: times.exclusive_ticks / core.period(),
            non_inclusive_cycles: times.non_inclusive_ticks / core.period(),
            switches: times.switches,
        }
    }
}

/// What was refused or dropped.
#[derive(Clone, Debug, Default)]
pub(super) struct Queueing {
    pub(super) refused_mshrs: u64,
    pub(super) refused_merges: u64,
    pub(super) refused_ways: u64,
    pub(super) refused_miss_queue: u64,
    pub(super) prefetches_dropped: u64,
}

impl Queueing {
    /// With the core cycles that requests waited in the miss queues of cores' caches.
    pub(super) fn with(&self, miss_queue: u64) -> QueueingCounters {
        QueueingCounters {
            miss_queue,
            refused_mshrs: self.refused_mshrs,
            refused_merges: self.refused_merges,
            refused_ways: self.refused_ways,
            refused_miss_queue: self.refused_miss_queue,
            prefetches_dropped: self.prefetches_dropped,
        }
    }
}

/// How many, and how many ticks in all.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    count: u64,
    ticks: u64,
}

/// Sums of latencies.
#[derive(Clone, Debug)]
pub(super) struct Latency {
    /// By answerer.
    reads: Vec<Taken>,
    writes: Taken,
    atomics: Taken,
}

impl Latency {
    pub(super) fn new(spec: &FabricSpec) -> Latency {
        let reads = vec![Taken::default(); spec.answerers().len()];
        Latency { reads, writes: Taken::default(), atomics: Taken::default() }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, request: &Request, answerer: Answerer, ticks: u64) {
        let taken = match request.access {
            Access::Write => &mut self.writes,
            Access::Atomic => &mut self.atomics,
            Access::Read | Access::Prefetch => &mut self.reads[answerer.index()],
        };
        taken.count += 1;
        taken.ticks += ticks;
    }

    /// Declares what is counted by answerer. A core's own cache answers without a message.
    pub(super) fn declare(spec: &FabricSpec, catalogue: &mut Catalogue) {
        for (_, name) in spec.answerers().into_iter().filter(|(answerer, _)| *answerer != Answerer::CORE) {
            let prose = in_prose(name);
            let reads = format!("Reads answered by {prose}.");
            catalogue.declare_one(format!("latency.{name}_reads"), "requests", reads);
            let cycles = format!("From a core's miss to its fill, of reads answered by {prose}.");
            catalogue.declare_one(format!("latency.{name}_read_cycles"), "core cycles", cycles);
        }
    }

    /// Adds what is counted by answerer.
    pub(super) fn add_reads(&self, names: &[(Answerer, String)], core: Clock, statistics: &mut Statistics) {
        for (answerer, name) in names.iter().filter(|(answerer, _)| *answerer != Answerer::CORE) {
            let taken = self.reads[answerer.index()];
            statistics.add_one(format!("latency.{name}_reads"), taken.count);
            statistics.add_one(format!("latency.{name}_read_cycles"), taken.ticks / core.period());
        }
    }

    pub(super) fn in_cycles(&self, core: Clock, l2: Clock, memory: &Counts) -> LatencyCounters {
        LatencyCounters {
            writes: self.writes.count,
            write_cycles: self.writes.ticks / core.period(),
            atomics: self.atomics.count,
            atomic_cycles: self.atomics.ticks / core.period(),
            dram_fetches: memory.fetches,
            dram_fetch_cycles: memory.fetch_ticks / l2.period(),
        }
    }
}
