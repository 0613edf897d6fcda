//! What nodes send each other: requests on their way down, and replies on their way back.
//!
//! A message is made by the node that sends it and ends there when its reply has come back (or, if it is not answered,
//! in the node that takes it). It keeps its number meanwhile. A node that cannot answer a message by itself sends one of
//! its own below, and answers when that has come back.

use crate::crossbar::PacketKind;
use crate::ids::{LaunchId, LinkId, NodeId, OutletId};
use crate::request::{Access, Answerer, LineAddress, Request, Sectors};
use heddle_engine::{Slab, Tick};

/// Ends a queue, and stands for no message.
pub(crate) const NONE: u32 = u32::MAX;

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// To its receiver, towards memory.
    Down,
    /// Back to its sender.
    Back,
}

/// What a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A cache fetches sectors on behalf of a request.
    Fetch,
    /// A prefetch: the same, and no core is told.
    Prefetch,
    /// A request goes below as it is and is answered: a write, an atomic, a read that passes.
    Forward,
    /// A command of a core to an agent.
    Command,
    /// Dirty sectors that a cache gives up.
    WriteBack,
    /// A victim that the cache below inserts (exclusion).
    Victim,
}

impl Kind {
    /// Whether something goes back to the sender.
    #[inline(always)]
    pub(crate) fn is_answered(self) -> bool {
        matches!(self, Kind::Fetch | Kind::Prefetch | Kind::Forward | Kind::Command)
    }

    /// Whether a request of a core waits for it.
    #[inline(always)]
    pub(crate) fn is_awaited(self) -> bool {
        matches!(self, Kind::Fetch | Kind::Forward | Kind::Command)
    }
}

/// Where a message is, for the watchdog's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    MissQueue,
    OnTheWayDown,
    Ejected,
    Input,
    Missing,
    AtomicUnit,
    ReplyQueue,
    OnTheWayBack,
    Over,
}

/// A message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    /// The request that it serves, with the line as its sender has it.
    pub(crate) request: Request,
    /// The line as its receiver has it.
    pub(crate) line: LineAddress,
    /// Words of the receiver's line that are asked for, or carried.
    pub(crate) words: u32,
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    /// Where it left its sender.
    pub(crate) outlet: OutletId,
    /// The receiver's link that it comes by, and its reply goes back by.
    pub(crate) link: LinkId,
    /// The message of the sender's that it stands for, which is answered with it, if it does ([`Kind::Forward`]).
    pub(crate) parent: u32,
    /// The next in the queue that it waits in.
    pub(crate) next: u32,
    /// When it came to where it is.
    pub(crate) since: u64,
    /// When it was made.
    pub(crate) born: u64,
    /// The launch that it belongs to.
    pub(crate) launch: LaunchId,
    pub(crate) kind: Kind,
    pub(crate) stage: Stage,
    /// Who answered it, on its way back.
    pub(crate) answerer: Answerer,
    /// Whether the core is told when it is performed.
    pub(crate) noticed: bool,
    /// Words of data that its packet carries, on the way down or back, and how many packets it is.
    pub(crate) carried: u8,
    pub(crate) packets: u16,
    /// The sectors of the sender's line.
    pub(crate) sectors: Sectors,
    /// Those that are dirty, of a victim.
    pub(crate) dirty: Sectors,
}

impl Message {
    /// A message for nothing of its request's line yet, before it is sent from one node to another.
    pub(crate) fn new(
        request: Request,
        (from, to): (NodeId, NodeId),
        outlet: OutletId,
        kind: Kind,
        now: Tick,
        launch: LaunchId,
    ) -> Message {
        Message {
            request,
            line: request.line,
            words: 0,
            from,
            to,
            outlet,
            link: LinkId::default(),
            parent: NONE,
            next: 0,
            since: now.0,
            born: now.0,
            launch,
            kind,
            stage: Stage::MissQueue,
            answerer: Answerer::default(),
            noticed: false,
            carried: 0,
            packets: 1,
            sectors: Sectors::NONE,
            dirty: Sectors::NONE,
        }
    }
}

impl Message {
    /// What it is to a network.
    pub(crate) fn packet_kind(&self, direction: Direction) -> PacketKind {
        match (direction, self.kind, self.request.access) {
            (Direction::Down, Kind::Fetch, _) | (Direction::Down, Kind::Forward, Access::Read) => {
                PacketKind::Read
            }
            (Direction::Down, Kind::Prefetch, _) | (Direction::Down, Kind::Forward, Access::Prefetch) => {
                PacketKind::Prefetch
            }
            (Direction::Down, Kind::Forward, Access::Write) => PacketKind::Write,
            (Direction::Down, Kind::Forward, Access::Atomic) => PacketKind::Atomic,
            (Direction::Down, Kind::WriteBack, _) => PacketKind::WriteBack,
            (Direction::Down, Kind::Victim, _) => PacketKind::Victim,
            (Direction::Down, Kind::Command, _) => PacketKind::Command,
            (Direction::Back, Kind::Command, _) => PacketKind::Answer,
            (Direction::Back, Kind::Forward, Access::Write) => PacketKind::Acknowledgement,
            (Direction::Back, ..) => PacketKind::Data,
        }
    }
}

/// A thing that can wait in a [`Queue`].
pub(crate) trait Linked {
    /// The number of the next.
    fn next(&mut self) -> &mut u32;
}

impl Linked for Message {
    #[inline(always)]
    fn next(&mut self) -> &mut u32 {
        &mut self.next
    }
}

/// A first-in, first-out queue of things in a slab, linked through them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queue {
    first: u32,
    last: u32,
    length: u32,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue { first: NONE, last: NONE, length: 0 }
    }
}

impl Queue {
    #[inline(always)]
    pub(crate) fn len(&self) -> u32 {
        self.length
    }

    #[inline(always)]
    pub(crate) fn front(&self) -> Option<u32> {
        (self.length > 0).then_some(self.first)
    }

    #[inline(always)]
    pub(crate) fn push<T: Linked>(&mut self, number: u32, slab: &mut Slab<T>) {
        if self.length == 0 {
            self.first = number;
        } else {
            *slab[self.last].next() = number;
        }
        self.last = number;
        self.length += 1;
    }

    #[inline(always)]
    pub(crate) fn pop<T: Linked>(&mut self, slab: &mut Slab<T>) -> Option<u32> {
        let number = self.front()?;
        self.first = *slab[number].next();
        self.length -= 1;
        Some(number)
    }
}
