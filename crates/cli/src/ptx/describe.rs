//! Everything that `heddle ptx info` says about a file, as plain data.
//!
//! The field names are the keys of its JSON, in this order; the text page shows the same values.

mod compute;
mod words;

pub(crate) use compute::{Wanted, describe};

use serde::Serialize;

/// A described file.
#[derive(Debug, Serialize)]
pub(crate) struct ModuleEntry {
    pub(crate) file: String,
    /// `.version`, as written.
    pub(crate) version: String,
    pub(crate) target: String,
    pub(crate) address_bits: u32,
    /// How registers are allocated.
    pub(crate) register_method: &'static str,
    pub(crate) kernels: Vec<KernelEntry>,
}

/// A described kernel.
#[derive(Debug, Serialize)]
pub(crate) struct KernelEntry {
    pub(crate) name: String,
    pub(crate) parameters: Vec<ParameterEntry>,
    /// Registers per thread that the occupancy is computed with.
    pub(crate) registers: u32,
    /// Whether they were given in place of our own allocation.
    pub(crate) registers_given: bool,
    pub(crate) registers_allocated: u32,
    /// Registers of our allocation above the cap, whose values would be spilled.
    pub(crate) registers_spilled: u32,
    /// What caps them: the machine or a directive; none where all are granted.
    pub(crate) registers_capped_by: Option<String>,
    /// Most 32-bit units that live at once.
    pub(crate) registers_live: u32,
    /// Most predicates that live at once.
    pub(crate) predicates: u32,
    pub(crate) shared_bytes: u64,
    /// Whether the launch gives the size of further shared memory.
    pub(crate) dynamic_shared: bool,
    pub(crate) local_bytes: u64,
    /// `.reqntid` or `.maxntid`, `.minnctapersm`, `.maxnreg`, as written.
    pub(crate) directives: Vec<String>,
    pub(crate) instructions: usize,
    pub(crate) classes: Vec<ClassEntry>,
    pub(crate) blocks: usize,
    pub(crate) loops: Vec<LoopEntry>,
    /// Lines of entries to regions with several headers, which are no natural loops.
    pub(crate) irreducible: Vec<u32>,
    pub(crate) loads: Vec<LoadEntry>,
    /// A strided load and one that depends on it.
    pub(crate) pairs: Vec<PairEntry>,
    pub(crate) barriers: usize,
    pub(crate) atomics: Vec<CountEntry>,
    /// Functions of the machine that are called, directly or not.
    pub(crate) externals: Vec<String>,
    /// Functions of the module that are called, directly or not.
    pub(crate) functions: Vec<String>,
    pub(crate) occupancy: OccupancyEntry,
}

/// A parameter.
#[derive(Debug, Serialize)]
pub(crate) struct ParameterEntry {
    pub(crate) name: String,
    /// As written, `b8[24]` for a struct.
    #[serde(rename = "type")]
    pub(crate) ty: String,
    pub(crate) bytes: u32,
    pub(crate) offset: u32,
}

/// Instructions of one class.
#[derive(Debug, Serialize)]
pub(crate) struct ClassEntry {
    pub(crate) class: &'static str,
    pub(crate) instructions: usize,
}

/// A loop; its number is its position.
#[derive(Debug, Serialize)]
pub(crate) struct LoopEntry {
    /// The line of its first instruction.
    pub(crate) line: u32,
    /// The label there, if it has one.
    pub(crate) label: Option<String>,
    pub(crate) depth: usize,
    /// The loop around it, from 0.
    pub(crate) parent: Option<usize>,
    pub(crate) instructions: usize,
    /// Lines of the instructions that lead back.
    pub(crate) back_edges: Vec<u32>,
}

/// A load in a loop.
#[derive(Debug, Serialize)]
pub(crate) struct LoadEntry {
    pub(crate) line: u32,
    /// The innermost loop around it, from 0.
    #[serde(rename = "loop")]
    pub(crate) in_loop: usize,
    /// The instruction without its operands.
    pub(crate) instruction: String,
    /// `.nc`.
    pub(crate) non_coherent: bool,
    /// The parameter or variable that it reads from, if that can be traced.
    pub(crate) region: Option<String>,
    /// `strided`, `dependent`, `invariant` or `other`.
    pub(crate) pattern: &'static str,
    /// Bytes per iteration, if that is a constant.
    pub(crate) stride: Option<i64>,
    /// The line of the load that the address depends on.
    pub(crate) depends_on: Option<u32>,
}

/// A strided load and one that depends on it, by line.
#[derive(Debug, Serialize)]
pub(crate) struct PairEntry {
    pub(crate) head: u32,
    pub(crate) tail: u32,
}

/// How often something occurs.
#[derive(Debug, Serialize)]
pub(crate) struct CountEntry {
    pub(crate) name: String,
    pub(crate) count: usize,
}

/// What is resident on one core.
#[derive(Debug, Serialize)]
pub(crate) struct OccupancyEntry {
    pub(crate) machine: String,
    pub(crate) source: String,
    pub(crate) block: u32,
    /// Shared memory of a block, static and dynamic.
    pub(crate) shared_bytes: u64,
    /// None where no block fits; `problem` says why.
    pub(crate) blocks: Option<u32>,
    pub(crate) warps: Option<u32>,
    pub(crate) warps_max: u32,
    /// The limits that bind.
    pub(crate) binding: Vec<String>,
    /// Blocks that each limit alone would allow.
    pub(crate) limits: Vec<LimitEntry>,
    /// Most registers per thread with as many blocks.
    pub(crate) registers_without_loss: Option<u32>,
    pub(crate) problem: Option<String>,
}

/// One limit.
#[derive(Debug, Serialize)]
pub(crate) struct LimitEntry {
    pub(crate) limit: String,
    /// None where it does not apply.
    pub(crate) blocks: Option<u32>,
}
