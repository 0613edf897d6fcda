//! Which command comes next where reads and writes are kept apart: in a drain, when the channel turns, and where both
//! share a queue but whichever is legal first goes.

use super::channel::Channel;
use super::plan::{Action, Choice};
use crate::ids::BankId;

impl Channel {
    /// The best command of reads and writes together.
    pub(super) fn best_of_both(&mut self) -> Choice {
        self.refresh_offers(1);
        let reads = self.best_of_side(0);
        reads.or(self.best_of_side(1))
    }

    /// The best command of a drain. Banks without writes open rows for reads when nothing for writes is legal
    /// earlier, so that the reads need not begin with that when the channel turns; such rows are not closed again
    /// for a write that comes now, unless no other bank has one.
    pub(super) fn best_of_drain(&mut self, banks: u64) -> Choice {
        let unspoken = banks & !self.prepared;
        let mut best = self.best_of(if unspoken == 0 { banks } else { unspoken }, 1);
        let mut idle = self.queues.busy[0] & !banks;
        if idle != 0 {
            self.refresh_offers(0);
        }
        while idle != 0 {
            if let Some(offer) = self.preparation(BankId::first_of(idle), 0)
                && self.time_and_rank(offer.key).0 < self.time_and_rank(best.key).0
            {
                best = offer;
            }
            idle &= idle - 1;
        }
        best
    }

    /// The best command while requests of the other side for which a row was opened are to be served first.
    #[cold]
    pub(super) fn finish_begun(&mut self, banks: u64, side: usize, begun: u64) -> Choice {
        self.refresh_offers(1 - side);
        let mut best = self.best_of(begun, 1 - side);
        let mut banks = banks & !begun;
        while banks != 0 {
            if let Some(offer) = self.preparation(BankId::first_of(banks), side) {
                best = best.or(offer);
            }
            banks &= banks - 1;
        }
        best
    }

    /// What a bank offers, unless it is a column command.
    fn preparation(&self, bank: BankId, side: usize) -> Option<Choice> {
        let plan = self.plan_of(bank, side);
        let choice = Choice { key: self.key(plan.at, plan.rank), bank, side: side as u32 };
        (!matches!(plan.action, Action::Column(..))).then_some(choice)
    }
}
