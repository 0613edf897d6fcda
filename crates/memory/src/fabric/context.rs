//! What nodes share: time, messages, networks, memory, and what is to be told.

use super::counters::{Latency, ModeTimes, Queueing};
use super::outlet::Outlet;
use crate::cache::{Effects, Prefetch};
use crate::controller::Controllers;
use crate::crossbar::{ClassMap, Crossbar};
use crate::event::Event;
use crate::ids::{EndpointId, LaunchId, NodeId, OutletId};
use crate::message::{Direction, Message, Stage};
use crate::request::{Notice, Request};
use heddle_engine::{Clock, Slab, Tick, Wheel};

/// A network, and who is where on it.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub(super) name: String,
    pub(super) crossbar: Crossbar,
    /// Which class a packet travels in.
    pub(super) classes: ClassMap,
    /// Flits of a packet, by its words of data.
    pub(super) flits: [u16; 33],
    /// The endpoint of each node.
    pub(super) endpoints: Vec<EndpointId>,
    /// What is sent through each input.
    pub(super) outlets: Vec<OutletId>,
}

/// What other nodes have to do after an event.
#[derive(Clone, Copy, Debug)]
pub(super) enum FollowUp {
    /// A node that asked for it has room in a queue, for what it sends down or for what goes back.
    Room(NodeId, Direction),
    /// A node should prefetch a line that another slice wished for, on behalf of a request.
    Prefetch(NodeId, Prefetch, Request),
}

/// What nodes share. A node changes nothing of another: it sends messages, and leaves follow-ups.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) now: Tick,
    pub(super) core_clock: Clock,
    /// That of the last level of the data path.
    pub(super) last_level_clock: Clock,
    pub(super) wheel: Wheel<Event>,
    /// What cores are told.
    pub(super) notices: Vec<Notice>,
    /// What the cache that was asked last has caused besides its answer.
    pub(super) effects: Effects,
    pub(super) messages: Slab<Message>,
    /// The highest number of a message so far.
    pub(super) highest: u32,
    pub(super) networks: Vec<Network>,
    pub(super) outlets: Vec<Outlet>,
    pub(super) memory: Controllers,
    pub(super) follow_ups: Vec<FollowUp>,
    /// Requests of cores that have been accepted and not been answered.
    pub(super) unanswered: u64,
    /// Messages that no request of a core waits for.
    pub(super) unawaited: u64,
    /// The launch that requests belong to.
    pub(super) launch: LaunchId,
    /// Flits of fetches that are sent to memory.
    pub(super) fetch_flits: u64,
    pub(super) queueing: Queueing,
    pub(super) latency: Latency,
    pub(super) modes: ModeTimes,
}

impl Context {
    /// Gives a message its number.
    #[inline(always)]
    pub(super) fn make(&mut self, message: Message) -> u32 {
        self.unawaited += u64::from(!message.kind.is_awaited());
        let number = self.messages.insert(message);
        self.highest = self.highest.max(number);
        number
    }

    /// Notes the mode that Flexclusion has, which may have changed.
    pub(super) fn note_mode(&mut self, now: Tick) {
        if let Some(exclusive) = self.effects.tables.take_mode() {
            self.modes.set(now, exclusive);
        }
    }

    /// A message is over.
    #[inline(always)]
    pub(super) fn forget(&mut self, number: u32) {
        let message = &mut self.messages[number];
        message.stage = Stage::Over;
        self.unawaited -= u64::from(!message.kind.is_awaited());
        self.messages.release(number);
    }
}
