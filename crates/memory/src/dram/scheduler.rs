//! Which command comes next.
//!
//! The plan is the command that will be issued if nothing arrives before: of all commands that requests need,
//! the one that is legal first; of those that are legal in the same cycle a column command before all others,
//! the one for the oldest request before younger ones. So row hits go first, and a bank group whose turn it is
//! before one that has to wait for tCCD_L.
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
//!
//! With writes in a queue of their own the banks offer reads, or writes during a drain. A drain begins when
//! `high` writes wait or no read does, and ends when at most `low` writes are left and a read waits. When the
//! channel turns, requests for which a row was already opened are served first; meanwhile rows for the other
//! kind are prepared, but its column commands wait. During a drain banks without writes open rows for reads.

use super::bank::{ACTIVATE, PRECHARGE, READ, WRITE};
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

impl Action {
    /// A command of this kind for an entry of a bank.
    #[inline(always)]
    fn of(kind: u8, entry: u32, bank: u32) -> Action {
        match kind {
            READ | WRITE => Action::Column(entry, bank),
            ACTIVATE => Action::Activate(entry, bank),
            _ => Action::Precharge(entry, bank),
        }
    }
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

    pub(super) fn before(&self, other: &Plan) -> bool {
        (self.at, self.rank) < (other.at, other.rank)
    }

    #[inline(always)]
    pub(super) fn bank(&self) -> Option<u32> {
        match self.action {
            Action::Column(_, bank) | Action::Activate(_, bank) | Action::Precharge(_, bank) => Some(bank),
            _ => None,
        }
    }
}

/// A bank whose offer is the best of some, and its key: see [`Channel::key`]. It fits two registers of the host, where a
/// plan goes through memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) key: u64,
    pub(super) bank: u32,
    pub(super) side: u32,
}

impl Choice {
    pub(super) const NONE: Choice = Choice { key: u64::MAX, bank: 0, side: 0 };

    #[inline(always)]
    pub(super) fn or(self, other: Choice) -> Choice {
        if other.key < self.key { other } else { self }
    }
}

/// What a bank offers, without the rules between banks: those change with every command, this does not.
#[derive(Clone, Copy, Debug)]
pub(super) struct BankCommand {
    /// When the bank itself allows the command.
    at: u64,
    /// Class and age in the low bits of a key: see [`Channel::key`].
    pub(super) rank: u64,
    entry: u32,
    /// Where the time of the bank's group for this kind of command is found.
    gate: u8,
    pub(super) kind: u8,
    /// A precharge for the oldest request takes the place of the column command if it is legal no later.
    pub(super) may_close: bool,
}

/// The offers of all banks on one side, by bank. A channel has at most 64 banks.
#[derive(Clone, Debug)]
pub(super) struct BankCommands {
    at: [u64; 64],
    rank: [u64; 64],
    gate: [u8; 64],
    kind: [u8; 64],
    entry: [u32; 64],
    /// Banks whose offer may give way to a precharge, a bit each.
    may_close: u64,
}

impl BankCommands {
    /// None yet.
    pub(super) fn none() -> BankCommands {
        let (at, rank) = ([u64::MAX; 64], [u64::MAX; 64]);
        BankCommands { at, rank, gate: [0; 64], kind: [PRECHARGE; 64], entry: [NONE; 64], may_close: 0 }
    }

    #[inline(always)]
    fn set(&mut self, bank: usize, offer: &BankCommand) {
        let bank = bank & 63;
        self.at[bank] = offer.at;
        self.rank[bank] = offer.rank;
        self.gate[bank] = offer.gate;
        self.kind[bank] = offer.kind;
        self.entry[bank] = offer.entry;
        self.may_close = self.may_close & !(1 << bank) | u64::from(offer.may_close) << bank;
    }

    /// Another hit of the same kind takes the place of the one that a bank offered.
    #[inline(always)]
    fn next_hit(&mut self, bank: usize, age: u64, entry: u32) {
        self.rank[bank & 63] = age;
        self.entry[bank & 63] = entry;
    }

    #[inline(always)]
    pub(super) fn get(&self, bank: usize) -> BankCommand {
        let bank = bank & 63;
        BankCommand {
            at: self.at[bank],
            rank: self.rank[bank],
            entry: self.entry[bank],
            gate: self.gate[bank],
            kind: self.kind[bank],
            may_close: self.may_close >> bank & 1 == 1,
        }
    }
}

/// Bits of a key that hold class and age; the time is above them.
const RANK_BITS: u32 = 40;
/// Above every age: the class of commands that prepare a row. Ages stay below: half a billion requests a second
/// would take a quarter of an hour of host time to get there.
const PREPARES: u64 = 1 << (RANK_BITS - 1);

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
        if turned {
            self.prepared = 0;
        }
        self.counters.write_drains += u64::from(turned && drain);
        self.draining = drain;
        turned
    }

    /// What a bank with requests offers.
    #[inline(always)]
    fn offer(&self, bank: usize, side: usize) -> BankCommand {
        let list = self.queues.list(side, bank);
        let state = &self.timing.banks[bank];
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
    pub(super) fn changed(&mut self, bank: usize) {
        self.stale[0] |= 1 << bank;
        self.stale[1] |= 1 << bank;
    }

    /// A bank has served a hit, a read or a write.
    #[inline(always)]
    pub(super) fn served(&mut self, bank: usize, write: bool) {
        let hit = self.queues.list(0, bank).hit;
        if self.steady_hits
            && let Some(next) = self.queues.entries.get(hit as usize)
            && next.write == write
        {
            self.offers[0].next_hit(bank, next.age, hit);
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
            self.renew_offer(banks.trailing_zeros() as usize, side);
            banks &= banks - 1;
        }
        self.stale[side] = 0;
    }

    #[inline(never)]
    fn renew_offer(&mut self, bank: usize, side: usize) {
        let offer = self.offer(bank, side);
        self.offers[side].set(bank, &offer);
        self.offer_changed(bank, side, &offer);
        if self.age_limit > 0 {
            let first = self.queues.list(side, bank).first;
            let starves_at = self.starves_at(self.queues.entries[first as usize].arrived);
            self.starving_from = self.starving_from.min(starves_at);
        }
        if self.joint {
            let yields = u64::from(self.yields(bank, side)) << bank;
            self.yields[side] = self.yields[side] & !(1 << bank) | yields;
        }
    }

    /// When an offer can be taken up, with the rules between banks.
    #[inline(always)]
    pub(super) fn time_of(&self, offer: &BankCommand) -> u64 {
        offer.at.max(self.timing.gates[usize::from(offer.gate)]).max(self.floor)
    }

    /// The same of the offer of a bank, and its rank.
    #[inline(always)]
    pub(super) fn time_and_rank_of(&self, bank: usize, side: usize) -> (u64, u64) {
        let BankCommands { at, rank, gate, .. } = &*self.offers[side];
        let bank = bank & 63;
        (at[bank].max(self.timing.gates[usize::from(gate[bank])]).max(self.floor), rank[bank])
    }

    /// Whether one of these banks may offer to close its row in place of a column command.
    #[inline(always)]
    pub(super) fn may_close(&self, banks: u64, side: usize) -> bool {
        banks & self.offers[side].may_close != 0
    }

    /// What the offer of a bank that was chosen means.
    #[inline(always)]
    fn plan_for(&self, choice: Choice) -> Plan {
        let Choice { key, bank, side } = choice;
        let offers = &self.offers[side as usize];
        if offers.may_close >> (bank & 63) & 1 == 1 {
            return self.plan_of(bank as usize, side as usize);
        }
        let (at, rank) = self.time_and_rank(key);
        let place = bank as usize & 63;
        Plan { at, rank, action: Action::of(offers.kind[place], offers.entry[place], bank) }
    }

    /// What the offer of a bank means.
    #[inline(always)]
    pub(super) fn plan_of(&self, bank: usize, side: usize) -> Plan {
        let offer = self.offers[side].get(bank);
        let at = self.time_of(&offer);
        let number = bank as u32;
        if offer.may_close
            && let close = self.timing.earliest(Command::Precharge, bank as u32).max(self.floor)
            && close <= at
        {
            let first = self.queues.list(side, bank).first;
            let rank = PREPARES | self.queues.entries[first as usize].age;
            return Plan { at: close, rank, action: Action::Precharge(first, number) };
        }
        Plan { at, rank: offer.rank, action: Action::of(offer.kind, offer.entry, number) }
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
        Choice { key: best, bank: chosen, side: side as u32 }
    }

    /// The same, where a precharge may take the place of a column command.
    #[cold]
    fn best_with_closing(&self, mut banks: u64, side: usize) -> Choice {
        let mut best = Choice::NONE;
        while banks != 0 {
            let bank = banks.trailing_zeros() as usize;
            let Plan { at, rank, .. } = self.plan_of(bank, side);
            best = best.or(Choice { key: self.key(at, rank), bank: bank as u32, side: side as u32 });
            banks &= banks - 1;
        }
        best
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
            let bank = banks.trailing_zeros();
            let first = self.queues.list(side, bank as usize).first;
            oldest = oldest.min((self.queues.entries[first as usize].age, 1u64 << bank));
            banks &= banks - 1;
        }
        oldest.1
    }

    /// A request has come to a bank and may matter: revises the plan.
    #[inline(never)]
    pub(super) fn revise(&mut self, bank: usize, side: usize) {
        // In a drain it depends on other banks whether a row may be closed.
        if self.joint || self.draining {
            return self.plan_anew();
        }
        if side != self.side() {
            return;
        }
        let changed = self.plan.action == Action::Nothing || self.plan.bank() == Some(bank as u32);
        if changed || self.in_order || self.begun[1 - side] != 0 {
            return self.plan_anew();
        }
        self.refresh_offers(side);
        let offer = self.plan_of(bank, side);
        if offer.at < self.refresh_due && offer.before(&self.plan) {
            self.plan = offer;
        }
    }

    /// Whether a scheduler keeps the order of requests.
    pub(super) fn keeps_order(kind: SchedulerKind) -> bool {
        kind == SchedulerKind::Fcfs
    }
}
