//! The definitions of all ratios.

use super::{Levels, Ratio};
use heddle_memory::fabric::{MEMORY, in_prose};
use std::borrow::Cow;

/// Ratios of a machine, by group.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ratios(Vec<Ratio>);

impl Ratios {
    /// Those of a machine with these levels.
    pub(crate) fn new(levels: &Levels) -> Ratios {
        let mut ratios = Ratios::default();
        ratios.of_cores();
        ratios.of_data_cache(levels);
        for (place, level) in levels.shared_caches.iter().enumerate() {
            ratios.of_cache(level);
            let last = place + 1 == levels.shared_caches.len();
            ratios.of_shared_cache(level, &levels.data_cache, last);
        }
        ratios.of_networks(levels);
        levels.shared_caches.iter().for_each(|level| ratios.of_latency(level, levels));
        ratios.of_latency(MEMORY, levels);
        ratios.of_memory();
        ratios
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Ratio> {
        self.0.iter()
    }

    /// The one of this name.
    pub(crate) fn named(&self, name: &str) -> Option<&Ratio> {
        self.iter().find(|ratio| ratio.name == name)
    }

    fn add(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        unit: &'static str,
        formula: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) {
        let (name, formula, description) = (name.into(), formula.into(), description.into());
        self.0.push(Ratio { name, unit, formula, description });
    }

    fn of_cores(&mut self) {
        self.add(
            "core.ipc",
            "instructions/cycle",
            "run.warp_instructions / run.cycles",
            "Warp instructions per core cycle, of all cores together.",
        );
        self.add(
            "core.ipc_per_core",
            "instructions/cycle",
            "run.warp_instructions / (run.cycles * machine.cores)",
            "Warp instructions per core cycle of one core, on average.",
        );
        self.add(
            "core.thread_ipc",
            "instructions/cycle",
            "run.thread_instructions / run.cycles",
            "Thread instructions per core cycle, of all cores together.",
        );
        self.add(
            "core.lanes_active",
            "lanes",
            "run.thread_instructions / run.warp_instructions",
            "Lanes of 32 that a warp instruction executed for, on average; divergence lowers it.",
        );
        self.add(
            "core.occupancy",
            "%",
            "100 * core.resident_warp_cycles / (core.cycles * machine.warps_per_core)",
            "Room for warps that was taken, over all cores and cycles.",
        );
    }

    /// What a cache of any level has.
    fn of_cache(&mut self, level: &str) {
        let prose = in_prose(level);
        self.add(
            format!("{level}.hit_rate"),
            "%",
            format!("100 * {level}.read_hits / {level}.reads"),
            format!("Reads of {prose} that found their data there."),
        );
        self.add(
            format!("{level}.merge_rate"),
            "%",
            format!("100 * {level}.merges / {level}.reads"),
            format!("Reads of {prose} that waited for a line already on its way (merged in an MSHR)."),
        );
        self.add(
            format!("{level}.sectors_per_line"),
            "sectors",
            format!("{level}.sectors_used / {level}.lines_used_counted"),
            format!("Sectors of a line that were touched before it left {prose}, on average."),
        );
    }

    fn of_data_cache(&mut self, levels: &Levels) {
        let level = &levels.data_cache;
        self.of_cache(level);
        let prose = in_prose(level);
        let others: String =
            levels.other_caches.iter().map(|other| format!(" + {other}.read_misses")).collect();
        let in_words =
            levels.others_in_words().map_or(String::new(), |names| format!(" and of the {names} caches"));
        self.add(
            format!("{level}.mpki"),
            "misses/1000 instructions",
            format!("1000 * ({level}.read_misses + {level}.passed_reads{others}) / run.warp_instructions"),
            format!(
                "Reads that leave a core per thousand warp instructions: read misses of {prose}{in_words}, and loads \
                 that pass {prose}. Shared levels count the same kinds of reads."
            ),
        );
        self.add(
            format!("{level}.own_mpki"),
            "misses/1000 instructions",
            format!("1000 * {level}.read_misses / run.warp_instructions"),
            format!("Read misses of {prose} itself per thousand warp instructions."),
        );
    }

    fn of_shared_cache(&mut self, level: &str, data_cache: &str, last: bool) {
        let prose = in_prose(level);
        let of_what = if last {
            format!(", of everything that leaves a core ({data_cache}.mpki)")
        } else {
            String::new()
        };
        self.add(
            format!("{level}.mpki"),
            "misses/1000 instructions",
            format!("1000 * {level}.read_misses / run.warp_instructions"),
            format!("Read misses of {prose} per thousand warp instructions{of_what}."),
        );
    }

    fn of_networks(&mut self, levels: &Levels) {
        self.add(
            "traffic.flits",
            "flits",
            "traffic.total",
            "On-chip traffic: on all networks and between the last level and DRAM, data and addresses.",
        );
        for name in &levels.networks {
            for (ratio, class, way) in [
                ("request_wait", "requests", "on the way down"),
                ("reply_wait", "replies", "on the way back"),
            ] {
                let packets = format!("({name}.{class}.address_packets + {name}.{class}.data_packets)");
                self.add(
                    format!("{name}.{ratio}"),
                    "interconnect cycles",
                    format!("{name}.{class}.waited / {packets}"),
                    format!("Cycles that a packet {way} waited before it moved, on average."),
                );
            }
        }
    }

    fn of_latency(&mut self, level: &str, levels: &Levels) {
        let (core, prose) = (in_prose(&levels.data_cache), in_prose(level));
        self.add(
            format!("latency.{level}_read"),
            "core cycles",
            format!("latency.{level}_read_cycles / latency.{level}_reads"),
            format!("Cycles from a miss in {core} to its fill, of reads that {prose} answered, on average."),
        );
    }

    fn of_memory(&mut self) {
        self.add("dram.bytes", "bytes", "dram.bytes_read + dram.bytes_written", "Bytes that DRAM moved.");
        self.add(
            "dram.row_hit_rate",
            "%",
            "100 * dram.row_hits / (dram.row_hits + dram.row_misses + dram.row_conflicts)",
            "DRAM requests that found their row open.",
        );
        self.add(
            "dram.bandwidth",
            "bytes/second",
            "(dram.bytes_read + dram.bytes_written) / run.seconds",
            "Bytes that DRAM moved per simulated second.",
        );
        self.add(
            "dram.bandwidth_used",
            "%",
            "100 * (dram.bytes_read + dram.bytes_written) / run.seconds / machine.dram_bytes_per_second",
            "DRAM bandwidth used, of the machine's peak.",
        );
        self.add(
            "dram.queue_wait",
            "DRAM clocks",
            "dram.queue_wait_cycles / (dram.row_hits + dram.row_misses + dram.row_conflicts)",
            "Clocks that a DRAM request waited before its column command, on average.",
        );
        self.add(
            "dram.read_latency",
            "DRAM clocks",
            "dram.read_latency_cycles / (dram.reads + dram.forwarded_reads)",
            "Clocks from the arrival of a DRAM read to its last beat, on average.",
        );
    }
}
