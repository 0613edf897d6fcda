//! Which command comes next.
//!
//! The plan is the command that will be issued if nothing arrives before: of all commands that requests need,
//! the one that is legal first; of those that are legal in the same cycle a column command before all others,
//! the one for the oldest request before younger ones. So row hits go first, and a bank group whose turn it is
//! before one that has to wait for tCCD_L. What banks offer is in [`super::offers`].
//!
//! With writes in a queue of their own the banks offer reads, or writes during a drain. A drain begins when
//! `high` writes wait or no read does, and ends when at most `low` writes are left and a read waits. When the
//! channel turns, requests for which a row was already opened are served first; meanwhile rows for the other
//! kind are prepared, but its column commands wait. During a drain banks without writes open rows for reads.

use super::channel::Channel;
use super::plan::{Action, Choice, Plan};
use super::spec::QueueOrganisation;
use crate::ids::BankId;

impl Channel {
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
        if turned {
            self.prepared = 0;
        }
        self.counters.write_drains += u64::from(turned && drain);
        self.draining = drain;
        turned
    }

    /// Plans anew.
    pub(super) fn plan_anew(&mut self) {
        let side = self.side();
        self.refresh_offers(side);
        let best = match self.plain && !self.in_order {
            true => self.best_of_side(0),
            false => self.best_of_sides(side),
        };
        self.plan = match best.key {
            u64::MAX => Plan::NOTHING,
            _ => self.plan_for(best),
        };
        if self.plan.at >= self.refresh_due && !self.queues.is_empty() {
            self.plan = self.refresh_step();
        }
    }

    /// The best command where reads and writes are kept apart, or the order of requests is kept.
    fn best_of_sides(&mut self, side: usize) -> Choice {
        let mut banks = self.queues.busy[side];
        if self.in_order && self.organisation == QueueOrganisation::PerChannel {
            banks = self.bank_of_the_oldest(side, banks);
        }
        match self.begun[1 - side] {
            0 if self.joint => self.best_of_both(),
            0 if self.draining && !self.in_order => self.best_of_drain(banks),
            0 if !self.in_order => self.best_of_side(side),
            0 => self.best_of(banks, side),
            begun => self.finish_begun(banks, side, begun),
        }
    }

    fn bank_of_the_oldest(&self, side: usize, mut banks: u64) -> u64 {
        let mut oldest = (u64::MAX, 0);
        while banks != 0 {
            let bank = BankId::first_of(banks);
            let first = self.queues.list(side, bank).first;
            oldest = oldest.min((self.queues.entries[first as usize].age, bank.bit()));
            banks &= banks - 1;
        }
        oldest.1
    }

    /// A request has come to a bank and may matter: revises the plan.
    #[inline(never)]
    pub(super) fn revise(&mut self, bank: BankId, side: usize) {
        // In a drain it depends on other banks whether a row may be closed.
        if self.draining || self.joint && !self.steady_hits {
            return self.plan_anew();
        }
        if side != self.side() && !self.joint {
            return;
        }
        let changed = self.plan.action == Action::Nothing || self.plan.bank() == Some(bank);
        if changed || self.plan.at < self.floor || self.in_order || self.begun[1 - side] != 0 {
            return self.plan_anew();
        }
        // The other side offers what it did before, if it does not leave the row to this one now.
        self.refresh_offers(0);
        self.refresh_offers(1);
        if self.yields[side] & bank.bit() != 0 {
            return;
        }
        let offer = self.plan_of(bank, side);
        if offer.at < self.refresh_due && offer.before(&self.plan) {
            self.plan = offer;
        }
    }
}
