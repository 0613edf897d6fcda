//! The memory system of a machine: nodes, the links between them, and memory, in time.
//!
//! ```text
//!            levels = data                        one instance each for so many cores, of so many slices
//! core ─ offer ─▶ [l1] [constant] … ─ outlet ─▶ network or wire ─▶ [l2 slices] ─▶ memory controllers ─▶ channels
//!   ◀─ notices ───────────────────────────────── replies ◀───────── outlet ◀───────────┘
//! ```
//!
//! - A *node* is a cache of any level (`node`). It sees its own state and a `Context` that all share, and never
//!   another node: it sends messages (`crate::message`), and leaves follow-ups for others.
//! - An *agent* is a node too: a unit that cores give commands to and that sends messages by itself (`agent`).
//! - A *link* is an `outlet` of the sender: queues, and a port of a network for each message class, or a wire, behind them.
//! - *Memory* is behind the last level (`crate::controller`).
//! - The levels, what is below each and how it is reached are a list in the machine file (`spec`); `build` makes
//!   nodes and links of it, and nothing else knows a level by name.
//!
//! Everything is driven by one event queue (`run`). A queue that is full is found so by its owner, which asks to be told
//! of room; nothing is polled. Clock domains meet at exact edges: a packet arrives at an edge of its receiver's clock, a
//! DRAM transaction at an edge of the command clock, data from DRAM at an edge of its cache's.
//!
//! Latencies without load are sums of parameters (each in cycles of its own clock, each crossing rounded up to
//! the next edge): a hit in a core's cache takes its `latency`; the round trip to L2 takes the request packet's flits,
//! `interconnect.latency`, `l2.latency`, the reply packet's flits and `interconnect.latency`; DRAM adds its own
//! time and `dram.extra_latency`.
//!
//! Left out: coherence between caches, probes, a limit to what a core receives per cycle other than the network's width.

mod agent;
mod answerers;
mod ask;
mod build;
mod build_nodes;
mod builder;
mod check;
mod check_policies;
mod clocks;
mod context;
mod counters;
mod foresight;
mod launch;
mod limits;
mod links;
mod node;
mod numbering;
mod outlet;
mod queueing;
mod run;
mod spec;
mod statistics;
mod tree;
mod waiting;
mod zero_load;

pub use crate::controller::Captured;
pub use agent::{AgentCommand, AgentKind, AgentSpec, CopyCounters};
pub use answerers::in_prose;
use answerers::{LEVEL_CYCLES, in_cycles_of};
pub use clocks::{ClockDomains, Clocks};
pub use counters::{LatencyCounters, QueueingCounters};
pub use spec::{
    Acknowledge, DIRECT, FabricSpec, FetchUnit, LevelSpec, MEMORY, NetworkSpec, SliceMap, keys_of, level_keys,
};
pub use tree::{draw, draw_for};
pub use zero_load::ZeroLoad;

use crate::cache::{Blocked, InclusionKind, PolicySpec};
use crate::ids::NodeId;
use crate::request::Path;
use agent::Agents;
use context::Context;
use foresight::Seeing;
use heddle_engine::Tick;
use node::CacheNode;
use statistics::Names;

/// The answer to a request of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// The data is here: the value is taken now, and is usable after so many core cycles. No notice follows.
    Hit {
        /// Core cycles.
        latency: u32,
    },
    /// Accepted: [`Notice::Serviced`](crate::request::Notice::Serviced) and
    /// [`Notice::Replied`](crate::request::Notice::Replied) will name its token (`Replied` alone for one that was
    /// merged with another of its core's).
    Accepted,
    /// Refused, and nothing was changed: [`Notice::Ready`](crate::request::Notice::Ready) will tell when to try again.
    Refused(Obstacle),
}

/// Why a request cannot be taken now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Every MSHR is in use.
    Mshrs,
    /// Too many wait for the line already.
    Merges,
    /// Every way of the set is reserved.
    Ways,
    /// The miss queue is full.
    MissQueue,
}

impl From<Blocked> for Obstacle {
    fn from(blocked: Blocked) -> Obstacle {
        match blocked {
            Blocked::Mshrs => Obstacle::Mshrs,
            Blocked::Merges => Obstacle::Merges,
            Blocked::Ways => Obstacle::Ways,
        }
    }
}

/// A level, and its nodes.
#[derive(Clone, Debug)]
struct Level {
    spec: LevelSpec,
    /// Its nodes are consecutive.
    first: NodeId,
    nodes: usize,
    /// How it shares lines with the level below.
    inclusion_below: InclusionKind,
    /// Of policies that draw lots: that of the first node, and how much more that of the next is.
    seed: u32,
    seeds_apart: u32,
}

/// A memory system.
#[derive(Clone, Debug)]
pub struct Fabric {
    ctx: Context,
    nodes: Vec<CacheNode>,
    /// Units beside the caches, numbered behind them.
    agents: Agents,
    /// The node that each path of each core goes through first.
    serving: Vec<[NodeId; Path::ALL.len()]>,
    levels: Vec<Level>,
    names: Names,
    policies: PolicySpec,
    seeing: Seeing,
}

impl Fabric {
    /// Requests that have not been answered, and what caches have sent below on their own account (prefetches, victims)
    /// and has not ended. Writes that the last level has taken may still be on their way to DRAM: see
    /// [`Fabric::is_idle`].
    pub fn outstanding(&self) -> usize {
        (self.ctx.unanswered + self.ctx.unawaited) as usize
    }

    /// Whether nothing at all is under way, down to the last write to DRAM.
    pub fn is_idle(&self) -> bool {
        self.outstanding() == 0 && self.ctx.memory.is_idle() && self.ctx.messages.taken() == 0
    }

    /// Checks that an idle memory system has got everything back: credits, MSHRs, places in queues. Panics if
    /// something was lost.
    pub fn assert_drained(&self) {
        assert!(self.is_idle(), "something is still under way");
        for network in &self.ctx.networks {
            network.crossbar.assert_empty();
        }
        for outlet in &self.ctx.outlets {
            outlet.assert_drained();
        }
        for node in &self.nodes {
            assert_eq!(node.input.len() + node.ejected.len(), 0, "a queue of a cache is not empty");
            assert_eq!(node.cache.outstanding(), 0, "an MSHR was lost");
        }
        self.agents.assert_drained();
        self.ctx.memory.assert_drained();
    }

    /// Whether channels of DRAM may lag behind, to catch up in one go.
    pub fn channels_lag(&self) -> bool {
        self.ctx.memory.lag()
    }

    /// From now on channels keep up instead, which costs the host more and changes nothing else. Nothing may be under way.
    pub fn keep_channels_up(&mut self) {
        assert!(self.is_idle(), "channels keep up from a moment on at which nothing is under way");
        self.ctx.memory.keep_up();
    }

    /// When the last thing happened.
    pub fn now(&self) -> Tick {
        self.ctx.now
    }

    /// Starts or ends the capture of DRAM transactions.
    pub fn capture_dram(&mut self, on: bool) {
        self.ctx.memory.capture(on);
    }

    /// The DRAM transactions captured so far, in the order of the cycles in which they came to their channels, up
    /// to the first that is not done. Each is given once.
    ///
    /// `now` is how far the cores have come. What is left of a launch may have been written to DRAM beyond that, and
    /// the next launch may come to other channels before.
    pub fn take_captured(&mut self, now: Tick) -> Vec<Captured> {
        self.ctx.memory.take_captured(now)
    }

    /// What [`Fabric::take_captured`] would give when everything that is under way has ended, if nothing is
    /// offered any more; nothing is changed.
    pub fn rest_of_capture(&self) -> Vec<Captured> {
        let mut copy = self.clone();
        copy.run_until(Tick(u64::MAX), &mut Vec::new());
        copy.ctx.memory.take_all_captured()
    }
}
