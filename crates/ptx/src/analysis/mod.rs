//! What can be known of a function without running it.
//!
//! - [`cfg`]: basic blocks and edges;
//! - [`post_dominators`]: where diverged lanes meet again.

pub mod cfg;
mod dominator_tree;
pub mod post_dominators;
#[cfg(test)]
pub(crate) mod sample;

pub use cfg::{Block, Cfg, Leave};
pub use post_dominators::{immediate_post_dominators, reconvergence};
