//! The definitions of all ratios.

use super::Ratio;

/// Every ratio, by group.
pub(crate) const RATIOS: &[Ratio] = &[
    Ratio {
        name: "core.ipc",
        unit: "instructions/cycle",
        formula: "run.warp_instructions / run.cycles",
        description: "Warp instructions per core cycle, of all cores together.",
    },
    Ratio {
        name: "core.ipc_per_core",
        unit: "instructions/cycle",
        formula: "run.warp_instructions / (run.cycles * machine.cores)",
        description: "Warp instructions per core cycle of one core, on average.",
    },
    Ratio {
        name: "core.thread_ipc",
        unit: "instructions/cycle",
        formula: "run.thread_instructions / run.cycles",
        description: "Thread instructions per core cycle, of all cores together.",
    },
    Ratio {
        name: "core.lanes_active",
        unit: "lanes",
        formula: "run.thread_instructions / run.warp_instructions",
        description: "Lanes of 32 that a warp instruction executed for, on average; divergence lowers it.",
    },
    Ratio {
        name: "core.occupancy",
        unit: "%",
        formula: "100 * core.resident_warp_cycles / (core.cycles * machine.warps_per_core)",
        description: "Room for warps that was taken, over all cores and cycles.",
    },
    Ratio {
        name: "l1.hit_rate",
        unit: "%",
        formula: "100 * l1.read_hits / l1.reads",
        description: "Reads of L1 that found their data there.",
    },
    Ratio {
        name: "l1.merge_rate",
        unit: "%",
        formula: "100 * l1.merges / l1.reads",
        description: "Reads of L1 that waited for a line already on its way (merged in an MSHR).",
    },
    Ratio {
        name: "l1.mpki",
        unit: "misses/1000 instructions",
        formula: "1000 * (l1.read_misses + l1.passed_reads + instruction.read_misses + constant.read_misses + texture.read_misses) / run.warp_instructions",
        description: "Reads that leave a core per thousand warp instructions: read misses of L1 and of the instruction, constant and texture caches, and loads that pass L1. L2 counts the same kinds of reads.",
    },
    Ratio {
        name: "l1.own_mpki",
        unit: "misses/1000 instructions",
        formula: "1000 * l1.read_misses / run.warp_instructions",
        description: "Read misses of L1 itself per thousand warp instructions.",
    },
    Ratio {
        name: "l1.sectors_per_line",
        unit: "sectors",
        formula: "l1.sectors_used / l1.lines_used_counted",
        description: "Sectors of a line that were touched before it left L1, on average.",
    },
    Ratio {
        name: "l2.hit_rate",
        unit: "%",
        formula: "100 * l2.read_hits / l2.reads",
        description: "Reads of L2 that found their data there.",
    },
    Ratio {
        name: "l2.merge_rate",
        unit: "%",
        formula: "100 * l2.merges / l2.reads",
        description: "Reads of L2 that waited for a line already on its way (merged in an MSHR).",
    },
    Ratio {
        name: "l2.mpki",
        unit: "misses/1000 instructions",
        formula: "1000 * l2.read_misses / run.warp_instructions",
        description: "Read misses of L2 per thousand warp instructions, of everything that leaves a core (l1.mpki).",
    },
    Ratio {
        name: "l2.sectors_per_line",
        unit: "sectors",
        formula: "l2.sectors_used / l2.lines_used_counted",
        description: "Sectors of a line that were touched before it left L2, on average.",
    },
    Ratio {
        name: "traffic.flits",
        unit: "flits",
        formula: "traffic.total",
        description: "On-chip traffic: between the cores and L2 and between L2 and DRAM, data and addresses.",
    },
    Ratio {
        name: "interconnect.request_wait",
        unit: "interconnect cycles",
        formula: "interconnect.requests.waited / (interconnect.requests.address_packets + interconnect.requests.data_packets)",
        description: "Cycles that a packet to L2 waited before it moved, on average.",
    },
    Ratio {
        name: "interconnect.reply_wait",
        unit: "interconnect cycles",
        formula: "interconnect.replies.waited / (interconnect.replies.address_packets + interconnect.replies.data_packets)",
        description: "Cycles that a packet to a core waited before it moved, on average.",
    },
    Ratio {
        name: "latency.l2_read",
        unit: "core cycles",
        formula: "latency.l2_read_cycles / latency.l2_reads",
        description: "Cycles from a miss in L1 to its fill, of reads that L2 answered, on average.",
    },
    Ratio {
        name: "latency.dram_read",
        unit: "core cycles",
        formula: "latency.dram_read_cycles / latency.dram_reads",
        description: "Cycles from a miss in L1 to its fill, of reads that DRAM answered, on average.",
    },
    Ratio {
        name: "dram.bytes",
        unit: "bytes",
        formula: "dram.bytes_read + dram.bytes_written",
        description: "Bytes that DRAM moved.",
    },
    Ratio {
        name: "dram.row_hit_rate",
        unit: "%",
        formula: "100 * dram.row_hits / (dram.row_hits + dram.row_misses + dram.row_conflicts)",
        description: "DRAM requests that found their row open.",
    },
    Ratio {
        name: "dram.bandwidth",
        unit: "bytes/second",
        formula: "(dram.bytes_read + dram.bytes_written) / run.seconds",
        description: "Bytes that DRAM moved per simulated second.",
    },
    Ratio {
        name: "dram.bandwidth_used",
        unit: "%",
        formula: "100 * (dram.bytes_read + dram.bytes_written) / run.seconds / machine.dram_bytes_per_second",
        description: "DRAM bandwidth used, of the machine's peak.",
    },
    Ratio {
        name: "dram.queue_wait",
        unit: "DRAM clocks",
        formula: "dram.queue_wait_cycles / (dram.row_hits + dram.row_misses + dram.row_conflicts)",
        description: "Clocks that a DRAM request waited before its column command, on average.",
    },
    Ratio {
        name: "dram.read_latency",
        unit: "DRAM clocks",
        formula: "dram.read_latency_cycles / (dram.reads + dram.forwarded_reads)",
        description: "Clocks from the arrival of a DRAM read to its last beat, on average.",
    },
];
