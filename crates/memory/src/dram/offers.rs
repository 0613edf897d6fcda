//! What the banks of a channel offer, and the first and best of it.
//!
//! Each bank offers one command:
//! - closed: an activate for its oldest request;
//! - open, and no request for the open row waits: a precharge for its oldest request;
//! - open, and one does: the column command for the oldest of these. If the bank's oldest request is for another
//!   row, the precharge is offered instead once `row_hit_limit` column commands were served from this row and
//!   the precharge is legal no later than the column command, or as soon as that request has waited for
//!   `age_limit` cycles.
//!
//! Where reads and writes share a queue, each bank makes an offer for either kind, and the first of all that is legal
//! wins. A kind without a hit in a bank leaves its row open while the other kind has one, within the same limits. With
//! `fr-fcfs-by-age` there is one offer for both.

use super::bank::{ACTIVATE, PRECHARGE, READ, WRITE};
use super::channel::Channel;
use super::command::Command;
use super::plan::{Action, BankCommand, BankCommands, Choice, Plan};
use super::queue::NONE;
use crate::ids::BankId;

/// Bits of a key that hold class and age; the time is above them.
const RANK_BITS: u32 = 40;
/// Above every age: the class of commands that prepare a row. Ages stay below: half a billion requests a second
/// would take a quarter of an hour of host time to get there.
const PREPARES: u64 = 1 << (RANK_BITS - 1);

impl Channel {
    /// What a bank with requests offers.
    #[inline(always)]
    fn offer(&self, bank: BankId, side: usize) -> BankCommand {
        let list = self.queues.list(side, bank);
        let state = &self.timing.banks[bank.index()];
        let oldest = &self.queues.entries[list.first as usize];
        let starves = self.floor >= self.starves_at(oldest.arrived);
        let rank = if starves { oldest.age } else { PREPARES | oldest.age };
        let gate = |kind| self.timing.gate(bank, kind);
        let prepare =
            |kind, at| BankCommand { at, rank, entry: list.first, gate: gate(kind), kind, may_close: false };
        if !state.is_open() {
            return prepare(ACTIVATE, state.activate_at);
        }
        let bypasses = list.hit != list.first;
        if list.hit == NONE || (bypasses && (starves || self.in_order)) {
            return prepare(PRECHARGE, state.precharge_at);
        }
        let hit = &self.queues.entries[list.hit as usize];
        let (kind, at) = if hit.write { (WRITE, state.write_at) } else { (READ, state.read_at) };
        let may_close = bypasses && state.served >= self.row_hit_limit;
        BankCommand { at, rank: hit.age, entry: list.hit, gate: gate(kind), kind, may_close }
    }

    #[inline(always)]
    pub(super) fn starves_at(&self, arrived: u64) -> u64 {
        if self.age_limit == 0 { u64::MAX } else { arrived.saturating_add(self.age_limit) }
    }

    /// A bank's next command may be another one.
    #[inline(always)]
    pub(super) fn changed(&mut self, bank: BankId) {
        self.stale[0] |= bank.bit();
        self.stale[1] |= bank.bit();
    }

    /// A bank has served a hit of a side, a read or a write.
    #[inline(always)]
    pub(super) fn served(&mut self, bank: BankId, side: usize, write: bool) {
        let hit = self.queues.list(side, bank).hit;
        if self.steady_hits
            && let Some(next) = self.queues.entries.get(hit as usize)
            && next.write == write
        {
            self.offers[side].next_hit(bank, next.age, hit);
            // The other side may offer to close the row, which is legal later now.
            self.stale[1 - side] |= bank.bit();
        } else {
            self.changed(bank);
        }
    }

    /// Brings the offers of a side up to date.
    #[inline(always)]
    pub(super) fn refresh_offers(&mut self, side: usize) {
        if self.floor >= self.starving_from {
            self.stale = [u64::MAX; 2];
            self.starving_from = u64::MAX;
        }
        let mut banks = self.stale[side] & self.queues.busy[side];
        while banks != 0 {
            self.renew_offer(BankId::first_of(banks), side);
            banks &= banks - 1;
        }
        self.stale[side] = 0;
    }

    #[inline(never)]
    fn renew_offer(&mut self, bank: BankId, side: usize) {
        let offer = self.offer(bank, side);
        self.offers[side].set(bank, &offer);
        self.offer_changed(bank, side, &offer);
        if self.age_limit > 0 {
            let first = self.queues.list(side, bank).first;
            let starves_at = self.starves_at(self.queues.entries[first as usize].arrived);
            self.starving_from = self.starving_from.min(starves_at);
        }
        if self.joint {
            let yields = u64::from(self.yields(bank, side)) << bank.0;
            self.yields[side] = self.yields[side] & !bank.bit() | yields;
        }
    }

    /// The offer of a bank has changed to this one.
    #[inline(always)]
    fn offer_changed(&mut self, bank: BankId, side: usize, offer: &BankCommand) {
        let column = matches!(offer.kind, READ | WRITE);
        let (at, rank) = (self.time_of(offer), offer.rank);
        self.columns[side] = self.columns[side] & !bank.bit() | u64::from(column) << bank.0;
        let known = &mut self.best_columns[side];
        let better = offer.may_close || (at, rank) < (known.at, known.rank);
        if known.bank == bank || column && better {
            known.until = 0;
        }
        let known = &mut self.preparations[side];
        if known.bank == bank || !column {
            known.until = 0;
        }
    }

    /// Whether a side has nothing for the open row of a bank while the other side has, and so leaves it open.
    fn yields(&self, bank: BankId, side: usize) -> bool {
        let (own, other) = (self.queues.list(side, bank), self.queues.list(1 - side, bank));
        if own.hit != NONE || other.hit == NONE {
            return false;
        }
        let oldest = &self.queues.entries[own.first as usize];
        let starves = self.floor >= self.starves_at(oldest.arrived);
        let enough = self.timing.banks[bank.index()].served >= self.row_hit_limit;
        let may_close = enough && oldest.age < self.queues.entries[other.hit as usize].age;
        !(starves || may_close)
    }

    /// When an offer can be taken up, with the rules between banks.
    #[inline(always)]
    pub(super) fn time_of(&self, offer: &BankCommand) -> u64 {
        offer.at.max(self.timing.gates[usize::from(offer.gate)]).max(self.floor)
    }

    /// The same of the offer of a bank, and its rank.
    #[inline(always)]
    pub(super) fn time_and_rank_of(&self, bank: BankId, side: usize) -> (u64, u64) {
        let BankCommands { at, rank, gate, .. } = &*self.offers[side];
        let bank = bank.index() & 63;
        (at[bank].max(self.timing.gates[usize::from(gate[bank])]).max(self.floor), rank[bank])
    }

    /// Whether one of these banks may offer to close its row in place of a column command.
    #[inline(always)]
    pub(super) fn may_close(&self, banks: u64, side: usize) -> bool {
        banks & self.offers[side].may_close != 0
    }

    /// What the offer of a bank that was chosen means.
    #[inline(always)]
    pub(super) fn plan_for(&self, choice: Choice) -> Plan {
        let Choice { key, bank, side } = choice;
        let offers = &self.offers[side as usize];
        if offers.may_close >> (bank.0 & 63) & 1 == 1 {
            return self.plan_of(bank, side as usize);
        }
        let (at, rank) = self.time_and_rank(key);
        let place = bank.index() & 63;
        Plan { at, rank, action: Action::of(offers.kind[place], offers.entry[place], bank) }
    }

    /// What the offer of a bank means.
    #[inline(always)]
    pub(super) fn plan_of(&self, bank: BankId, side: usize) -> Plan {
        let offer = self.offers[side].get(bank);
        let at = self.time_of(&offer);
        if offer.may_close
            && let close = self.timing.earliest(Command::Precharge, bank).max(self.floor)
            && close <= at
        {
            let first = self.queues.list(side, bank).first;
            let rank = PREPARES | self.queues.entries[first as usize].age;
            return Plan { at: close, rank, action: Action::Precharge(first, bank) };
        }
        Plan { at, rank: offer.rank, action: Action::of(offer.kind, offer.entry, bank) }
    }

    /// Orders offers by time, then rank, in one word. No rule reaches further ahead than a few timings, each of
    /// which is checked to be far below 2^22, so that the time fits above the rank.
    #[inline(always)]
    pub(super) fn key(&self, at: u64, rank: u64) -> u64 {
        at.saturating_sub(self.floor) << RANK_BITS | rank
    }

    /// Time and rank of a key that some offer has.
    #[inline(always)]
    pub(super) fn time_and_rank(&self, key: u64) -> (u64, u64) {
        (self.floor + (key >> RANK_BITS), key & ((1 << RANK_BITS) - 1))
    }

    /// The first and best offer of these banks.
    #[inline(always)]
    pub(super) fn best_of(&self, banks: u64, side: usize) -> Choice {
        if self.may_close(banks, side) {
            return self.best_with_closing(banks, side);
        }
        let BankCommands { at, rank, gate, .. } = &*self.offers[side];
        let gates = &*self.timing.gates;
        let (mut best, mut chosen) = (u64::MAX, 0);
        let mut rest = banks;
        while rest != 0 {
            let bank = rest.trailing_zeros() as usize & 63;
            let key = self.key(at[bank].max(gates[usize::from(gate[bank])]), rank[bank]);
            if key < best {
                (best, chosen) = (key, bank as u32);
            }
            rest &= rest - 1;
        }
        Choice { key: best, bank: BankId(chosen), side: side as u32 }
    }

    /// The same, where a precharge may take the place of a column command.
    #[cold]
    fn best_with_closing(&self, mut banks: u64, side: usize) -> Choice {
        let mut best = Choice::NONE;
        while banks != 0 {
            let bank = BankId::first_of(banks);
            let Plan { at, rank, .. } = self.plan_of(bank, side);
            best = best.or(Choice { key: self.key(at, rank), bank, side: side as u32 });
            banks &= banks - 1;
        }
        best
    }
}
