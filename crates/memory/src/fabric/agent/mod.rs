//! Agents: units beside the caches that take commands of cores and send messages of their own.
//!
//! ```text
//! core ─ command ─▶ agent ─ outlet ─▶ network ─▶ [slices of the level below] ─▶ …
//!   ◀── answer ──────┘ ◀──────────── replies ◀──────────┘
//! ```
//!
//! An agent is a node like a cache: it has a number, behind those of all caches, an endpoint on a network and an outlet
//! with a queue; it changes its own state and the context that all nodes share, and never another node. What it asks for
//! comes back to it by its number. Commands and answers are messages as well ([`commands`]). A kind of agent is one file
//! and one variant of [`AgentNode`] ([`dispatch`]).

mod build;
mod check;
mod commands;
mod copy;
mod dispatch;
mod spec;

pub use copy::CopyCounters;
pub(super) use dispatch::Agents;
pub use spec::{AgentKind, AgentSpec};

use crate::ids::{CoreId, Pc, WarpId};
use crate::request::Token;
use std::ops::Range;

/// A command of a core to an agent.
#[derive(Clone, Copy, Debug)]
pub struct AgentCommand<'a> {
    /// The core's name for it.
    pub token: Token,
    /// The core.
    pub core: CoreId,
    /// The warp on its core.
    pub warp: WarpId,
    /// The static instruction.
    pub pc: Pc,
    /// The bytes of global memory that it is about; they may overlap.
    pub bytes: &'a [Range<u64>],
}
