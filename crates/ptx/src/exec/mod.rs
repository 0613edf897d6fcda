//! Functional execution: warps of 32 lanes, without any notion of time.
//!
//! ```text
//! ir ─ decode ─ Program ─ functional ─ grid: blocks in turn ─ block: warps, barriers, shared memory
//!                                                               └─ warp: groups of lanes ─┬─ alu: handlers
//!                                                                                         └─ access: memory
//! ```
//!
//! [`decode`](Program::decode) turns a module once into flat arrays of micro-operations whose operands are
//! rows of a lane-major register file (`[register][32 lanes]`). A pure operation is a function pointer chosen
//! by opcode and type; what touches memory yields a [`WarpAccess`], which is serviced separately, so that a
//! machine with time can do it when its memory system does. A block runs until it ends or waits for others;
//! nothing in a launch depends on the host, so that two launches are equal to the last count.

mod access;
pub mod alu;
mod block;
mod check;
mod classes;
mod code;
mod conclude;
mod deadlock;
mod decode;
mod engine;
mod external;
mod functional;
mod grid;
mod lanes;
mod launch;
mod place;
mod prepare;
mod report;
mod stacks;
pub mod timed;
mod warp;
pub mod windows;

pub use access::{AccessCode, Action, AddressCode, Base, Data, Space, WarpAccess, form};
pub use code::{
    BarrierAction, BarrierCode, CallCode, Callee, Collective, CollectiveAction, FunctionCode, Handler,
    KernelCode, Kind, MicroOp, NOWHERE, Passed, Program, Row, Transfer, function_address,
};
pub use external::{COPY_ASYNC, COPY_TO_SHARED, COPY_WAIT, EXTERNALS};
pub use functional::Functional;
pub use lanes::{LANES, Lanes, Mask, ThreadContext};
pub use launch::{Dimensions, LaunchError, LaunchRequest, Machine, Texture, TextureFormat, ThreadPlace};
pub use report::{ClassCounts, InstructionCount, LaunchReport, Notice};
