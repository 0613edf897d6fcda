//! A node: a cache in time.
//!
//! ```text
//! core ─ offer ─▶ private cache ─ below ─▶ (outlet) …        a hit costs no event
//!
//! … ─▶ intake: pipeline + input queue ─▶ tags ─┬─ hit ────────────▶ answer ─▶ (outlet above)
//!                                              ├─ atomic ─ unit ──▶ answer
//!                                              └─ miss ─▶ below: (outlet) or memory … fill ─▶ answer
//! ```
//!
//! A cache of any level is the same type. One that belongs to a core is asked by calls ([`offer`]) and tells the core by
//! notices; a shared one gets messages ([`intake`], [`tags`]) and answers them. What a cache sends below ([`below`]), and
//! what it does when a reply comes back ([`fill`]), is the same for both.

mod below;
mod fill;
mod intake;
mod offer;
mod refused;
mod shape;
mod tags;

pub(super) use refused::Refusals;
pub(super) use shape::{Shape, sectors_touched, words_of};

use crate::cache::{Cache, Slicing};
use crate::fabric::Obstacle;
use crate::ids::{CacheQueueId, CoreId, LaneId, LevelId, LinkId, NodeId, OutletId};
use crate::message::Queue;
use crate::request::{Answerer, LineAddress};

/// Who asks a node, and how it answers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Above {
    /// A core, by calls; it is told by notices.
    Core(CoreId),
    /// Caches and agents above, by messages. A reply leaves by the link that its request came by; this is the outlet of
    /// the first, and those of the others follow it.
    Caches(OutletId),
}

/// Where a node sends what it cannot answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Below {
    /// To the slices of one instance of the level below.
    Caches(Route),
    /// To memory.
    Memory(CacheQueueId),
}

/// The way to the slices of one instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    pub(super) outlet: OutletId,
    pub(super) lane: LaneId,
    /// Which of the slices' links above it is.
    pub(super) link: LinkId,
    /// The first slice.
    pub(super) first: NodeId,
    pub(super) slicing: Slicing,
    /// The bytes of the line below, less one.
    pub(super) line_mask: u64,
    pub(super) words_per_sector: u32,
}

/// What the tags of a node wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagStage {
    /// A request.
    Idle,
    /// An event that is scheduled.
    Scheduled,
    /// Room in the reply queue.
    ReplyQueue,
    /// Room in the queue below.
    QueueBelow,
    /// A fill.
    Cache(Obstacle),
}

/// A cache in time.
#[derive(Clone, Debug)]
pub(super) struct CacheNode {
    pub(super) id: NodeId,
    pub(super) level: LevelId,
    /// What it is to those whose requests it answers.
    pub(super) answerer: Answerer,
    pub(super) cache: Cache,
    pub(super) shape: Shape,
    pub(super) above: Above,
    pub(super) below: Below,
    /// The slices of its instance: the first, and which lines belong to which.
    pub(super) first: NodeId,
    pub(super) slicing: Slicing,
    /// What has arrived and not passed the tags; `since` is when it can.
    pub(super) input: Queue,
    /// What has arrived and found no room.
    pub(super) ejected: Queue,
    pub(super) tags: TagStage,
    /// When each port of each bank is free.
    pub(super) busy: Vec<u64>,
    /// When the atomic unit is free.
    pub(super) atomic_free_at: u64,
    /// What a core was refused.
    pub(super) refusals: Refusals,
}

impl CacheNode {
    /// The slice of its instance that a line belongs to.
    #[inline(always)]
    pub(super) fn home_of(&self, line: LineAddress) -> NodeId {
        self.first.slice(self.slicing.slice_of(line))
    }

    /// Whether memory is below.
    #[inline(always)]
    pub(super) fn is_last(&self) -> bool {
        matches!(self.below, Below::Memory(_))
    }
}
