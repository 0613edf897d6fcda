//! What leaves nodes by one port: a queue for each of them, and whose turn it is.
//!
//! The caches of a core share one port of a network, in turn. A shared cache has one port for what it sends below, and
//! one for its replies. A full queue is found full by its owner, which asks to be told of room.

use crate::crossbar::Port;
use crate::ids::{EndpointId, LaneId, NetworkId, NodeId};
use crate::message::{Direction, Queue};
use heddle_engine::Clock;

/// How messages go on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// Over a network, whose input has room or not.
    Port(NetworkId, Port),
    /// The same where packets that go this way are of several classes: each has an input of its own at the endpoint.
    Ports(NetworkId, EndpointId),
    /// Straight to the receiver.
    Direct(Wire),
}

/// A link without a network: a message a cycle, at most so many on the way down or waiting at the receiver.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    /// The receiver's clock.
    pub(super) clock: Clock,
    /// Ticks from departure to arrival.
    pub(super) latency: u64,
    /// Requests that may still leave; replies are taken at once and need none.
    pub(super) credits: u32,
    /// All of them.
    pub(super) most: u32,
    /// When the next message can leave.
    pub(super) free_at: u64,
    /// Messages sent.
    pub(super) sent: u32,
}

/// The queue of one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    pub(super) queue: Queue,
    pub(super) owner: NodeId,
    pub(super) capacity: u32,
    /// Ticks that messages have waited in it, summed.
    pub(super) waited: u64,
}

/// What leaves some nodes by one port.
#[derive(Clone, Debug)]
pub(super) struct Outlet {
    pub(super) way: Way,
    pub(super) direction: Direction,
    pub(super) lanes: Vec<Lane>,
    /// Whose queues are not empty, a bit each.
    pub(super) filled: u64,
    /// Which lane is looked at first.
    pub(super) turn: u32,
    /// Whose owners want to be told of room, a bit each.
    pub(super) awaited: u64,
}

impl Outlet {
    pub(super) fn new(way: Way, direction: Direction) -> Outlet {
        Outlet { way, direction, lanes: Vec::new(), filled: 0, turn: 0, awaited: 0 }
    }

    /// Adds the queue of a node; returns its place.
    pub(super) fn join(&mut self, owner: NodeId, capacity: u32) -> LaneId {
        self.lanes.push(Lane { queue: Queue::default(), owner, capacity, waited: 0 });
        LaneId((self.lanes.len() - 1) as u8)
    }

    /// Whether a queue has reached its length.
    #[inline(always)]
    pub(super) fn is_full(&self, lane: LaneId) -> bool {
        let lane = &self.lanes[lane.index()];
        lane.queue.len() >= lane.capacity
    }

    /// The owner of a queue wants to be told of room.
    #[inline(always)]
    pub(super) fn await_room(&mut self, lane: LaneId) {
        self.awaited |= 1 << lane.0;
    }

    /// Checks that nothing waits and every credit has come back.
    pub(super) fn assert_drained(&self) {
        assert!(self.lanes.iter().all(|lane| lane.queue.len() == 0), "a queue before a link is not empty");
        if let Way::Direct(wire) = self.way {
            assert!(
                wire.credits == wire.most || self.direction == Direction::Back,
                "a credit of a link was lost"
            );
        }
    }

    /// The lanes that are not empty, in the order of their turns.
    pub(super) fn lanes_in_turn(&self) -> impl Iterator<Item = usize> + use<> {
        let (filled, turn) = (self.filled, self.turn);
        (0..u64::BITS)
            .map(move |step| (turn + step) % u64::BITS)
            .filter(move |lane| filled >> lane & 1 == 1)
            .map(|lane| lane as usize)
    }

    /// The lane whose turn it is: the first from the turn on that is not empty, or else the first of all.
    #[inline(always)]
    pub(super) fn next_lane(&self) -> usize {
        let ahead = self.filled & u64::MAX.checked_shl(self.turn).unwrap_or(0);
        if ahead != 0 { ahead } else { self.filled }.trailing_zeros() as usize
    }
}
