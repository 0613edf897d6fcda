//! Which command comes next.
//!
//! The plan is the command that will be issued if nothing arrives before: of all commands that requests need,
//! the one that is legal first; of those that are legal in the same cycle a column command before all others,
//! the one for the oldest request before younger ones. So row hits go first, and a bank group whose turn it is
//! before one that has to wait for tCCD_L.
//!
//! Each bank offers one command:
//! - closed: an activate for its oldest request;
//! - open, and a request for the open row waits: the column command for the oldest of these, unless
//!   `row_hit_limit` column commands were served from this row or the bank's oldest request has waited for
//!   `age_limit` cycles, and that one is for another row;
//! - open otherwise: a precharge for its oldest request.
//!
//! With writes in a queue of their own the banks offer reads, or writes during a drain. A drain begins when
//! `high` writes wait or no read does, and ends when at most `low` writes are left and a read waits. When the
//! channel turns, requests for which a row was already opened are served first; meanwhile rows for the other
//! kind are prepared, but its column commands wait.

use super::channel::Channel;
use super::command::Command;
use super::queue::NONE;
use super::spec::{QueueOrganisation, SchedulerKind};

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// The column command of this entry of this bank.
    Column(u32, u32),
    /// An activate for this entry of this bank.
    Activate(u32, u32),
    /// A precharge for this entry of this bank.
    Precharge(u32, u32),
    /// A step of a refresh.
    Maintain(Command),
    /// Nothing at all.
    Nothing,
}

/// What is to be done next, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) at: u64,
    /// Of two commands at the same time, the lower one goes first: class, then age.
    pub(super) rank: u64,
    pub(super) action: Action,
}

impl Plan {
    pub(super) const NOTHING: Plan = Plan { at: u64::MAX, rank: u64::MAX, action: Action::Nothing };

    #[inline(always)]
    fn before(&self, other: &Plan) -> bool {
        (self.at, self.rank) < (other.at, other.rank)
    }

    fn bank(&self) -> Option<u32> {
        match self.action {
            Action::Column(_, bank) | Action::Activate(_, bank) | Action::Precharge(_, bank) => Some(bank),
            _ => None,
        }
    }
}

/// Above every age: the class of commands that prepare a row.
const PREPARES: u64 = 1 << 63;

impl Channel {
    /// Which requests may go: reads (0) or writes (1).
    #[inline(always)]
    pub(super) fn side(&self) -> usize {
        usize::from(self.draining)
    }

    /// Turns between reads and writes; says whether it did.
    #[inline(always)]
    pub(super) fn turn(&mut self) -> bool {
        if !self.separate_writes {
            return false;
        }
        let [reads, writes] = self.queues.lengths;
        let drain = if self.draining {
            writes > 0 && (writes > self.write_low || reads == 0)
        } else {
            writes > 0 && (writes >= self.write_high || reads == 0)
        };
        let turned = drain != self.draining;
        self.counters.write_drains += u64::from(turned && drain);
        self.draining = drain;
        turned
    }

    /// What a bank with requests offers.
    #[inline(always)]
    fn offer(&self, bank: usize, side: usize) -> Plan {
        let list = self.queues.list(side, bank);
        let state = &self.timing.banks[bank];
        let group = self.timing.group(bank);
        let oldest = &self.queues.entries[list.first as usize];
        let starves = self.age_limit != 0 && self.floor >= oldest.arrived.saturating_add(self.age_limit);
        let class = if starves { 0 } else { PREPARES };
        if !state.is_open() {
            let at = state.activate_at.max(group.activate_at).max(self.floor);
            return Plan { at, rank: class | oldest.age, action: Action::Activate(list.first, bank as u32) };
        }
        let bypasses = list.hit != list.first;
        let held = bypasses && (starves || state.served >= self.row_hit_limit || self.in_order);
        if list.hit != NONE && !held {
            let hit = &self.queues.entries[list.hit as usize];
            let at =
                if hit.write { state.write_at.max(group.write_at) } else { state.read_at.max(group.read_at) };
            return Plan {
                at: at.max(self.floor),
                rank: hit.age,
                action: Action::Column(list.hit, bank as u32),
            };
        }
        let at = state.precharge_at.max(self.floor);
        Plan { at, rank: class | oldest.age, action: Action::Precharge(list.first, bank as u32) }
    }

    /// Plans anew.
    #[inline(always)]
    pub(super) fn plan_anew(&mut self) {
        let side = self.side();
        let mut best = Plan::NOTHING;
        let mut banks = self.queues.busy[side];
        if self.in_order && self.organisation == QueueOrganisation::PerChannel {
            banks = self.bank_of_the_oldest(side, banks);
        }
        let begun = self.begun[1 - side];
        if begun != 0 {
            best = self.finish_begun(1 - side, begun);
            banks &= !begun;
        }
        while banks != 0 {
            let offer = self.offer(banks.trailing_zeros() as usize, side);
            let waits = begun != 0 && matches!(offer.action, Action::Column(..));
            if offer.before(&best) && !waits {
                best = offer;
            }
            banks &= banks - 1;
        }
        if best.at >= self.refresh_due && !self.queues.is_empty() {
            best = self.refresh_step();
        }
        self.plan = best;
    }

    /// The best column command for requests of the other side for which a row was opened.
    #[cold]
    fn finish_begun(&self, side: usize, mut banks: u64) -> Plan {
        let mut best = Plan::NOTHING;
        while banks != 0 {
            let offer = self.offer(banks.trailing_zeros() as usize, side);
            if offer.before(&best) {
                best = offer;
            }
            banks &= banks - 1;
        }
        best
    }

    fn bank_of_the_oldest(&self, side: usize, mut banks: u64) -> u64 {
        let mut oldest = (u64::MAX, 0);
        while banks != 0 {
            let bank = banks.trailing_zeros();
            let first = self.queues.list(side, bank as usize).first;
            oldest = oldest.min((self.queues.entries[first as usize].age, 1u64 << bank));
            banks &= banks - 1;
        }
        oldest.1
    }

    /// A request has come to a bank and may matter: revises the plan.
    #[inline(always)]
    pub(super) fn revise(&mut self, bank: usize, side: usize) {
        if side != self.side() {
            return;
        }
        let changed = self.plan.action == Action::Nothing || self.plan.bank() == Some(bank as u32);
        if changed || self.in_order || self.begun[1 - side] != 0 {
            return self.plan_anew();
        }
        let offer = self.offer(bank, side);
        if offer.at < self.refresh_due && offer.before(&self.plan) {
            self.plan = offer;
        }
    }

    /// Whether a scheduler keeps the order of requests.
    pub(super) fn keeps_order(kind: SchedulerKind) -> bool {
        kind == SchedulerKind::Fcfs
    }
}
