//! A memory system driven by a list of requests alone, without cores.
//!
//! ```text
//! trace ─ fetch ─▶ requester 0: queue ─ pieces of a line each ─ offer ─▶ fabric
//!                  requester 1: queue …                         ◀─ notices ─┘
//! ```
//!
//! **By cycles** (open loop): a request comes in the cycle that it names, and is offered in that cycle or as soon as its
//! requester's cache takes it; requests of one requester are offered in the order of the list. Its latency counts from the
//! cycle that it names. Time begins with the first request.
//!
//! **In order** (closed loop): a requester offers its next request as soon as its cache takes it and fewer than a given
//! number of its requests are unanswered. Its latency counts from when it is first offered. The list is read ahead by a
//! bounded number of requests, so that one requester can be only so far ahead of another.
//!
//! A request is cut at the lines of the requester's cache, into *pieces*. In a cycle, each bank of that cache takes as many
//! pieces as it has ports, as from a core's load/store unit. A request is answered when its last piece is, from the level
//! that is furthest down. All use the data path ([`Path::Global`]), and no allocation is known.

mod answers;
mod requester;
pub mod trace;

pub use answers::Answered;

use crate::fabric::{ClockDomains, Fabric, FabricSpec};
use crate::ids::CoreId;
use crate::request::{Notice, Path};
use crate::spec_error::SpecError;
use answers::Pending;
use heddle_engine::{Clock, Cycle, Slab, Statistics, Tick};
use requester::{Figures, Requester};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use trace::TraceRequest;

/// Requests that are read ahead where they come in order.
const AHEAD: usize = 1 << 16;
/// Requests that have come by their cycles and may wait to be offered: more means that the trace asks for more than the
/// memory system can do.
pub const BACKLOG: usize = 1 << 22;

/// When requests come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// In the cycle that they name.
    ByCycle,
    /// In order, as soon as fewer than this many of the requester's are unanswered, if there is such a bound.
    InOrder(Option<u32>),
}

/// What a replay did.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Requests of the trace.
    pub requests: u64,
    /// Latencies.
    pub answered: Answered,
    /// From the first request to the last answer, in cycles of the requesters' clock.
    pub cycles: u64,
    /// Until the last write has reached DRAM, too.
    pub drained_cycles: u64,
    /// Every count of the memory system.
    pub statistics: Statistics,
}

/// What stops a replay.
#[derive(Debug)]
pub enum Stop {
    /// The memory system cannot be.
    Spec(SpecError),
    /// More than [`BACKLOG`] requests wait.
    Overload,
    /// A request names an earlier cycle than the one before it, or none.
    Cycle(TraceRequest),
}

impl From<SpecError> for Stop {
    fn from(error: SpecError) -> Stop {
        Stop::Spec(error)
    }
}

/// Replays requests from `source`, which ends with `None`, on a memory system for so many requesters. Panics if the memory
/// system loses a request: whatever it accepts it answers.
pub fn replay<E: From<Stop>>(
    spec: &FabricSpec,
    clocks: &ClockDomains,
    requesters: u32,
    arrival: Arrival,
    mut source: impl FnMut() -> Result<Option<TraceRequest>, E>,
) -> Result<Summary, E> {
    let mut replay = FabricReplay::new(spec, clocks, requesters, arrival).map_err(Stop::from)?;
    replay.next = replay.fetch(&mut source)?;
    // Time begins with the first request.
    replay.origin = replay.next.and_then(|request| request.cycle).unwrap_or(0);
    loop {
        replay.catch_up();
        replay.enter(&mut source)?;
        let busy = replay.offer();
        if !replay.advance(busy) {
            return Ok(replay.finish());
        }
    }
}

/// A memory system under replay.
struct FabricReplay {
    fabric: Fabric,
    clock: Clock,
    arrival: Arrival,
    figures: Figures,
    requesters: Vec<Requester>,
    /// The request that comes next.
    next: Option<TraceRequest>,
    /// The cycle of the trace in which time begins.
    origin: u64,
    now: u64,
    fetched: u64,
    /// Requests in the queues of requesters.
    queued: usize,
    pending: Slab<Pending>,
    /// By token: the request that a piece belongs to.
    pieces: Slab<u32>,
    /// When requests end whose answers are known, and whose they are.
    ends: BinaryHeap<Reverse<(u64, CoreId)>>,
    notices: Vec<Notice>,
    answered: Answered,
    last: u64,
}

impl FabricReplay {
    fn new(
        spec: &FabricSpec,
        clocks: &ClockDomains,
        requesters: u32,
        arrival: Arrival,
    ) -> Result<FabricReplay, SpecError> {
        let fabric = Fabric::new(spec, clocks, requesters)?;
        let figures = Figures::of(spec.serving(Path::Global));
        Ok(FabricReplay {
            fabric,
            clock: clocks.core,
            arrival,
            requesters: (0..requesters).map(|_| Requester::new(&figures)).collect(),
            figures,
            next: None,
            origin: 0,
            now: 0,
            fetched: 0,
            queued: 0,
            pending: Slab::default(),
            pieces: Slab::default(),
            ends: BinaryHeap::new(),
            notices: Vec::new(),
            answered: Answered::new(spec),
            last: 0,
        })
    }

    /// Takes the next request from the source.
    fn fetch<E: From<Stop>>(
        &mut self,
        source: &mut impl FnMut() -> Result<Option<TraceRequest>, E>,
    ) -> Result<Option<TraceRequest>, E> {
        let Some(request) = source()? else { return Ok(None) };
        let before = self.next.and_then(|before| before.cycle);
        if self.arrival == Arrival::ByCycle && request.cycle < before.or(Some(0)) {
            return Err(Stop::Cycle(request).into());
        }
        self.fetched += 1;
        Ok(Some(request))
    }

    /// Lets the memory system come to the present, and ends what has been answered by now.
    fn catch_up(&mut self) {
        let now = self.clock.start_of(Cycle(self.now));
        self.fabric.run_until(now, &mut self.notices);
        let mut notices = std::mem::take(&mut self.notices);
        for notice in notices.drain(..) {
            match notice {
                Notice::Replied(token, answerer) => {
                    let number = self.pieces[token.0];
                    self.pieces.release(token.0);
                    self.answer(number, answerer, self.now);
                }
                Notice::Ready(core, _) => self.requesters[core.index()].refused = false,
                // Values are taken then; there are none here.
                Notice::Serviced(..) | Notice::Answered(_) => {}
            }
        }
        self.notices = notices;
        while let Some(&Reverse((at, requester))) = self.ends.peek()
            && at <= self.now
        {
            self.ends.pop();
            self.requesters[requester.index()].unanswered -= 1;
        }
    }

    /// When the next request comes, if that is known.
    fn next_arrival(&self) -> Option<u64> {
        let request = self.next?;
        match self.arrival {
            Arrival::ByCycle => Some(request.cycle? - self.origin),
            Arrival::InOrder(_) => None,
        }
    }

    /// Gives requests that have come to their requesters.
    fn enter<E: From<Stop>>(
        &mut self,
        source: &mut impl FnMut() -> Result<Option<TraceRequest>, E>,
    ) -> Result<(), E> {
        while let Some(request) = self.next {
            match (self.arrival, self.next_arrival()) {
                (Arrival::ByCycle, arrival) if arrival > Some(self.now) => return Ok(()),
                (Arrival::ByCycle, _) if self.queued >= BACKLOG => return Err(Stop::Overload.into()),
                (Arrival::InOrder(_), _) if self.queued >= AHEAD => return Ok(()),
                _ => {}
            }
            self.requesters[request.requester.index()].queue.push_back(request);
            self.queued += 1;
            self.next = self.fetch(source)?;
        }
        Ok(())
    }

    /// Lets every requester offer what it can in this cycle; whether one may have more for the next.
    fn offer(&mut self) -> bool {
        let mut busy = false;
        for number in 0..self.requesters.len() {
            busy |= self.offer_of(number);
        }
        // There may be room to read ahead again.
        let in_order = matches!(self.arrival, Arrival::InOrder(_));
        busy || in_order && self.next.is_some() && self.queued < AHEAD
    }

    /// Goes to the next cycle in which something can happen; whether there is one.
    fn advance(&mut self, busy: bool) -> bool {
        if busy {
            self.now += 1;
            return true;
        }
        let end = self.ends.peek().map(|end| end.0.0);
        let next = [end, self.next_arrival()].into_iter().flatten().min();
        let limit = next.map_or(Tick(u64::MAX), |cycle| self.clock.start_of(Cycle(cycle)));
        match (self.fabric.advance(limit, &mut self.notices), next) {
            (Some(told), _) => self.now = self.clock.at_or_after(told).0.max(self.now),
            (None, Some(next)) => self.now = next,
            (None, None) => return false,
        }
        true
    }

    /// Nothing can happen any more: everything must have been answered, and everything given back.
    fn finish(mut self) -> Summary {
        let waiting = self.fabric.describe_waiting();
        assert_eq!(self.queued, 0, "requests were never accepted: {waiting:#?}");
        assert_eq!(self.pending.taken() + self.pieces.taken(), 0, "requests were not answered: {waiting:#?}");
        assert_eq!(self.answered.count(), self.fetched, "requests were lost");
        self.fabric.assert_drained();
        let end = self.clock.start_of(Cycle(self.last)).max(self.fabric.now());
        let mut statistics = Statistics::default();
        self.fabric.add_statistics(end, &mut statistics);
        Summary {
            requests: self.fetched,
            answered: self.answered,
            cycles: self.last,
            drained_cycles: self.clock.at_or_after(end).0,
            statistics,
        }
    }
}
