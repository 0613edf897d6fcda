//! The memory controllers: queues of the caches above, and the channels of DRAM behind them.
//!
//! ```text
//! fetch, write ─▶ queue of the cache (feeder) ─▶ admission ─▶ channel ─▶ fill at the cache's edge
//! ```
//!
//! A fetch or a write of a cache is a job ([`job`]). Jobs of a cache go to the channels in order ([`admission`]). A
//! fetch fills its cache when its last atom has come. Caches take fills at once, so that a channel's return queue never
//! fills up.

mod admission;
mod bursts;
mod capture;
mod channel_side;
mod counts;
mod feeder;
mod job;

pub use capture::Captured;
pub(crate) use counts::Counts;
pub(crate) use job::{ATOMS, Fetched};

use crate::dram::{AddressMap, Channel, Completion, DramSpec};
use crate::event::Event;
use crate::ids::{ChannelId, FeederId, NodeId};
use crate::message::Queue;
use crate::request::{LineAddress, Sectors};
use bursts::Bursts;
use capture::Capture;
use channel_side::ChannelSide;
use feeder::Feeder;
use heddle_engine::{Clock, Slab, Tick, Wheel};
use job::Job;

/// A cache above memory, as the controllers have to know it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FeederSpec {
    pub(crate) node: NodeId,
    pub(crate) clock: Clock,
    /// Jobs that may wait.
    pub(crate) queue: u32,
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
    channels: Vec<ChannelSide>,
    feeders: Vec<Feeder>,
    /// Whether channels may lag behind: see [`channel_side`].
    lag: bool,
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
    /// Controllers for these caches. `one_channel` says that each has one channel.
    pub(crate) fn new(
        spec: &DramSpec,
        map: AddressMap,
        clock: Clock,
        feeders: &[FeederSpec],
        one_channel: bool,
    ) -> Controllers {
        let atom = spec.atom();
        let mut shapes: Vec<(u64, u64, u64)> = Vec::new();
        let sides = feeders.iter().map(|feeder| {
            let shape = (feeder.line, feeder.sector, feeder.fetch_unit);
            let lines = shapes.iter().position(|known| *known == shape).unwrap_or_else(|| {
                shapes.push(shape);
                shapes.len() - 1
            });
            Feeder {
                node: feeder.node,
                clock: feeder.clock,
                queue: Queue::default(),
                stuck: false,
                capacity: feeder.queue,
                awaited: false,
                channel: feeder.channel,
                lines,
                sector_flits: feeder.sector_flits,
            }
        });
        let sides: Vec<Feeder> = sides.collect();
        let of_line = |&(line, sector, unit): &(u64, u64, u64)| {
            // Dirty sectors of a line are written back together.
            [unit, atom].map(|unit| Bursts::new(&map, line, sector, atom, unit))
        };
        let bursts = shapes.iter().map(of_line).collect();
        let channel = |number: u32| {
            let own = |(_, feeder): &(usize, &FeederSpec)| u32::from(feeder.channel.0) == number;
            let feeders = feeders.iter().enumerate().filter(own).map(|(place, _)| FeederId(place as u16));
            ChannelSide::new(Channel::new(spec), feeders.collect())
        };
        Controllers {
            clock,
            channels: (0..spec.channels).map(channel).collect(),
            feeders: sides,
            lag: one_channel && !Channel::new(spec).forwards(),
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

    /// A cache reads sectors of a line.
    #[inline(always)]
    pub(crate) fn fetch(
        &mut self,
        now: Tick,
        feeder: FeederId,
        line: LineAddress,
        sectors: Sectors,
        wheel: &mut Wheel<Event>,
    ) {
        let number = self.queue_job(now, feeder, line, sectors, false);
        self.job_came(feeder, number, wheel);
    }

    /// A cache writes sectors of a line.
    #[inline(always)]
    pub(crate) fn write(
        &mut self,
        now: Tick,
        feeder: FeederId,
        line: LineAddress,
        sectors: Sectors,
        wheel: &mut Wheel<Event>,
    ) {
        let number = self.queue_job(now, feeder, line, sectors, true);
        self.job_came(feeder, number, wheel);
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
        for feeder in &self.feeders {
            assert_eq!(feeder.queue.len(), 0, "a queue to memory is not empty");
            assert!(!feeder.stuck, "a cache waits for a channel");
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
    }
}
