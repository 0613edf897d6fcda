//! PTX, from text to execution.
//!
//! ```text
//! text ─ syntax ─ resolve ─ ir ─ analysis ─ exec
//! ```
//!
//! - [`syntax`] reads PTX text of any version into a tree that keeps every word and its place, and prints it;
//! - [`resolve`] turns the tree into the [`ir`], with dense numbers for registers, variables, labels and
//!   functions, and refuses what is not supported, with file, line, column and the instruction;
//! - [`analysis`] has the control-flow graph, immediate post-dominators, loops, liveness, registers, the
//!   pattern of loads, occupancy;
//! - [`early`] has the instructions that make loads of loops iterations early, whoever finds them;
//! - [`exec`] decodes the IR once into micro-operations and executes them warp by warp, without any notion of
//!   time.

pub mod analysis;
mod check;
mod diagnostic;
pub mod early;
pub mod exec;
pub mod ir;
pub mod resolve;
pub mod syntax;

pub use check::check;
pub use diagnostic::{Diagnostic, Diagnostics, Place};
pub use resolve::load;
