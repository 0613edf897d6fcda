//! Channels driven by a list of requests alone.
//!
//! **Open loop**: a request comes in the cycle that it names. If the queue that it goes to is full it waits in
//! front of it, and so does everything behind it, in all channels: requests enter in the order of the list.
//! Its latency counts from the cycle that it names.
//!
//! **Closed loop**: a request comes as soon as fewer than W are outstanding. A read is outstanding until its
//! data is there. A write is outstanding until it has been written if writes share their queue with reads, and
//! until its queue has taken it if they have their own: a write is posted there.
//!
//! In each cycle requests enter first and then each channel issues its command, as for an owner that calls
//! [`Channel::catch_up`] before it pushes: replaying a stream that was recorded there gives each request the
//! latency that it had.

use super::address_map::{AddressMap, Place};
use super::channel::{Channel, Completion, Transaction};
use super::counters::DramCounters;
use super::latency::Latencies;
use super::spec::DramSpec;
use super::trace::DramTraceRequest;
use crate::spec_error::SpecError;
use heddle_engine::{CounterGroup, Cycle};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// When requests come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pacing {
    /// In the cycle that they name; one that names none comes with the one before it.
    ByCycle,
    /// As soon as fewer than this many are outstanding.
    Outstanding(u32),
}

/// A request that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// The request.
    pub request: DramTraceRequest,
    /// When it came.
    pub came: u64,
    /// Command clocks until it was done.
    pub latency: u64,
    /// Whether it found its row open.
    pub row_hit: bool,
}

/// What a replay did.
#[derive(Clone, Debug)]
pub struct DramSummary {
    /// Latencies of reads.
    pub reads: Latencies,
    /// Latencies of writes, until their last beat.
    pub writes: Latencies,
    /// From the first request to the end of the last.
    pub cycles: u64,
    /// Counters of all channels together, over these cycles.
    pub counters: DramCounters,
}

/// When a request of a closed loop comes that had no turn yet.
const UNKNOWN: u64 = u64::MAX;

/// A request between its arrival and its place in the order of results.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    request: DramTraceRequest,
    came: u64,
    served: Option<(u64, bool)>,
}

/// Channels under replay.
#[derive(Debug)]
struct ChannelReplay {
    map: AddressMap,
    channels: Vec<Channel>,
    wakes: Vec<u64>,
    arrival: Pacing,
    /// Writes are not waited for.
    posted_writes: bool,
    now: u64,
    /// When outstanding requests of a closed loop are done.
    ends: BinaryHeap<Reverse<u64>>,
    outstanding: u32,
    /// The request that comes next, when it comes, and its place.
    next: Option<(DramTraceRequest, u64, Place)>,
    /// Requests that came and whose results were not told yet, in order.
    waiting: VecDeque<Waiting>,
    /// How many results were told.
    told: u64,
    done: Vec<Completion>,
    first: Option<u64>,
    last: u64,
    reads: Latencies,
    writes: Latencies,
}

/// Replays requests from `source` (which ends with `None`) and tells the result of each to `each`, in the order
/// of the source.
pub fn replay<E: From<SpecError>>(
    spec: &DramSpec,
    arrival: Pacing,
    mut source: impl FnMut() -> Result<Option<DramTraceRequest>, E>,
    mut each: impl FnMut(&Served) -> Result<(), E>,
) -> Result<DramSummary, E> {
    spec.check()?;
    let mut replay = ChannelReplay::new(spec, arrival)?;
    replay.fetch(&mut source)?;
    loop {
        replay.release();
        replay.enter(&mut source)?;
        replay.advance();
        replay.tell(&mut each)?;
        match replay.next_time() {
            Some(time) => replay.now = time,
            None => return Ok(replay.finish()),
        }
    }
}

impl ChannelReplay {
    fn new(spec: &DramSpec, arrival: Pacing) -> Result<ChannelReplay, SpecError> {
        Ok(ChannelReplay {
            map: AddressMap::new(spec)?,
            channels: (0..spec.channels).map(|_| Channel::new(spec)).collect(),
            wakes: vec![u64::MAX; spec.channels as usize],
            arrival,
            posted_writes: spec.write_queue.entries > 0,
            now: 0,
            ends: BinaryHeap::new(),
            outstanding: 0,
            next: None,
            waiting: VecDeque::new(),
            told: 0,
            done: Vec::new(),
            first: None,
            last: 0,
            reads: Latencies::default(),
            writes: Latencies::default(),
        })
    }

    /// Takes the next request from the source.
    fn fetch<E>(
        &mut self,
        source: &mut impl FnMut() -> Result<Option<DramTraceRequest>, E>,
    ) -> Result<(), E> {
        let previous = self.next.map_or(0, |(_, came, _)| came);
        self.next = source()?.map(|request| {
            let came = match self.arrival {
                Pacing::ByCycle => request.cycle.unwrap_or(previous),
                Pacing::Outstanding(_) => UNKNOWN,
            };
            (request, came, self.map.place(request.address))
        });
        Ok(())
    }

    /// Ends what is done by now in a closed loop.
    fn release(&mut self) {
        while self.ends.peek().is_some_and(|end| end.0 <= self.now) {
            self.ends.pop();
            self.outstanding -= 1;
        }
    }

    /// Whether the next request may come now, apart from room in its queue.
    fn may_come(&self, came: u64) -> bool {
        match self.arrival {
            Pacing::ByCycle => came <= self.now,
            Pacing::Outstanding(most) => self.outstanding < most,
        }
    }

    fn enter<E>(
        &mut self,
        source: &mut impl FnMut() -> Result<Option<DramTraceRequest>, E>,
    ) -> Result<(), E> {
        while let Some((request, came, place)) = self.next
            && self.may_come(came)
        {
            let came = if came == UNKNOWN { self.now } else { came };
            if self.first.is_none() {
                self.begin(came);
            }
            let channel = &mut self.channels[place.channel as usize];
            if !channel.can_accept(&place, request.write) {
                self.next = Some((request, came, place));
                break;
            }
            let id = (self.told + self.waiting.len() as u64) as u32;
            let transaction = Transaction { id, place, write: request.write };
            let wake = channel.push(Cycle(self.now), transaction);
            self.wakes[place.channel as usize] = wake.0;
            self.waiting.push_back(Waiting { request, came, served: None });
            if !(request.write && self.posted_writes) {
                self.outstanding += 1;
            }
            self.fetch(source)?;
        }
        Ok(())
    }

    /// The first request has come: what was before does not count.
    fn begin(&mut self, came: u64) {
        self.first = Some(came);
        for channel in &mut self.channels {
            channel.settle(Cycle(came));
            channel.counters = DramCounters::default();
        }
    }

    /// Lets every channel that is due issue its command.
    fn advance(&mut self) {
        for (channel, wake) in self.channels.iter_mut().zip(&mut self.wakes) {
            if *wake <= self.now {
                *wake = channel.advance(Cycle(self.now), &mut self.done).map_or(u64::MAX, |wake| wake.0);
            }
        }
        let closed = matches!(self.arrival, Pacing::Outstanding(_));
        for completion in self.done.drain(..) {
            let place = completion.id.wrapping_sub(self.told as u32) as usize;
            self.waiting[place].served = Some((completion.at.0, completion.row_hit));
            self.last = self.last.max(completion.at.0);
            if closed && !(completion.write && self.posted_writes) {
                self.ends.push(Reverse(completion.at.0));
            }
        }
    }

    /// Tells results that are next in order.
    fn tell<E>(&mut self, each: &mut impl FnMut(&Served) -> Result<(), E>) -> Result<(), E> {
        while let Some(Waiting { request, came, served: Some((at, row_hit)) }) = self.waiting.front().copied()
        {
            let latency = at - came;
            let latencies = if request.write { &mut self.writes } else { &mut self.reads };
            latencies.add(latency);
            each(&Served { request, came, latency, row_hit })?;
            self.waiting.pop_front();
            self.told += 1;
        }
        Ok(())
    }

    /// The next cycle in which something happens.
    fn next_time(&self) -> Option<u64> {
        let mut next = self.wakes.iter().copied().min().unwrap_or(u64::MAX);
        if let Some((request, came, place)) = &self.next {
            if !self.may_come(*came) {
                let end = self.ends.peek().map_or(u64::MAX, |end| end.0);
                next = next.min(if self.arrival == Pacing::ByCycle { *came } else { end });
            } else if self.channels[place.channel as usize].can_accept(place, request.write) {
                next = next.min(self.now + 1);
            }
        }
        (next != u64::MAX).then_some(next)
    }

    fn finish(mut self) -> DramSummary {
        let mut counters = DramCounters::default();
        for channel in &mut self.channels {
            channel.settle(Cycle(self.last));
            counters.add(&channel.counters);
        }
        let cycles = self.last - self.first.unwrap_or(self.last);
        DramSummary { reads: self.reads, writes: self.writes, cycles, counters }
    }
}
