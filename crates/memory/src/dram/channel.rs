//! The state of a channel: queues, banks, what they offer, and the plan. [`super::issue`] changes it.

use super::address_map::Place;
use super::command::{Command, Issued};
use super::counters::{DramCounters, Standby};
use super::front::Front;
use super::plan::{Action, BankCommands, Plan, Remembered};
use super::queue::Queues;
use super::spec::{DramSpec, PagePolicy, QueueOrganisation, SchedulerKind};
use super::timing::Timing;
use crate::ids::BankId;
use heddle_engine::Cycle;

/// A request to a channel, for one atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The owner's name for it.
    pub id: u32,
    /// Where it goes.
    pub place: Place,
    /// Whether it writes.
    pub write: bool,
}

/// A request that is done, or will be, or several of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The owner's name for it, or for the first.
    pub id: u32,
    /// How many there are, with consecutive names.
    pub bursts: u32,
    /// Whether it wrote.
    pub write: bool,
    /// From when on the channel could have served it: see [`Channel::arrival`].
    pub arrived: Cycle,
    /// When it, or the last, is done: of a read, after its last beat and `extra_latency`; of a write, after its last beat.
    /// A read that is answered from a waiting write is done one cycle after it came.
    pub at: Cycle,
    /// Whether it, or the first, found its row open.
    pub row_hit: bool,
}

/// A channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// What it did. [`Channel::settle`] brings refreshes, standby cycles, bytes and busy cycles up to date.
    pub counters: DramCounters,
    pub(super) timing: Timing,
    pub(super) queues: Queues,
    pub(super) plan: Plan,
    /// The first cycle in which a command may still be issued.
    pub(super) floor: u64,
    pub(super) refresh_due: u64,
    pub(super) draining: bool,
    /// Banks that were opened for a read (0) or write (1) that was not served yet, a bit each.
    pub(super) begun: [u64; 2],
    /// Banks that were opened for a read while writes are drained, a bit each.
    pub(super) prepared: u64,
    /// What each bank offers, by side, and the banks for which that is not up to date, a bit each.
    pub(super) offers: [Box<BankCommands>; 2],
    pub(super) stale: [u64; 2],
    /// Banks that offer a column command, by side, a bit each.
    pub(super) columns: [u64; 2],
    /// The best of these by side, and the best of the others.
    pub(super) best_columns: [Remembered; 2],
    pub(super) preparations: [Remembered; 2],
    /// No request that offers know of starves before.
    pub(super) starving_from: u64,
    pub(super) standby: Standby,
    pub(super) log: Option<Vec<Issued>>,
    /// Requests that wait for room in their queue.
    pub(super) front: Front,
    /// Reads that were answered from waiting writes and not told yet.
    pub(super) forwarded: Vec<Completion>,
    pub(super) ages: u64,
    pub(super) in_order: bool,
    pub(super) organisation: QueueOrganisation,
    entries: u32,
    /// Whether all requests wait in one and the same queue.
    one_queue: bool,
    /// Reads and writes are treated alike, and all requests go to their queues at once.
    pub(super) plain: bool,
    pub(super) separate_writes: bool,
    /// Writes are on side 1 but go together with reads, whichever is legal first.
    pub(super) joint: bool,
    /// With `joint`: banks, a bit each, in which a side leaves the open row to hits of the other side.
    pub(super) yields: [u64; 2],
    write_entries: u32,
    pub(super) write_high: u32,
    pub(super) write_low: u32,
    /// `u32::MAX` for no limit.
    pub(super) row_hit_limit: u32,
    pub(super) age_limit: u64,
    pub(super) extra_latency: u64,
    pub(super) closed_page: bool,
    /// Whether a bank that has served a hit offers the next one of its side just so: rows stay open, nothing limits hits,
    /// and where each side makes an offer of its own no request starves.
    pub(super) steady_hits: bool,
    /// Whether column commands of a run can be issued in one go: see [`super::runs`].
    pub(super) runs: bool,
    pub(super) atom: u64,
}

impl Channel {
    /// An idle channel of a part that passes [`DramSpec::check`].
    pub fn new(spec: &DramSpec) -> Channel {
        let interval = u64::from(spec.timing.tREFI);
        let separate_writes = spec.write_queue.entries > 0;
        let joint = !separate_writes && spec.scheduler == SchedulerKind::FrFcfs;
        let timing = Timing::new(spec);
        let steady_hits = (spec.scheduler == SchedulerKind::FrFcfsByAge && !separate_writes
            || joint && spec.age_limit == 0)
            && spec.page_policy == PagePolicy::Open
            && spec.row_hit_limit == 0;
        Channel {
            counters: DramCounters::default(),
            runs: joint && steady_hits && spec.queue.transactions == 0 && timing.rules.columns_go_on(),
            timing,
            queues: Queues::new(spec.banks as usize),
            plan: Plan::NOTHING,
            floor: 0,
            refresh_due: if interval == 0 { u64::MAX } else { interval },
            draining: false,
            begun: [0; 2],
            prepared: 0,
            offers: [Box::new(BankCommands::none()), Box::new(BankCommands::none())],
            stale: [0; 2],
            columns: [0; 2],
            best_columns: [Remembered::UNKNOWN; 2],
            preparations: [Remembered::UNKNOWN; 2],
            starving_from: u64::MAX,
            standby: Standby::default(),
            log: None,
            front: Front::new(spec.queue.transactions),
            forwarded: Vec::new(),
            ages: 0,
            in_order: spec.scheduler == SchedulerKind::Fcfs,
            organisation: spec.queue.organisation,
            entries: spec.queue.entries,
            one_queue: spec.queue.organisation == QueueOrganisation::PerChannel
                && spec.queue.transactions == 0
                && !separate_writes,
            plain: !separate_writes && !joint && spec.queue.transactions == 0,
            separate_writes,
            joint,
            yields: [0; 2],
            write_entries: spec.write_queue.entries,
            write_high: spec.write_queue.high,
            write_low: spec.write_queue.low,
            row_hit_limit: if spec.row_hit_limit == 0 { u32::MAX } else { spec.row_hit_limit },
            age_limit: spec.age_limit.into(),
            extra_latency: spec.extra_latency.into(),
            closed_page: spec.page_policy == PagePolicy::Closed,
            steady_hits,
            atom: spec.atom(),
        }
    }

    /// Whether the queue that such a request would enter has room.
    #[inline(always)]
    pub fn can_accept(&self, place: &Place, write: bool) -> bool {
        if self.one_queue {
            return !self.is_full();
        }
        if write && self.separate_writes {
            return self.queues.lengths[1] < self.write_entries;
        }
        self.front.has_room().unwrap_or_else(|| self.queue_has_room(place.bank))
    }

    /// How many requests for consecutive columns of a row can enter as a run, where there is room for one.
    #[inline(always)]
    pub fn room_for_run(&self, place: &Place, write: bool) -> u32 {
        // A read may be answered from a waiting write, and each write may begin a drain.
        let apart = self.separate_writes || self.front.is_used();
        if apart || self.joint && !write && self.queues.list(1, place.bank).length > 0 {
            return 1;
        }
        self.entries - self.queue_length(place.bank)
    }

    /// Whether so many reads for the bank of a place can enter at any later time, whatever commands are issued until then,
    /// as long as nothing else enters: they find room, and no waiting write that answers them.
    #[inline(always)]
    pub fn surely_takes(&self, place: &Place, reads: u32) -> bool {
        !self.front.is_used()
            && self.queues.list(1, place.bank).length == 0
            && self.queue_length(place.bank) + reads <= self.entries
    }

    /// Whether all requests wait in one and the same queue.
    #[inline(always)]
    pub fn has_one_queue(&self) -> bool {
        self.one_queue
    }

    /// Whether there is no room for any request. Where requests wait in several queues, this is not known.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.one_queue && self.queues.lengths[0] + self.queues.lengths[1] >= self.entries
    }

    /// Whether the queue of this bank, for reads if writes have their own, has room.
    #[inline(always)]
    pub(super) fn queue_has_room(&self, bank: BankId) -> bool {
        self.queue_length(bank) < self.entries
    }

    /// Requests in the queue of this bank, without writes if these have their own.
    #[inline(always)]
    fn queue_length(&self, bank: BankId) -> u32 {
        let of = |side: usize| match self.organisation {
            QueueOrganisation::PerChannel => self.queues.lengths[side],
            QueueOrganisation::PerBank => self.queues.list(side, bank).length,
        };
        if self.joint { of(0) + of(1) } else { of(0) }
    }

    /// Which requests may go: reads (0) or writes (1).
    #[inline(always)]
    pub(super) fn side(&self) -> usize {
        usize::from(self.draining)
    }

    /// The side on which reads or writes wait.
    #[inline(always)]
    pub(super) fn side_of(&self, write: bool) -> usize {
        usize::from(write && (self.separate_writes || self.joint))
    }

    /// The cycle from which on a request that is pushed now can be served: this one, or a later one if the channel
    /// has issued commands beyond it already. Latencies count from here.
    #[inline(always)]
    pub fn arrival(&self, now: Cycle) -> Cycle {
        Cycle(now.0.max(self.floor))
    }

    /// When the channel must be advanced next, if it has anything to do.
    #[inline(always)]
    pub fn wake(&self) -> Option<Cycle> {
        if !self.forwarded.is_empty() {
            return Some(Cycle(self.floor));
        }
        (self.plan.action != Action::Nothing).then_some(Cycle(self.plan.at))
    }

    /// The cycle of the next command, if nothing arrives before; a cycle that never comes if there is none.
    #[inline(always)]
    pub fn next_command(&self) -> Cycle {
        Cycle(self.plan.at)
    }

    /// The first cycle in which a read that is not in `done` yet can be done, if nothing arrives before.
    #[inline(always)]
    pub fn notable(&self) -> Option<Cycle> {
        let wake = self.wake()?;
        Some(if self.forwarded.is_empty() { wake + self.reaction() } else { wake })
    }

    /// The first cycle in which so many requests can have left their queue, if any waits and nothing arrives before.
    #[inline(always)]
    pub fn room_at_the_earliest(&self, requests: u32) -> Option<Cycle> {
        let gaps = u64::from(requests.saturating_sub(1)) * self.timing.rules.columns[0];
        self.wake().map(|command| command + 1 + gaps)
    }

    /// Cycles from the command of a read until it is done.
    #[inline(always)]
    pub fn reaction(&self) -> u64 {
        self.timing.rules.read_latency + self.extra_latency
    }

    /// Whether reads may be answered from waiting writes, at once.
    pub fn forwards(&self) -> bool {
        self.side_of(true) == 1
    }

    /// Whether no request waits.
    pub fn is_idle(&self) -> bool {
        self.queues.is_empty() && self.forwarded.is_empty()
    }

    /// From now on remembers every command; refreshes of idle times appear when they are made up for.
    pub fn keep_log(&mut self) {
        self.log.get_or_insert_default();
    }

    /// The commands that were remembered, in order.
    pub fn log(&self) -> &[Issued] {
        self.log.as_deref().unwrap_or_default()
    }

    #[inline(always)]
    pub(super) fn record(&mut self, command: Command, bank: BankId, row: u32, at: u64) {
        if let Some(log) = &mut self.log {
            log.push(Issued { at, command, bank, row });
        }
    }
}
