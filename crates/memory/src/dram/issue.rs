//! How requests enter a channel, and how its commands are issued: what changes a channel, in time.

use super::address_map::Place;
use super::channel::{Channel, Completion, Transaction};
use super::command::Command;
use super::counters::DramCounters;
use super::plan::Action;
use super::queue::{Needed, QueueEntry};
use super::spec::QueueOrganisation;
use crate::ids::BankId;
use heddle_engine::Cycle;

impl Channel {
    /// Takes a request, for which there must be room. Returns when the channel must be advanced next, which may
    /// be earlier than what it asked for before.
    #[inline(never)]
    pub fn push(&mut self, now: Cycle, transaction: Transaction) -> Cycle {
        self.enter(now, transaction);
        self.wake().unwrap_or(Cycle(self.floor))
    }

    /// The same, for an owner that asks later when the channel must be advanced.
    #[inline(always)]
    pub fn enter(&mut self, now: Cycle, transaction: Transaction) {
        self.enter_run(now, transaction, 1);
    }

    /// The same for so many requests for consecutive columns of a row, with consecutive names: the first is given. There
    /// must be room for all, [`Channel::room_for_run`].
    #[inline(always)]
    pub fn enter_run(&mut self, now: Cycle, transaction: Transaction, bursts: u32) {
        let Transaction { id, place: Place { bank, row, column, .. }, write } = transaction;
        if self.queues.is_empty() {
            self.idle_until(now.0);
        }
        let arrived = self.arrival(now);
        self.floor = arrived.0;
        let side = self.side_of(write);
        let mut entry = QueueEntry::new(self.ages, arrived.0, id, row, column, write);
        if !self.plain && self.divert(bank, &entry) {
            return;
        }
        entry.bursts = bursts;
        self.ages += u64::from(bursts);
        let open = self.timing.banks[bank.index()].row;
        let matters = self.queues.push(side, bank, entry, open);
        if matters {
            self.changed(bank);
        }
        if self.turn() {
            self.plan_anew();
        } else if matters {
            self.revise(bank, side);
        }
    }

    /// Deals with a request that does not go to the queue of its bank: one that is answered from a waiting write, or
    /// waits for room. Says whether it is one.
    fn divert(&mut self, bank: BankId, entry: &QueueEntry) -> bool {
        let &QueueEntry { id, row, column, write, arrived, .. } = entry;
        if self.forwards() && !write && self.queues.contains(1, bank, row, column) {
            self.counters.forwarded_reads += 1;
            self.counters.read_latency_cycles += 1;
            let (arrived, at) = (Cycle(arrived), Cycle(arrived + 1));
            self.forwarded.push(Completion { id, bursts: 1, write, arrived, at, row_hit: false });
            return true;
        }
        let shared = self.side_of(write) == 0 || self.joint;
        if shared && self.front.is_used() && !self.queue_has_room(bank) {
            self.front.push(bank, *entry);
            self.ages += 1;
            return true;
        }
        false
    }

    /// Issues at most one command, if one is due. Requests whose column command issues are added to `done`,
    /// with the time at which they will be done. Returns when to call it next, if there is anything left to do;
    /// calls before that time do nothing, and calls after it delay the channel.
    #[inline(always)]
    pub fn advance(&mut self, now: Cycle, done: &mut Vec<Completion>) -> Option<Cycle> {
        self.take_forwarded(done);
        let now = now.0;
        if now > self.plan.at {
            self.floor = self.floor.max(now);
            self.plan_anew();
        }
        if now >= self.plan.at {
            done.extend(self.issue(now));
        }
        (self.plan.action != Action::Nothing).then_some(Cycle(self.plan.at))
    }

    /// Issues all commands of the cycles before `now`, each in its own cycle: for an owner that looks
    /// after the channel before he pushes a request, and by the time of [`Channel::notable`].
    #[inline(always)]
    pub fn catch_up(&mut self, now: Cycle, done: &mut Vec<Completion>) {
        self.take_forwarded(done);
        while self.plan.at < now.0 {
            done.extend(self.issue(now.0));
        }
    }

    /// Adds the reads that were answered from waiting writes to `done`.
    #[inline(always)]
    pub fn take_forwarded(&mut self, done: &mut Vec<Completion>) {
        if !self.forwarded.is_empty() {
            done.append(&mut self.forwarded);
        }
    }

    /// Issues the next command in its cycle, and plans the one after it. If it is a column command, its request will
    /// be done; the room that it made can be taken from the next cycle on. Column commands of its run that follow it
    /// before the cycle `before` are issued with it. One copy for all callers, which is kinder to the processor's
    /// instruction cache.
    #[inline(never)]
    pub fn issue(&mut self, before: u64) -> Option<Completion> {
        let now = self.plan.at;
        let done = match self.plan.action {
            Action::Column(entry, bank) => Some(self.column(entry, bank, now, before)),
            _ => {
                self.prepare(now);
                self.floor = now + 1;
                None
            }
        };
        self.turn();
        self.plan_anew();
        done
    }

    /// Issues a command that is no column command.
    #[inline(never)]
    fn prepare(&mut self, now: u64) {
        match self.plan.action {
            Action::Activate(entry, bank) => {
                self.changed(bank);
                self.forget_preparations();
                let entry = &mut self.queues.entries[entry as usize];
                if entry.needed == Needed::Nothing {
                    entry.needed = Needed::Activate;
                }
                let row = entry.row;
                if self.draining && !entry.write {
                    self.prepared |= bank.bit();
                } else {
                    self.begun[usize::from(entry.write && self.separate_writes)] |= bank.bit();
                }
                self.timing.issue(Command::Activate, bank, row, now);
                self.queues.opened(bank, row);
                self.standby.opened(now, &mut self.counters);
                self.counters.activates += 1;
                self.record(Command::Activate, bank, row, now);
            }
            Action::Precharge(entry, bank) => {
                self.changed(bank);
                self.forget_preparations();
                self.prepared &= !bank.bit();
                self.queues.entries[entry as usize].needed = Needed::PrechargeAndActivate;
                self.timing.issue(Command::Precharge, bank, 0, now);
                self.queues.closed(bank);
                self.standby.closed(now, 1, now, &mut self.counters);
                self.counters.precharges += 1;
                self.record(Command::Precharge, bank, 0, now);
            }
            Action::Maintain(command) => self.maintain(command, now),
            Action::Column(..) | Action::Nothing => {}
        }
    }

    /// Issues the column command of an entry, and those of its run that follow it.
    #[inline(always)]
    fn column(&mut self, number: u32, bank: BankId, first: u64, before: u64) -> Completion {
        let &QueueEntry { write, bursts, .. } = &self.queues.entries[number as usize];
        let side = self.side_of(write);
        let bursts = match self.runs && bursts > 1 {
            true => self.length_of_run(number, bank, first, before),
            false => 1,
        };
        let entry = self.queues.remove(side, bank, number, bursts);
        let now = first + u64::from(bursts - 1) * self.timing.rules.columns[0];
        self.floor = now + 1;
        self.forget_columns();
        self.served(bank, side, entry.write);
        self.begun[side] &= !bank.bit();
        let command = match (entry.write, self.closed_page) {
            (false, false) => Command::Read,
            (false, true) => Command::ReadAuto,
            (true, false) => Command::Write,
            (true, true) => Command::WriteAuto,
        };
        self.timing.served_before(bank, bursts - 1);
        self.timing.issue(command, bank, 0, now);
        if self.closed_page {
            self.queues.closed(bank);
            let until = self.timing.banks[bank.index()].precharge_at;
            self.standby.closed(now, 1, until, &mut self.counters);
            self.counters.precharges += 1;
        }
        let rules = &self.timing.rules;
        let at = if entry.write {
            now + rules.write_latency
        } else {
            now + rules.read_latency + self.extra_latency
        };
        self.count(&entry, now, at);
        if bursts > 1 {
            self.count_run(&entry, bursts - 1);
        }
        self.record(command, bank, entry.row, now);
        if (side == 0 || self.joint) && self.front.is_used() {
            self.admit(bank);
        }
        Completion {
            id: entry.id,
            bursts,
            write: entry.write,
            arrived: Cycle(entry.arrived),
            at: Cycle(at),
            row_hit: entry.needed == Needed::Nothing,
        }
    }

    #[inline(always)]
    fn count(&mut self, entry: &QueueEntry, now: u64, at: u64) {
        let counters = &mut self.counters;
        match entry.needed {
            Needed::Nothing => counters.row_hits += 1,
            Needed::Activate => counters.row_misses += 1,
            Needed::PrechargeAndActivate => counters.row_conflicts += 1,
        }
        if entry.write {
            counters.writes += 1;
        } else {
            counters.reads += 1;
            counters.read_latency_cycles += at - entry.arrived;
        }
        counters.queue_wait_cycles += now - entry.arrived;
    }

    /// Brings the counters up to the beginning of this cycle: refreshes of an idle channel, standby cycles, and what
    /// follows from the number of commands.
    pub fn settle(&mut self, now: Cycle) {
        let DramCounters { reads, writes, .. } = self.counters;
        self.counters.bytes_read = reads * self.atom;
        self.counters.bytes_written = writes * self.atom;
        self.counters.bus_busy_cycles = (reads + writes) * self.timing.rules.burst;
        if self.queues.is_empty() {
            self.idle_until(now.0);
        }
        self.standby.account(now.0, &mut self.counters);
    }

    /// The queue of this bank has got room: the oldest request for it moves up.
    fn admit(&mut self, bank: BankId) {
        let shared = self.organisation == QueueOrganisation::PerChannel;
        if let Some((bank, entry)) = self.front.take((!shared).then_some(bank)) {
            let open = self.timing.banks[bank.index()].row;
            if self.queues.push(self.side_of(entry.write), bank, entry, open) {
                self.changed(bank);
            }
        }
    }
}
