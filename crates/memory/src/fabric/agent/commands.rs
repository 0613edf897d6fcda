//! The way of commands from cores to an agent, and that of its answers back.
//!
//! ```text
//! core ─ lane at its port of a network, or a wire ─▶ agent ─ outlet of its own ─▶ core
//! ```
//!
//! A command is a message ([`Kind::Command`]) of a node that each core has for it, numbered behind the agents; its
//! `parent` is the agent's number for it. Over a network it is a packet of `command_size` among the requests, and its
//! answer carries what was asked for among the replies. A warp waits for its command, so that no core has more of them
//! under way than warps; the queue for them has no limit of its own.

use crate::fabric::context::Context;
use crate::ids::{LaneId, NodeId, OutletId};
use crate::message::{Kind, Message, Stage};
use crate::request::{Notice, Request};
use heddle_engine::Tick;

/// Words that one packet of an answer carries: those of the longest line.
const WORDS_OF_A_PACKET: u32 = 32;

/// Where commands leave cores, and answers the agent.
#[derive(Clone, Debug)]
pub(in crate::fabric) struct CommandWay {
    /// By core: its node for commands, and where they leave it.
    pub(super) from_cores: Vec<(NodeId, OutletId, LaneId)>,
    /// Where answers leave the agent.
    pub(super) answers: (OutletId, LaneId),
    /// Words that the packet of a command carries.
    pub(super) words: u8,
    /// The packets of one answer at most: its flits are counted in 16 bits.
    pub(super) most_packets: u32,
}

impl CommandWay {
    /// A core gives an agent a command, which the agent knows by a number.
    pub(super) fn send(&self, ctx: &mut Context, now: Tick, agent: NodeId, number: u32, cause: Request) {
        let (from, outlet, lane) = self.from_cores[cause.core.index()];
        let message = Message::new(cause, (from, agent), outlet, Kind::Command, now, ctx.launch);
        let message = ctx.make(Message { parent: number, carried: self.words, ..message });
        ctx.queue(outlet, lane, message);
        ctx.pump(now, outlet);
    }

    /// The agent answers a command with so many words.
    pub(super) fn answer(&self, ctx: &mut Context, now: Tick, message: u32, words: u32) {
        let answer = &mut ctx.messages[message];
        (answer.since, answer.stage) = (now.0, Stage::ReplyQueue);
        answer.carried = words.min(WORDS_OF_A_PACKET) as u8;
        answer.packets = words.div_ceil(WORDS_OF_A_PACKET).clamp(1, self.most_packets) as u16;
        let (outlet, lane) = self.answers;
        ctx.queue(outlet, lane, message);
        ctx.pump(now, outlet);
    }
}

/// The answer to a command has come to its core.
pub(super) fn answered(ctx: &mut Context, message: u32) {
    let Message { request, launch, .. } = ctx.messages[message];
    assert_eq!(launch, ctx.launch, "a command has outlived its launch");
    ctx.forget(message);
    ctx.unanswered -= 1;
    ctx.notices.push(Notice::Answered(request.token));
}
