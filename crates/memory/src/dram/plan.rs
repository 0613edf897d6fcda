//! What a channel is about to do: what each bank offers, the best of that, and the plan.

use super::bank::{ACTIVATE, PRECHARGE, READ, WRITE};
use super::command::Command;
use super::queue::NONE;
use crate::ids::BankId;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// The column command of this entry of this bank.
    Column(u32, BankId),
    /// An activate for this entry of this bank.
    Activate(u32, BankId),
    /// A precharge for this entry of this bank.
    Precharge(u32, BankId),
    /// A step of a refresh.
    Maintain(Command),
    /// Nothing at all.
    Nothing,
}

impl Action {
    /// A command of this kind for an entry of a bank.
    #[inline(always)]
    pub(super) fn of(kind: u8, entry: u32, bank: BankId) -> Action {
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
    pub(super) fn bank(&self) -> Option<BankId> {
        match self.action {
            Action::Column(_, bank) | Action::Activate(_, bank) | Action::Precharge(_, bank) => Some(bank),
            _ => None,
        }
    }
}

/// A bank whose offer is the best of some, and its key: see [`super::offers`]. It fits two registers of the host, where a
/// plan goes through memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) key: u64,
    pub(super) bank: BankId,
    pub(super) side: u32,
}

impl Choice {
    pub(super) const NONE: Choice = Choice { key: u64::MAX, bank: BankId(0), side: 0 };

    #[inline(always)]
    pub(super) fn or(self, other: Choice) -> Choice {
        if other.key < self.key { other } else { self }
    }
}

/// What a bank offers, without the rules between banks: those change with every command, this does not.
#[derive(Clone, Copy, Debug)]
pub(super) struct BankCommand {
    /// When the bank itself allows the command.
    pub(super) at: u64,
    /// Class and age in the low bits of a key: see [`super::offers`].
    pub(super) rank: u64,
    pub(super) entry: u32,
    /// Where the time of the bank's group for this kind of command is found.
    pub(super) gate: u8,
    pub(super) kind: u8,
    /// A precharge for the oldest request takes the place of the column command if it is legal no later.
    pub(super) may_close: bool,
}

/// The offers of all banks on one side, by bank. A channel has at most 64 banks.
#[derive(Clone, Debug)]
pub(super) struct BankCommands {
    pub(super) at: [u64; 64],
    pub(super) rank: [u64; 64],
    pub(super) gate: [u8; 64],
    pub(super) kind: [u8; 64],
    pub(super) entry: [u32; 64],
    /// Banks whose offer may give way to a precharge, a bit each.
    pub(super) may_close: u64,
}

impl BankCommands {
    /// None yet.
    pub(super) fn none() -> BankCommands {
        let (at, rank) = ([u64::MAX; 64], [u64::MAX; 64]);
        BankCommands { at, rank, gate: [0; 64], kind: [PRECHARGE; 64], entry: [NONE; 64], may_close: 0 }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, bank: BankId, offer: &BankCommand) {
        let bank = bank.index() & 63;
        self.at[bank] = offer.at;
        self.rank[bank] = offer.rank;
        self.gate[bank] = offer.gate;
        self.kind[bank] = offer.kind;
        self.entry[bank] = offer.entry;
        self.may_close = self.may_close & !(1 << bank) | u64::from(offer.may_close) << bank;
    }

    /// Another hit of the same kind takes the place of the one that a bank offered.
    #[inline(always)]
    pub(super) fn next_hit(&mut self, bank: BankId, age: u64, entry: u32) {
        self.rank[bank.index() & 63] = age;
        self.entry[bank.index() & 63] = entry;
    }

    #[inline(always)]
    pub(super) fn get(&self, bank: BankId) -> BankCommand {
        let bank = bank.index() & 63;
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

/// A command that is remembered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Remembered {
    pub(super) at: u64,
    pub(super) rank: u64,
    pub(super) bank: BankId,
    /// It holds as long as the first cycle for a command is before this one.
    pub(super) until: u64,
}

impl Remembered {
    pub(super) const UNKNOWN: Remembered = Remembered { at: 0, rank: 0, bank: BankId(0), until: 0 };
}
