//! Agents: units beside the caches that take commands of cores and send messages of their own.
//!
//! ```text
//! core ─ command ─▶ agent ─ outlet ─▶ network ─▶ [slices of the level below] ─▶ …
//!   ◀── answer ──────┘ ◀──────────── replies ◀──────────┘
//! ```
//!
//! An agent is a node like a cache: it has a number, behind those of all caches, an endpoint on a network and an outlet
//! with a queue; it changes its own state and the [`Context`], and never another node. What it asks for comes back to
//! it by its number. Commands and answers are messages as well ([`commands`]). A kind of agent is one file and one
//! variant of [`AgentNode`].

mod build;
mod check;
mod commands;
mod copy;
mod spec;

pub use copy::CopyCounters;
pub use spec::{AgentKind, AgentSpec};

use super::Fabric;
use super::context::Context;
use crate::ids::{AgentId, CoreId, NodeId};
use crate::request::Token;
use copy::CopyAgent;
use heddle_engine::{Catalogue, Statistics, Tick};
use std::ops::Range;

/// A command of a core to an agent.
#[derive(Clone, Copy, Debug)]
pub struct AgentCommand<'a> {
    /// The core's name for it.
    pub token: Token,
    /// The core.
    pub core: CoreId,
    /// The warp on its core.
    pub warp: u16,
    /// The static instruction.
    pub pc: u32,
    /// The bytes of global memory that it is about; they may overlap.
    pub bytes: &'a [Range<u64>],
}

/// An agent in time.
#[derive(Clone, Debug)]
pub(super) enum AgentNode {
    /// It copies.
    Copy(CopyAgent),
}

impl AgentNode {
    fn kind(&self) -> AgentKind {
        match self {
            AgentNode::Copy(_) => AgentKind::Copy,
        }
    }

    /// Its event has come.
    pub(super) fn run(&mut self, ctx: &mut Context, now: Tick) {
        match self {
            AgentNode::Copy(agent) => agent.run(ctx, now),
        }
    }

    /// A command has come.
    fn arrive(&mut self, ctx: &mut Context, now: Tick, number: u32) {
        match self {
            AgentNode::Copy(agent) => agent.arrive(ctx, now, number),
        }
    }

    /// A reply to a message of this agent has come back.
    fn reply(&mut self, ctx: &mut Context, now: Tick, number: u32) {
        match self {
            AgentNode::Copy(agent) => agent.reply(ctx, now, number),
        }
    }

    /// There is room again in the queue that it asked about.
    pub(super) fn room(&mut self, ctx: &mut Context, now: Tick) {
        match self {
            AgentNode::Copy(agent) => agent.room(ctx, now),
        }
    }

    /// Checks that nothing is left to do.
    pub(super) fn assert_drained(&self) {
        match self {
            AgentNode::Copy(agent) => agent.assert_drained(),
        }
    }

    /// What it does and waits for, unless it is idle.
    pub(super) fn describe_waiting(&self) -> Option<String> {
        match self {
            AgentNode::Copy(agent) => agent.describe_waiting(),
        }
    }
}

impl Fabric {
    /// The agent of a kind, if there is one.
    pub fn agent(&self, kind: AgentKind) -> Option<AgentId> {
        let place = self.agents.iter().position(|agent| agent.kind() == kind)?;
        Some(AgentId(place as u8))
    }

    /// A core gives an agent a command. `now` is an edge of the core clock up to which [`Fabric::run_until`] has been
    /// called. [`Notice::Answered`](crate::request::Notice::Answered) will name its token.
    pub fn command(&mut self, now: Tick, agent: AgentId, command: &AgentCommand<'_>) {
        self.ctx.unanswered += 1;
        match &mut self.agents[agent.index()] {
            AgentNode::Copy(agent) => agent.take(&mut self.ctx, now, command),
        }
        if !self.ctx.follow_ups.is_empty() {
            self.follow_up(now);
        }
    }

    /// The agent of a node that is no cache.
    #[cold]
    pub(super) fn agent_at(nodes: usize, agents: &mut [AgentNode], node: NodeId) -> &mut AgentNode {
        &mut agents[node.index() - nodes]
    }

    /// A message has come to a node that is no cache: a command to an agent.
    #[cold]
    pub(super) fn arrive_beside(
        nodes: usize,
        agents: &mut [AgentNode],
        ctx: &mut Context,
        now: Tick,
        number: u32,
    ) {
        let to = ctx.messages[number].to;
        agents[to.index() - nodes].arrive(ctx, now, number);
    }

    /// A reply has come back to a node that is no cache: an agent, or a core's for its commands.
    #[cold]
    pub(super) fn reply_beside(
        nodes: usize,
        agents: &mut [AgentNode],
        ctx: &mut Context,
        now: Tick,
        number: u32,
    ) {
        let from = ctx.messages[number].from;
        match agents.get_mut(from.index() - nodes) {
            Some(agent) => agent.reply(ctx, now, number),
            None => commands::answered(ctx, number),
        }
    }

    /// Declares the statistics of agents.
    pub(super) fn declare_agents(agents: &[AgentSpec], catalogue: &mut Catalogue) {
        for agent in agents {
            match agent.kind {
                AgentKind::Copy => catalogue.declare::<CopyCounters>(&agent.name),
            }
        }
    }

    /// Adds the counts of agents.
    pub(super) fn add_agents(&self, statistics: &mut Statistics) {
        for (agent, name) in self.agents.iter().zip(&self.agent_names) {
            match agent {
                AgentNode::Copy(agent) => statistics.add_group(name, &agent.counters()),
            }
        }
    }
}
