//! What a launch did, in counts.

use super::Dimensions;

/// How often one static instruction was executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InstructionCount {
    /// By warps (or the part of a warp that executed it together).
    pub warps: u64,
    /// By lanes whose guard was true.
    pub lanes: u64,
    /// For global accesses when coalescing is counted: 32-byte sectors touched, by warp, summed.
    pub sectors: u64,
    /// For branches: how often lanes of a warp went different ways.
    pub divergent: u64,
}

/// Executed instructions by class: warps and lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassCounts {
    /// Loads from global memory (by instruction or by generic address), warps and lanes.
    pub global_loads: [u64; 2],
    /// Stores to global memory.
    pub global_stores: [u64; 2],
    /// Loads and stores of shared memory.
    pub shared_accesses: [u64; 2],
    /// Loads and stores of local memory.
    pub local_accesses: [u64; 2],
    /// Atomic operations, `red` too.
    pub atomics: [u64; 2],
    /// Branches.
    pub branches: [u64; 2],
    /// Branches at which lanes of a warp went different ways: warps, and again warps.
    pub divergent_branches: u64,
    /// Barriers of blocks.
    pub barriers: [u64; 2],
    /// Sectors of 32 bytes touched by global loads, if counted.
    pub global_load_sectors: u64,
    /// Sectors of 32 bytes touched by global stores, if counted.
    pub global_store_sectors: u64,
}

/// Something worth telling that is not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What happened, with where it happened first.
    pub text: String,
    /// How often.
    pub count: u64,
}

/// What a launch did.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchReport {
    /// The kernel.
    pub kernel: String,
    /// Its grid.
    pub grid: Dimensions,
    /// Its block.
    pub block: Dimensions,
    /// Instructions executed by warps.
    pub warp_instructions: u64,
    /// Instructions executed by lanes.
    pub lane_instructions: u64,
    /// By class.
    pub classes: ClassCounts,
    /// By static instruction: function, then instruction.
    pub instructions: Vec<Vec<InstructionCount>>,
    /// What `printf` printed.
    pub printed: String,
    /// What is worth telling.
    pub notices: Vec<Notice>,
}
