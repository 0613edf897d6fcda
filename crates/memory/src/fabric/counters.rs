//! What the fabric counts itself, besides its parts.

use crate::controller::Counts;
use crate::request::{Access, Level, Request};
use heddle_engine::Clock;

heddle_engine::counters! {
    /// On-chip traffic in four parts (\[Lakshminarayana14\] chapter 4): between the cores' caches and L2, and
    /// between L2 and the memory controllers, by packets of the same sizes.
    pub struct TrafficCounters {
        l1_l2_data_flits: "flits", "Flits of packets with data between the cores and L2, both ways.";
        l1_l2_address_flits: "flits", "Flits of packets without data between the cores and L2, both ways.";
        l2_dram_data_flits: "flits", "Flits of packets with data between L2 and the memory controllers, both ways.";
        l2_dram_address_flits: "flits", "Flits of fetches that L2 sends to the memory controllers.";
    }
}

heddle_engine::counters! {
    /// Time spent waiting in queues, summed over what waits; the crossbar and DRAM count their own.
    pub struct QueueingCounters {
        miss_queue: "core cycles", "In the miss queues of the cores' caches.";
        slice_input: "L2 cycles", "Before the tags of L2 slices, after their pipeline.";
        reply_queue: "L2 cycles", "In the reply queues of L2 slices.";
        dram_queue: "L2 cycles", "In the queues from L2 slices to DRAM channels.";
        refused_mshrs: "times", "Requests that a core's cache refused: every MSHR was in use.";
        refused_merges: "times", "Requests that a core's cache refused: too many waited for the line.";
        refused_ways: "times", "Requests that a core's cache refused: every way of the set was reserved.";
        refused_miss_queue: "times", "Requests that a core's cache refused: its miss queue was full.";
        prefetches_dropped: "lines", "Prefetches for which a queue had no room.";
    }
}

heddle_engine::counters! {
    /// How long requests took, from the core and back.
    pub struct LatencyCounters {
        l2_reads: "requests", "Reads answered by shared caches: L2, and levels above it where a machine has some.";
        l2_read_cycles: "core cycles", "From a core's miss to its fill, of reads answered by shared caches.";
        dram_reads: "requests", "Reads answered by DRAM.";
        dram_read_cycles: "core cycles", "From a core's miss to its fill, of reads answered by DRAM.";
        writes: "requests", "Writes that L2 acknowledged.";
        write_cycles: "core cycles", "From a write to its acknowledgement.";
        atomics: "requests", "Atomics performed by L2.";
        atomic_cycles: "core cycles", "From an atomic to its answer.";
        dram_fetches: "fetches", "Fetches of L2 slices from DRAM.";
        dram_fetch_cycles: "L2 cycles", "From a slice's miss to its fill.";
    }
}

/// Sums of waiting, in ticks where they are times.
#[derive(Clone, Debug, Default)]
pub(super) struct Queueing {
    pub(super) miss_queue_ticks: u64,
    pub(super) slice_input_ticks: u64,
    pub(super) reply_queue_ticks: u64,
    pub(super) refused_mshrs: u64,
    pub(super) refused_merges: u64,
    pub(super) refused_ways: u64,
    pub(super) refused_miss_queue: u64,
    pub(super) prefetches_dropped: u64,
}

impl Queueing {
    pub(super) fn in_cycles(&self, core: Clock, l2: Clock, memory: &Counts) -> QueueingCounters {
        QueueingCounters {
            miss_queue: self.miss_queue_ticks / core.period(),
            slice_input: self.slice_input_ticks / l2.period(),
            reply_queue: self.reply_queue_ticks / l2.period(),
            dram_queue: memory.queue_ticks / l2.period(),
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
#[derive(Clone, Debug, Default)]
pub(super) struct Latency {
    reads: [Taken; 2],
    writes: Taken,
    atomics: Taken,
}

impl Latency {
    #[inline(always)]
    pub(super) fn add(&mut self, request: &Request, level: Level, ticks: u64) {
        let taken = match request.access {
            Access::Write => &mut self.writes,
            Access::Atomic => &mut self.atomics,
            Access::Read | Access::Prefetch => &mut self.reads[usize::from(level == Level::Dram)],
        };
        taken.count += 1;
        taken.ticks += ticks;
    }

    pub(super) fn in_cycles(&self, core: Clock, l2: Clock, memory: &Counts) -> LatencyCounters {
        LatencyCounters {
            l2_reads: self.reads[0].count,
            l2_read_cycles: self.reads[0].ticks / core.period(),
            dram_reads: self.reads[1].count,
            dram_read_cycles: self.reads[1].ticks / core.period(),
            writes: self.writes.count,
            write_cycles: self.writes.ticks / core.period(),
            atomics: self.atomics.count,
            atomic_cycles: self.atomics.ticks / core.period(),
            dram_fetches: memory.fetches,
            dram_fetch_cycles: memory.fetch_ticks / l2.period(),
        }
    }
}
