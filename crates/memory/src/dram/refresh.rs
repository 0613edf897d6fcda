//! Refresh: all banks at once, every tREFI.
//!
//! When a refresh is due, no other command is begun; open rows are closed by one precharge of all banks as soon
//! as that is legal, and the refresh follows after tRP. Nothing is postponed or pulled in. A channel without
//! requests is not woken for it: what it would have done is caught up on when the next request arrives or the
//! counters are read, with the same effect.

use super::channel::Channel;
use super::command::Command;
use super::plan::{Action, Plan};
use crate::ids::BankId;

/// What stands for the bank of a command to all.
const ALL: BankId = BankId(0);

impl Channel {
    /// The next step of the refresh that is due.
    pub(super) fn refresh_step(&self) -> Plan {
        let open = self.timing.banks.iter().any(|bank| bank.is_open());
        let command = if open { Command::PrechargeAll } else { Command::Refresh };
        let at = self.timing.earliest(command, ALL).max(self.floor).max(self.refresh_due);
        Plan { at, rank: 0, action: Action::Maintain(command) }
    }

    /// Carries out a step.
    pub(super) fn maintain(&mut self, command: Command, now: u64) {
        if command == Command::PrechargeAll {
            let open = self.timing.banks.iter().filter(|bank| bank.is_open()).count() as u32;
            self.standby.closed(now, open, now, &mut self.counters);
            self.counters.precharges += u64::from(open);
            self.begun = [0; 2];
            self.prepared = 0;
            for bank in 0..self.timing.banks.len() as u32 {
                self.queues.closed(BankId(bank));
            }
        } else {
            self.counters.refreshes += 1;
            self.refresh_due += self.timing.rules.refresh_interval;
        }
        self.stale = [u64::MAX; 2];
        self.forget_preparations();
        self.timing.issue(command, ALL, 0, now);
        self.record(command, ALL, 0, now);
    }

    /// Makes up for the commands before `end` of a channel without requests.
    pub(super) fn idle_until(&mut self, end: u64) {
        while self.refresh_due < end {
            let Plan { at, action: Action::Maintain(command), .. } = self.refresh_step() else { return };
            if at >= end {
                return;
            }
            self.maintain(command, at);
            self.floor = at + 1;
            if command == Command::Refresh && self.log.is_none() {
                self.skip_refreshes(end);
            }
        }
    }

    /// After a refresh on time every further one of an idle channel is on time: they can be counted at once.
    fn skip_refreshes(&mut self, end: u64) {
        let interval = self.timing.rules.refresh_interval;
        let on_time = self.timing.earliest(Command::Refresh, ALL) <= self.refresh_due;
        if !on_time || self.refresh_due >= end {
            return;
        }
        let count = (end - 1 - self.refresh_due) / interval + 1;
        let last = self.refresh_due + (count - 1) * interval;
        self.counters.refreshes += count;
        self.refresh_due = last + interval;
        self.floor = self.floor.max(last + 1);
        self.stale = [u64::MAX; 2];
        self.forget_preparations();
        self.timing.refreshed(last);
    }
}
