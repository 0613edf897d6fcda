//! The description of a GPU's cores, as machine files have it, and how a run is asked for.

use crate::core::{OrderingRule, RegisterPrefetch};
use crate::launch_set::LaunchSet;
use heddle_engine::units::Bytes;
use heddle_memory::cache::Foresight;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A core (streaming multiprocessor) and how many there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoreSpec {
    /// Cores of the machine.
    pub count: u32,
    /// Resident warps of a core; at most 64.
    pub warps: u32,
    /// Resident threads of a core.
    pub threads: u32,
    /// Resident blocks of a core.
    pub blocks: u32,
    /// Threads of the largest block.
    pub threads_per_block: u32,
    /// 32-bit registers of a core.
    pub registers: u32,
    /// Registers of one thread.
    pub registers_per_thread: u32,
    /// Registers are given to a warp in multiples of this.
    pub register_unit: u32,
    /// The register file holds a multiple of this many warps.
    pub warp_granularity: u32,
    /// Warp schedulers; warps are dealt to them by number.
    pub schedulers: u32,
    /// How a scheduler chooses.
    pub scheduler: SchedulerKind,
    /// Instructions of one warp that a scheduler may issue in a cycle.
    pub issue_width: u32,
    /// Lanes that an arithmetic unit serves per cycle: a warp occupies it for 32 / width cycles.
    pub simd_width: u32,
    /// Arithmetic units (one warp instruction each at a time).
    pub arithmetic_units: u32,
    /// Special-function units.
    pub special_units: u32,
    /// Lanes that a special-function unit serves per cycle.
    pub special_width: u32,
    /// Warps that are fetched for per cycle.
    pub fetch_width: u32,
    /// Instructions that one fetch brings; also the depth of a warp's instruction buffer.
    pub fetch_instructions: u32,
    /// Whether a fetch brings its instructions also where they lie in two lines of the cache, of which it asks for the
    /// first alone, as in GPGPU-Sim. Otherwise it brings those of one line.
    #[serde(default)]
    pub fetch_crosses_lines: bool,
    /// Cycles from fetch to the instruction buffer (decode).
    pub decode_cycles: u32,
    /// Bytes of an instruction in the instruction cache.
    pub instruction_bytes: u32,
    /// Whether a warp waits for a branch to be executed before the next fetch.
    pub stall_on_branch: bool,
    /// Whether fetch continues behind a branch until the issue stage finds that the warp has gone elsewhere, as in
    /// GPGPU-Sim: what is buffered is flushed a cycle after the branch, and if nothing is, a fetch of what lies
    /// behind the branch is made in vain. Without it a taken branch is known to the fetch stage in its own cycle.
    #[serde(default)]
    pub fetch_ahead: bool,
    /// Cycles from issue to execution: operand collection and dispatch.
    pub operand_cycles: u32,
    /// Cycles that reading registers takes on top of that before arithmetic and special-function units; an
    /// instruction that reads none does without.
    #[serde(default)]
    pub register_read_cycles: u32,
    /// Collectors in which arithmetic instructions wait for their operands; 0 means that neither collectors nor
    /// register banks hold anything up.
    #[serde(default)]
    pub operand_collectors: u32,
    /// Collectors of instructions for special-function units.
    #[serde(default)]
    pub special_collectors: u32,
    /// Banks of the register file, each of which gives or takes one operand of a warp per cycle. Register `n` of warp
    /// `w` lies in bank `n + w`, where `n` is the number in the register's name.
    #[serde(default)]
    pub register_banks: u32,
    /// Results that arithmetic and special-function units may bring in one cycle, with `operand_collectors`; an
    /// instruction that would bring one more waits before its unit. 0: any number.
    #[serde(default)]
    pub result_buses: u32,
    /// Cycles from the end of execution until a dependent instruction may issue.
    pub writeback_cycles: u32,
    /// Memory instructions that may wait for the load/store unit.
    pub load_store_queue: u32,
    /// Cycles that data from below, and answers to stores, take beyond the memory system's round trip: the depth of
    /// a data cache's pipeline, where its tags are looked up at the end.
    pub load_miss_cycles: u32,
    /// What a warp waits for around its accesses and at fences, by the name of a rule. Without it, the two keys that
    /// follow choose one, or `stall-on-use`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ordering: Option<OrderingRule>,
    /// Whether a warp waits for each of its loads and atomics before it issues the next instruction: chooses
    /// `ordering = "stall-on-memory"`.
    pub stall_on_memory: bool,
    /// Whether lanes of an atomic that are on the same bytes make requests of their own, as in GPGPU-Sim. Otherwise
    /// they go together, and take turns at L2's atomic unit.
    #[serde(default)]
    pub separate_atomics: bool,
    /// Whether a warp issues nothing while one of its atomics, on global or shared memory, is outstanding, as in
    /// GPGPU-Sim. Otherwise only what needs its result waits. Chooses `ordering = "wait-for-atomics"`, unless
    /// `stall_on_memory` chooses more.
    #[serde(default)]
    pub wait_for_atomics: bool,
    /// Whether an atomic waits for the arithmetic that makes its address, as every other access does. GPGPU-Sim's
    /// scoreboard does not know that operand.
    #[serde(default = "yes")]
    pub atomics_wait_for_address: bool,
    /// Whether atomics pass L1 without a look at its tags. Otherwise they evict their line there, as stores do.
    #[serde(default)]
    pub atomics_pass_l1: bool,
    /// Cycles that answers to accesses that pass L1 take beyond the memory system's round trip, where
    /// `load_miss_cycles` are those of the others.
    #[serde(default)]
    pub pass_cycles: u32,
    /// Accesses that pass L1 become requests of at most so many bytes; 0 means lines of L1.
    #[serde(default)]
    pub pass_segment: Bytes,
    /// In which order the requests of one instruction leave the load/store unit.
    #[serde(default)]
    pub request_order: RequestOrder,
    /// What is prefetched into registers that no thread uses.
    #[serde(default)]
    pub prefetch_registers: RegisterPrefetch,
    /// Pairs of a head load and a tail load of a loop whose spare registers are kept account of.
    #[serde(default = "two")]
    pub prefetch_pairs: u32,
    /// Instructions of the prefetches of one loop that a core holds.
    #[serde(default = "sixteen")]
    pub prefetch_instructions: u32,
    /// Whether loads that iterations of a loop may leave out are prefetched, for all threads that are in the loop.
    #[serde(default, skip_serializing_if = "is_not")]
    pub prefetch_conditional: bool,
    /// Whether kernels of a module lie behind each other in the instruction cache without a gap, in the order of
    /// the file. Otherwise each starts a line, in the order of their first launches.
    #[serde(default)]
    pub contiguous_code: bool,
}

/// How a scheduler chooses among warps that are ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SchedulerKind {
    /// In turn: the next one after the last that was looked at, ready or not.
    RoundRobin,
    /// The next ready one after the last that issued.
    LooseRoundRobin,
    /// The last one as long as it is ready, then the oldest.
    GreedyThenOldest,
}

/// In which order the requests of one instruction leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestOrder {
    /// That of the lowest lanes that need them.
    #[default]
    Lanes,
    /// From the highest address down, as in GPGPU-Sim.
    Descending,
}

/// Latency of an operation and cycles until its unit takes the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationTiming {
    /// Cycles of execution.
    pub latency: u32,
    /// Cycles before the unit takes another warp instruction, beyond what the unit's width asks for.
    pub initiation: u32,
}

/// Timing by class of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are the classes")]
pub struct LatencyTable {
    /// Moves, logic, shifts, comparisons, conversions, selections.
    pub simple: OperationTiming,
    pub integer_add: OperationTiming,
    pub integer_max: OperationTiming,
    pub integer_multiply: OperationTiming,
    pub integer_multiply_add: OperationTiming,
    pub integer_divide: OperationTiming,
    pub float_add: OperationTiming,
    pub float_max: OperationTiming,
    pub float_multiply: OperationTiming,
    pub float_multiply_add: OperationTiming,
    pub float_divide: OperationTiming,
    pub double_add: OperationTiming,
    pub double_multiply_add: OperationTiming,
    pub double_divide: OperationTiming,
    pub special: OperationTiming,
    pub shuffle: OperationTiming,
    pub branch: OperationTiming,
}

/// Shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedMemorySpec {
    /// The on-chip store of a core, which `[[split]]` divides between shared memory and the L1 data cache.
    pub store: Bytes,
    /// Storage that the register file, shared memory and the L1 data cache of a core share, instead of having their own:
    /// what the registers and the shared memory of a kernel's resident blocks leave is L1. 0: each has its own.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub unified: Bytes,
    /// Cycles from the load/store unit to the data.
    pub latency: u32,
    /// Banks, of four bytes each.
    pub banks: u32,
    /// Given to a block in multiples of this.
    pub unit: Bytes,
    /// Whether lanes of an atomic that are on one word take turns. Otherwise it takes the turns of a load.
    #[serde(default = "yes")]
    pub serial_atomics: bool,
}

impl CoreSpec {
    /// The ordering rule that the keys choose: that of `ordering`, or else of the keys that are older than it.
    pub fn ordering_rule(&self) -> OrderingRule {
        self.ordering.or(self.rule_of_keys()).unwrap_or(OrderingRule::StallOnUse)
    }

    /// The ordering rule that `stall_on_memory` and `wait_for_atomics` choose, if they do.
    pub fn rule_of_keys(&self) -> Option<OrderingRule> {
        match (self.stall_on_memory, self.wait_for_atomics) {
            (true, _) => Some(OrderingRule::StallOnMemory),
            (false, true) => Some(OrderingRule::WaitForAtomics),
            (false, false) => None,
        }
    }
}

/// What a machine file means that says nothing of what all hardware does.
fn yes() -> bool {
    true
}

fn is_not(truth: &bool) -> bool {
    !*truth
}

fn is_nothing(bytes: &Bytes) -> bool {
    bytes.0 == 0
}

/// \[Lakshminarayana14\] table 2: two load pairs.
fn two() -> u32 {
    2
}

/// Chosen: three to four instructions for each load of two pairs.
fn sixteen() -> u32 {
    16
}

/// One way to divide the on-chip store; the first that costs no resident block is chosen for a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// Shared memory of a core.
    pub shared: Bytes,
    /// L1 data cache of a core; 0 keeps `l1.size` and `l1.ways`.
    pub l1_size: Bytes,
    /// Its ways.
    pub l1_ways: u32,
}

/// What a launch costs beside its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchSpec {
    /// Core cycles from the launch to its first block.
    pub overhead: u64,
    /// Core cycles between two blocks that start on one core.
    pub block_interval: u64,
    /// Whether the caches of constants and textures keep what they hold from launch to launch; the data cache
    /// never does.
    pub keeps_constants: bool,
    /// Whether copies from the host leave their lines in L2.
    pub copies_touch_l2: bool,
    /// Whether the distribution of blocks continues after the core that was served last, also from launch to launch, as
    /// in GPGPU-Sim. Otherwise each launch begins with core 0, and each round with the core after the one that the last
    /// began with.
    #[serde(default)]
    pub after_last_core: bool,
}

/// How a run is asked for; nothing of it is part of the machine.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// Sample statistics every so many core cycles.
    pub interval: Option<u64>,
    /// Simulate only these launches in time; the others are executed functionally.
    pub launches: Option<LaunchSet>,
    /// Stop with an error when the run has taken so many core cycles.
    pub max_cycles: Option<u64>,
    /// Start every launch on a machine that has simulated nothing yet, whatever launches came before.
    pub cold: bool,
    /// Keep the stream of DRAM transactions.
    pub capture_dram: bool,
    /// Keep spans for a timeline.
    pub trace: bool,
    /// Core cycles without progress after which the watchdog says what waits for what.
    pub watchdog: u64,
    /// Flip the lowest bit of the spare register that a load takes its value from, of the load of each core with this
    /// number among those that become moves: shows that prefetched values are the ones that are used.
    pub flip_prefetched: Option<u64>,
    /// Registers of a thread by kernel, where they are not those of the analysis.
    pub registers: heddle_ptx::analysis::RegisterOverride,
    /// Raised where launches that are executed functionally are to end; those in time ask the hook.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// What a run before this one recorded ([`Record::foresight`](crate::Record::foresight)), for policies that decide by
    /// it. A machine with such policies records where it is given nothing.
    pub foresight: Option<Arc<Foresight>>,
}

impl Default for RunSettings {
    fn default() -> RunSettings {
        RunSettings {
            interval: None,
            launches: None,
            max_cycles: None,
            cold: false,
            capture_dram: false,
            trace: false,
            watchdog: 2_000_000,
            flip_prefetched: None,
            registers: heddle_ptx::analysis::RegisterOverride::default(),
            interrupt: None,
            foresight: None,
        }
    }
}
