//! Units beside the cores that functions of the machine are commands to.
//!
//! ```text
//! call of a function ─ issue ─ command ─▶ agent
//!                                           │ any time later
//! registers, shared memory ◀─ core ◀─ reply ┘
//! ```
//!
//! A call of a function that an agent takes is issued like any instruction; its operands go out with the command.
//! The warp goes on until something needs the result, or waits for the reply, as the agent says. Functions that no
//! agent takes are performed when they are issued.
//!
//! Agents of the memory system ([`heddle_memory::fabric`]) take the functions that `agent_of` names: the agent reads
//! what the function reads, and the function is performed on memory as it is when the agent answers. Other units are
//! attached to the machine ([`Agent`]).

use heddle_engine::counters;
use heddle_memory::fabric::{AgentKind, Fabric};
use heddle_memory::{AgentId, CoreId};
use heddle_ptx::exec::timed::{Answer, Command};
use heddle_ptx::exec::{COPY_ASYNC, COPY_TO_SHARED};

/// A command that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandToken(pub(crate) u32);

/// The agent of the memory system that takes a function, if there is one.
pub(crate) fn agent_of(fabric: &Fabric, function: &str) -> Option<AgentId> {
    match function {
        COPY_TO_SHARED | COPY_ASYNC => fabric.agent(AgentKind::Copy),
        _ => None,
    }
}

/// Whether a warp goes on behind a command for a function to an agent of the memory system, until it waits for all that it
/// has under way.
pub(crate) fn goes_on_behind(function: &str) -> bool {
    function == COPY_ASYNC
}

/// What the warp does that gave a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// It goes on; registers of the result wait.
    GoesOn,
    /// It waits for the reply.
    Waits,
}

/// A reply to a command.
#[derive(Clone, Debug)]
pub struct AgentReply {
    /// The command.
    pub token: CommandToken,
    /// What it is answered with.
    pub answer: Answer,
}

/// A unit that takes commands.
///
/// For each call of one of its functions a core calls [`Agent::take`]; the main loop asks [`Agent::next_reply_at`] and
/// calls [`Agent::replies`] in that cycle, before cores act. Every command must be answered. It is called through a
/// pointer because commands are rare beside instructions, and units come from other crates.
pub trait Agent {
    /// The functions of the machine that are commands to it.
    fn functions(&self) -> &[&'static str];

    /// Takes a command of a core in a core cycle.
    fn take(&mut self, cycle: u64, core: CoreId, token: CommandToken, command: &Command) -> Then;

    /// The core cycle of its next reply, if it will have one without being given another command. Later than that of
    /// the command that it replies to.
    fn next_reply_at(&self) -> Option<u64>;

    /// Gives the replies of a cycle.
    fn replies(&mut self, cycle: u64, replies: &mut Vec<AgentReply>);

    /// A launch starts cold: the unit is as it was before its first command, and cycles are counted from 0 again. No
    /// command is unanswered.
    fn renew(&mut self);
}

counters! {
    /// Commands to agents.
    pub struct AgentCounters {
        commands: "commands to agents", "Calls that became commands to agents, one for each warp instruction.";
        lanes: "threads", "Threads that made them.";
        reply_cycles: "cycles", "Cycles from the issue of a command to its reply, summed.";
    }
}

counters! {
    /// Issue slots of cores with an agent.
    pub struct AgentSlotCounters {
        agent: "slots", "Synchronisation: waited for the reply of an agent.";
    }
}
