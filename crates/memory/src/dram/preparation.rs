//! The best command that prepares a row, remembered from one plan to the next.
//!
//! Most commands of a busy channel are column commands, and those change neither when other banks may be activated or
//! precharged nor for whom. So the banks that offer such a command are looked through again only when one of them has
//! changed, when a row was opened or closed (which moves the times of all), or when the time comes at which an older
//! request could take precedence.

use super::channel::Channel;
use super::scheduler::Choice;

/// What is remembered of a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Preparation {
    at: u64,
    rank: u64,
    bank: u32,
    /// It holds as long as the first cycle for a command is before this one.
    until: u64,
}

impl Preparation {
    pub(super) const UNKNOWN: Preparation = Preparation { at: 0, rank: 0, bank: 0, until: 0 };
}

impl Channel {
    /// The offer of a bank has changed.
    #[inline(always)]
    pub(super) fn offer_changed(&mut self, bank: usize, side: usize, column: bool) {
        self.columns[side] = self.columns[side] & !(1 << bank) | u64::from(column) << bank;
        if !column || self.preparations[side].bank == bank as u32 {
            self.preparations[side].until = 0;
        }
    }

    /// A row was opened or closed.
    #[inline(always)]
    pub(super) fn forget_preparations(&mut self) {
        self.preparations = [Preparation::UNKNOWN; 2];
    }

    /// The best command of a side.
    #[inline(always)]
    pub(super) fn best_of_side(&mut self, side: usize) -> Choice {
        let banks = self.queues.busy[side];
        let columns = banks & self.columns[side];
        let column = self.best_of(columns, side);
        let others = banks & !columns;
        if others == 0 {
            return column;
        }
        if self.floor >= self.preparations[side].until {
            self.preparations[side] = self.look_for_preparation(others, side);
        }
        let Preparation { at, rank, bank, .. } = self.preparations[side];
        column.or(Choice { key: self.key(at, rank), bank, side: side as u32 })
    }

    /// Looks through the banks that offer to prepare a row.
    fn look_for_preparation(&self, mut banks: u64, side: usize) -> Preparation {
        let best = self.best_of(banks, side);
        let (at, rank) = self.time_and_rank(best.key);
        // An older request that is ready later takes precedence from then on.
        let mut until = u64::MAX;
        while banks != 0 {
            let offer = self.offers[side].get(banks.trailing_zeros() as usize);
            let time = self.time_of(&offer);
            if offer.rank < rank && time > at {
                until = until.min(time);
            }
            banks &= banks - 1;
        }
        Preparation { at, rank, bank: best.bank, until }
    }
}
