//! What can be known of a function without running it.
//!
//! - [`cfg`]: basic blocks and edges;
//! - [`post_dominators`]: where diverged lanes meet again;
//! - [`dominators`], [`loops`]: natural loops and their nesting;
//! - [`operands`], [`liveness`]: which registers are read, written, and hold a value that is still wanted.

mod bit_set;
pub mod cfg;
mod dominator_tree;
pub mod dominators;
pub mod liveness;
pub mod loops;
pub mod operands;
pub mod post_dominators;
#[cfg(test)]
pub(crate) mod sample;

pub use cfg::{Block, Cfg, Leave};
pub use dominators::Dominators;
pub use liveness::Liveness;
pub use loops::{Loop, Loops};
pub use operands::{registers_read, registers_written};
pub use post_dominators::{immediate_post_dominators, reconvergence};
