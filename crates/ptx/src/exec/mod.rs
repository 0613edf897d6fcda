//! Functional execution: warps of 32 lanes, without any notion of time.
//!
//! ```text
//! ir ─ decode ─ Program ─┬─ grid: blocks in turn ─ block: warps, barriers, shared memory
//!                        └─ warp: groups of lanes ─ step ─┬─ alu: handlers over lanes
//!                                                         └─ access: loads, stores, atomics
//! ```
//!
//! [`decode`](Program::decode) turns a module once into flat arrays of micro-operations whose operands are
//! rows of a lane-major register file (`[register][32 lanes]`). A pure operation is a function pointer chosen
//! by opcode and type; what touches memory yields a [`WarpAccess`], which is serviced separately, so that a
//! machine with time can do it when its memory system does.

pub mod alu;
mod code;
mod functional;
mod lanes;
mod launch;
mod report;
pub mod windows;

pub use code::{Code, Handler, Kind, MicroOp, Program, Row, function_address};
pub use functional::{EXTERNALS, Functional};
pub use lanes::{LANES, Lanes, Mask, ThreadContext};
pub use launch::{Dimensions, LaunchError, LaunchRequest, Machine, Texture, TextureFormat, ThreadPlace};
pub use report::{ClassCounts, InstructionCount, LaunchReport, Notice};
