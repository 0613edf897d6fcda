//! The parts of the memory system wired together, in time.
//!
//! ```text
//! core ─ offer ─▶ L1, constant, texture, instruction ─ miss queue ─▶ crossbar ─▶ L2 slice ─▶ DRAM channel
//!   ◀─ notices ──────────────────────────────────────── crossbar ◀─ reply queue ◀──┴───────────┘
//! ```
//!
//! Everything is driven by one event queue. A queue that is full remembers the components that wait for it and wakes
//! them; nothing is polled. Four clock domains meet at exact edges: a packet arrives at an edge of its receiver's
//! clock, a DRAM transaction at an edge of the command clock, data from DRAM at an edge of L2's.
//!
//! Latencies without load are sums of parameters (each in cycles of its own clock, each crossing rounded up to
//! the next edge): a hit in L1 takes `l1.latency`; the round trip to L2 takes the request packet's flits,
//! `interconnect.latency`, `l2.latency`, the reply packet's flits and `interconnect.latency`; DRAM adds its own
//! time and `dram.extra_latency`.
//!
//! Left out: coherence between the cores' caches, probes, a limit to what a core receives per cycle other than
//! the crossbar's width.

mod build;
mod bursts;
mod capture;
mod channel_side;
mod core_side;
mod counters;
mod dram_queue;
mod events;
mod l2_shape;
mod l2_spec;
mod launch;
mod memory_side;
mod refused;
mod run;
mod samples;
mod slice;
mod spec;
mod statistics;
mod transaction;
mod waiting;
mod zero_load;

pub use capture::Captured;
pub use counters::{LatencyCounters, QueueingCounters, TrafficCounters};
pub use l2_spec::{Acknowledge, FetchUnit, L2Spec, SliceMap};
pub use spec::{Clocks, HierarchySpec};
pub use zero_load::ZeroLoad;

use crate::cache::{Blocked, CacheSpec, Effects, InclusionKind, PolicySpec, Slicing};
use crate::crossbar::Crossbar;
use crate::dram::{AddressMap, Completion};
use crate::request::Notice;
use bursts::Bursts;
use channel_side::ChannelSide;
use core_side::{CACHES, CoreSide, Shape};
use events::Event;
use heddle_engine::{Slab, Tick, Wheel};
use l2_shape::L2Shape;
use memory_side::Job;
use slice::Slice;
use transaction::Transaction;

/// The answer to a request of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// The data is here: the value is taken now, and is usable after so many core cycles. No notice follows.
    Hit {
        /// Core cycles.
        latency: u32,
    },
    /// Accepted: [`Notice::Serviced`] and [`Notice::Replied`] will name its token ([`Notice::Replied`] alone for
    /// one that was merged with another of its core's).
    Accepted,
    /// Refused, and nothing was changed: [`Notice::Ready`] will tell when to try again.
    Refused(Why),
}

/// Why a request cannot be taken now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Every MSHR is in use.
    Mshrs,
    /// Too many wait for the line already.
    Merges,
    /// Every way of the set is reserved.
    Ways,
    /// The miss queue is full.
    MissQueue,
}

impl From<Blocked> for Why {
    fn from(blocked: Blocked) -> Why {
        match blocked {
            Blocked::Mshrs => Why::Mshrs,
            Blocked::Merges => Why::Merges,
            Blocked::Ways => Why::Ways,
        }
    }
}

/// A memory system.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    clocks: Clocks,
    policies: PolicySpec,
    /// The cores' caches.
    caches: [CacheSpec; CACHES],
    slice_spec: CacheSpec,
    /// How the cores' caches and L2 share lines.
    inclusion: InclusionKind,
    wheel: Wheel<Event>,
    now: Tick,
    notices: Vec<Notice>,
    effects: Effects,
    crossbar: Crossbar,
    transactions: Slab<Transaction>,
    /// The highest number of a transaction so far.
    highest: u32,
    cores: Vec<CoreSide>,
    shapes: [Shape; CACHES],
    slices: Vec<Slice>,
    l2_shape: L2Shape,
    l2_line_mask: u64,
    addresses: Slicing,
    /// The first slice among the crossbar's endpoints.
    first_slice: u16,
    /// Flits of a packet, by its words of data.
    flits: [u16; 33],
    /// Flits of a packet, by its sectors of L2.
    sector_flits: [u16; 9],
    channels: Vec<ChannelSide>,
    /// Whether channels may lag behind: see [`channel_side`].
    channels_lag: bool,
    map: AddressMap,
    jobs: Slab<Job>,
    highest_job: u32,
    jobs_started: u64,
    /// DRAM transactions of fetches (0) and of writes (1).
    bursts: [Bursts; 2],
    completions: Vec<Completion>,
    capture: Option<capture::Capture>,
    /// Requests of cores that have been accepted and not been answered.
    unanswered: u64,
    /// Transactions that no core is told about.
    unnoticed: u64,
    traffic: TrafficCounters,
    queueing: counters::Queueing,
    latency: counters::Latency,
}

impl Hierarchy {
    /// Requests that have not been answered, and what the cores' caches have sent below on their own account
    /// (prefetches, evicted lines) and has not ended. Writes that L2 has taken may still be on their way to
    /// DRAM: see [`Hierarchy::is_idle`].
    pub fn outstanding(&self) -> usize {
        (self.unanswered + self.unnoticed) as usize
    }

    /// Whether nothing at all is under way, down to the last write to DRAM.
    pub fn is_idle(&self) -> bool {
        self.outstanding() == 0 && self.jobs.taken() == 0 && self.transactions.taken() == 0
    }

    /// Checks that an idle memory system has got everything back: credits, MSHRs, places in queues. Panics if
    /// something was lost.
    pub fn assert_drained(&self) {
        assert!(self.is_idle(), "something is still under way");
        self.crossbar.assert_empty();
        for core in &self.cores {
            assert!(core.queues.iter().all(|queue| queue.len() == 0), "a miss queue is not empty");
            assert!(core.caches.iter().all(|cache| cache.outstanding() == 0), "an MSHR of a core was lost");
        }
        for slice in &self.slices {
            let queues = [slice.input, slice.ejected, slice.replies, slice.to_dram];
            assert!(queues.iter().all(|queue| queue.len() == 0), "a queue of a slice is not empty");
            assert_eq!(slice.cache.outstanding(), 0, "an MSHR of a slice was lost");
            assert!(!slice.stuck, "a slice waits for a channel");
        }
        assert!(self.channels.iter().all(|side| side.channel.is_idle()), "a channel is not idle");
    }

    /// Whether channels of DRAM may lag behind, to catch up in one go.
    pub fn channels_lag(&self) -> bool {
        self.channels_lag
    }

    /// From now on channels keep up instead, which costs the host more and changes nothing else. Nothing may be under way.
    pub fn keep_channels_up(&mut self) {
        assert!(self.is_idle(), "channels keep up from a moment on at which nothing is under way");
        self.channels_lag = false;
    }

    /// When the last thing happened.
    pub fn now(&self) -> Tick {
        self.now
    }

    /// Starts or ends the capture of DRAM transactions.
    pub fn capture_dram(&mut self, on: bool) {
        self.capture = on.then(|| self.capture.take().unwrap_or_default());
    }

    /// The DRAM transactions captured so far, in the order of the cycles in which they came to their channels, up
    /// to the first that is not done. Each is given once.
    ///
    /// `now` is how far the cores have come. What is left of a launch may have been written to DRAM beyond that, and
    /// the next launch may come to other channels before.
    pub fn take_captured(&mut self, now: Tick) -> Vec<Captured> {
        let now = self.clocks.dram.during(now).0;
        // What has not entered a channel that lags behind may still do so in a cycle that is past.
        let now = self.jobs_enter_from().map_or(now, |cycle| cycle.min(now));
        self.capture.as_mut().map(|capture| capture.take(now)).unwrap_or_default()
    }

    /// What [`Hierarchy::take_captured`] would give when everything that is under way has ended, if nothing is
    /// offered any more; nothing is changed.
    pub fn rest_of_capture(&self) -> Vec<Captured> {
        let mut copy = self.clone();
        copy.run_until(Tick(u64::MAX), &mut Vec::new());
        copy.capture.map(|mut capture| capture.take(u64::MAX)).unwrap_or_default()
    }
}
