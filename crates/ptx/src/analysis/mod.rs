//! What can be known of a function without running it.
//!
//! - [`cfg`](mod@cfg): basic blocks and edges;
//! - [`post_dominators`]: where diverged lanes meet again;
//! - [`dominators`], [`loops`]: natural loops and their nesting;
//! - [`operands`], [`liveness`]: which registers are read, written, and hold a value that is still wanted;
//! - [`registers`]: registers per thread by an allocation of our own;
//! - [`loads`]: the loads of loops, strided or dependent;
//! - [`prefetch`]: loads of loops that can be made an iteration early, and how;
//! - [`occupancy`](mod@occupancy): blocks and warps per core;
//! - [`class`], [`names`], [`summary`]: what a report says of a kernel;
//! - [`verify`](mod@verify): what is wrong or strange beyond types.

mod bit_set;
pub mod cfg;
pub mod class;
mod dominator_tree;
pub mod dominators;
pub mod liveness;
pub mod loads;
pub mod loops;
pub mod names;
pub mod occupancy;
pub mod operands;
pub mod post_dominators;
pub mod prefetch;
pub mod registers;
#[cfg(test)]
pub(crate) mod sample;
pub mod summary;
pub mod verify;

pub use cfg::{Block, Cfg, Leave};
pub use class::Class;
pub use dominators::Dominators;
pub use liveness::Liveness;
pub use loads::{LoopLoad, Pattern, Region, head_tail_pairs, loop_loads};
pub use loops::{Loop, Loops};
pub use occupancy::{CoreLimits, KernelNeeds, Limit, NoOccupancy, Occupancy, occupancy};
pub use operands::{registers_read, registers_written};
pub use post_dominators::{immediate_post_dominators, reconvergence};
pub use prefetch::{Before, PrefetchLoop, PrefetchPlan, prefetch_plan};
pub use registers::{
    GrantedRegisters, RegisterCap, RegisterDemand, RegisterOverride, granted_registers, register_demands,
};
pub use summary::KernelSummary;
pub use verify::{Finding, Severity, verify};
