//! The queues of caches to memory: what enters them, and what leaves.

use super::Controllers;
use super::job::Job;
use crate::event::Event;
use crate::ids::{CacheQueueId, ChannelId, NodeId};
use crate::message::{NONE, Queue};
use crate::order;
use crate::request::{LineAddress, Sectors};
use heddle_engine::{Clock, Cycle, Tick, Wheel};

/// The queue of a cache above memory.
#[derive(Clone, Debug)]
pub(super) struct CacheQueue {
    /// The cache, and its clock.
    pub(super) node: NodeId,
    pub(super) clock: Clock,
    /// Jobs that wait for their channel, and whether the first of them waits for a channel to have room.
    pub(super) jobs: Queue,
    pub(super) stuck: bool,
    /// How many may wait.
    pub(super) capacity: u32,
    /// Whether the cache's tags wait for room.
    pub(super) awaited: bool,
    /// Its only channel, where caches have one.
    pub(super) channel: ChannelId,
    /// The shape of the cache's lines among [`Controllers::bursts`].
    pub(super) lines: usize,
    /// Flits of a packet, by its sectors.
    pub(super) sector_flits: [u16; 9],
}

impl CacheQueue {
    /// Whether as many jobs wait as may.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.jobs.len() >= self.capacity
    }
}

impl Controllers {
    /// Makes a job of a fetch or a write and puts it at the end of its queue. Returns its number.
    #[inline]
    pub(super) fn queue_job(
        &mut self,
        now: Tick,
        queue: CacheQueueId,
        line: LineAddress,
        sectors: Sectors,
        write: bool,
    ) -> u32 {
        let side = &mut self.queues[queue.index()];
        self.data_flits += u64::from(side.sector_flits[sectors.count() as usize]);
        let atoms = self.bursts[side.lines][usize::from(write)].of(sectors.0);
        let number = self.jobs.insert(Job {
            line,
            place: self.map.place(line.0),
            sectors,
            queue,
            write,
            to_send: atoms,
            pending: atoms.count_ones(),
            over: false,
            done_at: 0,
            next: NONE,
            since: now.0,
            from: self.clock.at_or_after(now),
            sequence: self.jobs_started,
        });
        self.jobs_started += 1;
        self.highest_job = self.highest_job.max(number);
        side.jobs.push(number, &mut self.jobs);
        number
    }

    /// All bursts of a queue's first job have been sent: it leaves in this cycle.
    pub(super) fn job_left(&mut self, cycle: Cycle, queue: CacheQueueId, wheel: &mut Wheel<Event>) {
        let side = &mut self.queues[queue.index()];
        let Some(number) = side.jobs.pop(&mut self.jobs) else { return };
        self.queue_ticks += self.clock.ticks(cycle - self.jobs[number].from);
        if side.awaited && !side.is_full() {
            side.awaited = false;
            let edge = side.clock.edge(self.clock.start_of(cycle));
            wheel.schedule(edge, order::tags(side.node), Event::Tags(side.node));
        }
    }

    /// How many bursts must have left a queue before the tags of its cache can take a request again, if they wait for
    /// that.
    #[inline(always)]
    pub(super) fn bursts_until_noticed(&self, queue: CacheQueueId) -> Option<u32> {
        let side = &self.queues[queue.index()];
        let first = side.jobs.front().filter(|_| side.awaited)?;
        Some(self.jobs[first].to_send.count_ones())
    }
}
