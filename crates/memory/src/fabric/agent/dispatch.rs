//! The agents of a machine, and which of them a message or an event is for.

use super::AgentCommand;
use super::commands;
use super::copy::{CopyAgent, CopyCounters};
use super::spec::{AgentKind, AgentSpec};
use crate::fabric::context::Context;
use crate::fabric::in_cycles_of;
use crate::ids::{AgentId, NodeId};
use heddle_engine::{Catalogue, Statistics, Tick};

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

    /// A core gives it a command.
    fn take(&mut self, ctx: &mut Context, now: Tick, command: &AgentCommand<'_>) {
        match self {
            AgentNode::Copy(agent) => agent.take(ctx, now, command),
        }
    }

    /// Its event has come.
    fn run(&mut self, ctx: &mut Context, now: Tick) {
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
    fn room(&mut self, ctx: &mut Context, now: Tick) {
        match self {
            AgentNode::Copy(agent) => agent.room(ctx, now),
        }
    }

    /// Checks that nothing is left to do.
    fn assert_drained(&self) {
        match self {
            AgentNode::Copy(agent) => agent.assert_drained(),
        }
    }

    /// What it does and waits for, unless it is idle.
    fn describe_waiting(&self) -> Option<String> {
        match self {
            AgentNode::Copy(agent) => agent.describe_waiting(),
        }
    }
}

/// All agents: units beside the caches, numbered behind them.
#[derive(Clone, Debug)]
pub(in crate::fabric) struct Agents {
    agents: Vec<AgentNode>,
    names: Vec<String>,
    /// The number of the first.
    first: NodeId,
}

impl Agents {
    pub(super) fn new(agents: Vec<AgentNode>, names: Vec<String>, first: NodeId) -> Agents {
        Agents { agents, names, first }
    }

    /// The agent of a kind, if there is one.
    pub(in crate::fabric) fn of_kind(&self, kind: AgentKind) -> Option<AgentId> {
        let place = self.agents.iter().position(|agent| agent.kind() == kind)?;
        Some(AgentId(place as u8))
    }

    /// A core gives an agent a command.
    pub(in crate::fabric) fn take(
        &mut self,
        ctx: &mut Context,
        now: Tick,
        agent: AgentId,
        command: &AgentCommand<'_>,
    ) {
        self.agents[agent.index()].take(ctx, now, command);
    }

    /// Which of the agents a node behind the caches is; the nodes of cores for their commands are behind all agents.
    fn place(&self, node: NodeId) -> usize {
        node.index() - self.first.index()
    }

    /// The event of an agent has come.
    #[cold]
    pub(in crate::fabric) fn run(&mut self, ctx: &mut Context, now: Tick, node: NodeId) {
        let place = self.place(node);
        self.agents[place].run(ctx, now);
    }

    /// There is room again in a queue that an agent asked about.
    #[cold]
    pub(in crate::fabric) fn room(&mut self, ctx: &mut Context, now: Tick, node: NodeId) {
        let place = self.place(node);
        self.agents[place].room(ctx, now);
    }

    /// A message has come to a node that is no cache: a command to an agent.
    #[cold]
    pub(in crate::fabric) fn arrive(&mut self, ctx: &mut Context, now: Tick, number: u32) {
        let place = self.place(ctx.messages[number].to);
        self.agents[place].arrive(ctx, now, number);
    }

    /// A reply has come back to a node that is no cache: an agent, or a core's for its commands.
    #[cold]
    pub(in crate::fabric) fn reply(&mut self, ctx: &mut Context, now: Tick, number: u32) {
        let place = self.place(ctx.messages[number].from);
        match self.agents.get_mut(place) {
            Some(agent) => agent.reply(ctx, now, number),
            None => commands::answered(ctx, number),
        }
    }

    /// The name of an agent; of a core's node for its commands, the number of the core.
    pub(in crate::fabric) fn name_of(&self, node: NodeId) -> Result<&str, usize> {
        let place = self.place(node);
        self.names.get(place).map(String::as_str).ok_or_else(|| place - self.agents.len())
    }

    /// Checks that nothing is left to do.
    pub(in crate::fabric) fn assert_drained(&self) {
        self.agents.iter().for_each(AgentNode::assert_drained);
    }

    /// A line for each that is not idle.
    pub(in crate::fabric) fn describe_waiting(&self, lines: &mut Vec<String>) {
        lines.extend(self.agents.iter().filter_map(AgentNode::describe_waiting));
    }

    /// Declares the statistics of agents.
    pub(in crate::fabric) fn declare(agents: &[AgentSpec], catalogue: &mut Catalogue) {
        for agent in agents {
            match agent.kind {
                AgentKind::Copy => {
                    // An agent runs at the clock of the level that it asks.
                    catalogue
                        .declare_in::<CopyCounters>(&agent.name, |unit| in_cycles_of(unit, &agent.below));
                }
            }
        }
    }

    /// Adds the counts of agents.
    pub(in crate::fabric) fn add_statistics(&self, statistics: &mut Statistics) {
        for (agent, name) in self.agents.iter().zip(&self.names) {
            match agent {
                AgentNode::Copy(agent) => statistics.add_group(name, &agent.counters()),
            }
        }
    }
}
