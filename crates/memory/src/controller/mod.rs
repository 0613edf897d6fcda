//! The memory controllers: queues of the caches above, and the channels of DRAM behind them.
//!
//! ```text
//! fetch, write ─▶ queues ─▶ admission ─▶ channel ─▶ completion ─▶ fill at the cache's edge
//!                    ├──────── catch_up ────────┤
//!                    └──────── deferred ────────┘
//! ```
//!
//! A fetch or a write of a cache is a job ([`job`]), which waits in the queue of its cache ([`queues`]). Jobs of a queue
//! enter the channels in order, burst by burst ([`admission`], [`bursts`]). A fetch fills its cache when its last burst
//! has come ([`completion`]). Caches take fills at once, so that a channel's return queue never fills up.
//!
//! Time moves on in one place, [`catch_up`]: it lets jobs enter and channels issue in the order of their cycles, and it
//! alone calls the stages. A stage calls none before it: what an earlier one has to do is what it returns.

mod admission;
mod bursts;
mod capture;
mod catch_up;
mod channel;
mod completion;
mod counts;
mod deferred;
mod job;
mod queues;

pub use capture::Captured;
pub(crate) use counts::Counts;
pub(crate) use job::{ATOMS, CompletedFetch, JobKind};

use crate::dram::{AddressMap, Channel, Completion, DramSpec};
use crate::event::Event;
use crate::ids::{CacheQueueId, ChannelId, NodeId};
use crate::message::Queue;
use crate::request::{LineAddress, Sectors};
use bursts::Bursts;
use capture::Capture;
use channel::ChannelController;
use heddle_engine::{Clock, Slab, Tick, Wheel};
use job::Job;
use queues::CacheQueue;

/// The queue of a cache above memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CacheQueueSpec {
    pub(crate) node: NodeId,
    pub(crate) clock: Clock,
    /// Jobs that may wait.
    pub(crate) capacity: u32,
    pub(crate) line: u64,
    pub(crate) sector: u64,
    /// Bytes of one burst of a fetch: an atom, or less.
    pub(crate) fetch_unit: u64,
    /// The channel that its addresses lie in, where they all lie in one.
    pub(crate) channel: ChannelId,
    /// Flits of a packet, by its sectors.
    pub(crate) sector_flits: [u16; 9],
}

/// The memory controllers of a machine.
#[derive(Clone, Debug)]
pub(crate) struct Controllers {
    clock: Clock,
    map: AddressMap,
    channels: Vec<ChannelController>,
    queues: Vec<CacheQueue>,
    /// Whether channels may lag behind: see [`catch_up`].
    lag: bool,
    /// Whether jobs may enter channels late: see [`deferred`].
    defers: bool,
    jobs: Slab<Job>,
    highest_job: u32,
    jobs_started: u64,
    /// DRAM transactions of fetches (0) and of writes (1), by shape of a cache's lines.
    bursts: Vec<[Bursts; 2]>,
    completions: Vec<Completion>,
    /// Lines that will come to caches soon: the host's caches may want to know.
    expected: Vec<(NodeId, LineAddress)>,
    capture: Option<Capture>,
    /// Flits of packets with data to and from the controllers.
    data_flits: u64,
    /// Ticks that jobs have waited in queues.
    queue_ticks: u64,
    fetches: u64,
    fetch_ticks: u64,
}

impl Controllers {
    /// Controllers with these queues. `one_channel` says that each has one channel.
    pub(crate) fn new(
        spec: &DramSpec,
        map: AddressMap,
        clock: Clock,
        queues: &[CacheQueueSpec],
        one_channel: bool,
    ) -> Controllers {
        let atom = spec.atom();
        let mut shapes: Vec<(u64, u64, u64)> = Vec::new();
        let made = queues.iter().map(|queue| {
            let shape = (queue.line, queue.sector, queue.fetch_unit);
            let lines = shapes.iter().position(|known| *known == shape).unwrap_or_else(|| {
                shapes.push(shape);
                shapes.len() - 1
            });
            CacheQueue {
                node: queue.node,
                clock: queue.clock,
                jobs: Queue::default(),
                stuck: false,
                capacity: queue.capacity,
                awaited: false,
                channel: queue.channel,
                lines,
                sector_flits: queue.sector_flits,
            }
        });
        let made: Vec<CacheQueue> = made.collect();
        let of_line = |&(line, sector, unit): &(u64, u64, u64)| {
            // Dirty sectors of a line are written back together.
            [unit, atom].map(|unit| Bursts::new(&map, line, sector, atom, unit))
        };
        let bursts = shapes.iter().map(of_line).collect();
        let channel = |number: u32| {
            let own = |(_, queue): &(usize, &CacheQueueSpec)| u32::from(queue.channel.0) == number;
            let queues = queues.iter().enumerate().filter(own).map(|(place, _)| CacheQueueId(place as u16));
            ChannelController::new(Channel::new(spec), queues.collect())
        };
        Controllers {
            clock,
            channels: (0..spec.channels).map(channel).collect(),
            queues: made,
            lag: one_channel && !Channel::new(spec).forwards(),
            defers: true,
            bursts,
            map,
            jobs: Slab::default(),
            highest_job: 0,
            jobs_started: 0,
            completions: Vec::new(),
            expected: Vec::new(),
            capture: None,
            data_flits: 0,
            queue_ticks: 0,
            fetches: 0,
            fetch_ticks: 0,
        }
    }

    /// A cache fetches or writes sectors of a line.
    #[inline(always)]
    pub(crate) fn take(
        &mut self,
        now: Tick,
        queue: CacheQueueId,
        kind: JobKind,
        line: LineAddress,
        sectors: Sectors,
        wheel: &mut Wheel<Event>,
    ) {
        let number = self.queue_job(now, queue, line, sectors, kind == JobKind::Write);
        self.job_came(queue, number, wheel);
    }

    /// Lines that will come to caches soon, each told once.
    #[inline(always)]
    pub(crate) fn expected(&mut self) -> std::vec::Drain<'_, (NodeId, LineAddress)> {
        self.expected.drain(..)
    }

    /// Whether nothing is under way, down to the last write.
    pub(crate) fn is_idle(&self) -> bool {
        self.jobs.taken() == 0
    }

    /// Checks that idle controllers have got everything back. Panics if something was lost.
    pub(crate) fn assert_drained(&self) {
        for queue in &self.queues {
            assert_eq!(queue.jobs.len(), 0, "a queue to memory is not empty");
            assert!(!queue.stuck, "a cache waits for a channel");
        }
        assert!(self.channels.iter().all(|side| side.channel.is_idle()), "a channel is not idle");
    }

    /// Whether channels may lag behind, to catch up in one go.
    pub(crate) fn lag(&self) -> bool {
        self.lag
    }

    /// From now on channels keep up instead. Nothing may be under way.
    pub(crate) fn keep_up(&mut self) {
        assert!(self.is_idle(), "channels keep up from a moment on at which nothing is under way");
        self.lag = false;
        self.defers = false;
    }
}
