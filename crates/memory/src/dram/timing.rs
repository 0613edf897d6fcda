//! When a command is legal.
//!
//! | from → to | same bank | same group | other group |
//! |---|---|---|---|
//! | activate → read, write | tRCD (tRCDWR) | | |
//! | activate → precharge | tRAS | | |
//! | activate → activate | tRC | tRRD_L | tRRD_S |
//! | fifth activate after the first of four | | tFAW | tFAW |
//! | 33rd activate after the first of 32 | | t32AW | t32AW |
//! | precharge → precharge | | tPPD | tPPD |
//! | precharge → activate, refresh | tRP | | |
//! | read → read, write → write | tCCD_L | tCCD_L | tCCD_S |
//! | read → write | tRTW | tRTW | tRTW |
//! | write → read | tWL + burst + tWTR_L | the same | tWL + burst + tWTR_S |
//! | read → precharge | tRTP | | |
//! | write → precharge | tWL + burst + tWR | | |
//! | refresh → activate, refresh | tRFC | | |
//!
//! Column commands are never closer than a burst, even if tCCD says less. With one bank group, the rules of
//! the same group hold everywhere. A refresh needs all banks closed, each since tRP. That only one command is
//! issued per clock is the channel's rule, not a rule here.

use super::bank::{ACTIVATE, Bank, CLOSED, Gates, PRECHARGE, READ, WRITE};
use super::command::Command;
use super::spec::DramSpec;
use crate::ids::BankId;

/// Activates that are remembered: t32AW looks that far back.
const MANY: usize = 32;

/// The timings as the rules need them. Pairs are (other group, same group).
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) burst: u64,
    pub(super) read_latency: u64,
    pub(super) write_latency: u64,
    activate_to_read: u64,
    activate_to_write: u64,
    activate_to_precharge: u64,
    activate_to_activate: u64,
    activates: [u64; 2],
    four_activates: u64,
    many_activates: u64,
    pub(super) columns: [u64; 2],
    read_to_write: u64,
    write_to_read: [u64; 2],
    read_to_precharge: u64,
    write_to_precharge: u64,
    precharge_to_activate: u64,
    precharges: u64,
    pub(super) refresh: u64,
    pub(super) refresh_interval: u64,
}

impl Rules {
    fn new(spec: &DramSpec) -> Rules {
        let t = &spec.timing;
        let long = u64::from;
        let burst = spec.burst_clocks();
        let write_end = long(t.tWL) + burst;
        let turn = t.tRTW.map_or((long(t.tCL) + burst + 2).saturating_sub(long(t.tWL)), long);
        Rules {
            burst,
            read_latency: long(t.tCL) + burst,
            write_latency: write_end,
            activate_to_read: long(t.tRCD),
            activate_to_write: long(t.tRCDWR.unwrap_or(t.tRCD)),
            activate_to_precharge: long(t.tRAS),
            activate_to_activate: long(t.tRC),
            activates: [long(t.tRRD_S), long(t.tRRD_L)],
            four_activates: long(t.tFAW),
            many_activates: long(t.t32AW.unwrap_or(0)),
            columns: [long(t.tCCD_S).max(burst), long(t.tCCD_L).max(burst)],
            read_to_write: turn,
            write_to_read: [write_end + long(t.tWTR_S), write_end + long(t.tWTR_L)],
            read_to_precharge: long(t.tRTP),
            write_to_precharge: write_end + long(t.tWR),
            precharge_to_activate: long(t.tRP),
            precharges: long(t.tPPD.unwrap_or(0)),
            refresh: long(t.tRFC),
            refresh_interval: long(t.tREFI),
        }
    }
}

impl Rules {
    /// Whether a column command that follows one of the same kind in the same bank as closely as it may is legal no later
    /// than any other column command.
    pub(super) fn columns_go_on(&self) -> bool {
        let [other, same] = self.columns;
        other == same && self.read_to_write > same && self.write_to_read.iter().all(|&gap| gap > same)
    }
}

/// The state of a channel's banks, as far as the legality of commands goes.
#[derive(Clone, Debug)]
pub struct Timing {
    pub(super) rules: Rules,
    pub(super) banks: Vec<Bank>,
    pub(super) gates: Gates,
    groups: usize,
    /// Log2 of the banks of a group.
    group_shift: u32,
    /// When the last activates were issued (plus one, so that 0 means never); a ring.
    activated: [u64; MANY],
    oldest: usize,
}

impl Timing {
    /// All banks closed, nothing issued yet.
    pub fn new(spec: &DramSpec) -> Timing {
        Timing {
            rules: Rules::new(spec),
            banks: vec![Bank::NEW; spec.banks as usize],
            gates: Box::new([0; 256]),
            groups: spec.bank_groups as usize,
            group_shift: (spec.banks / spec.bank_groups.max(1)).checked_ilog2().unwrap_or(0),
            activated: [0; MANY],
            oldest: 0,
        }
    }

    /// Where the gate of a bank's group for a kind of command is found.
    #[inline(always)]
    pub(super) fn gate(&self, bank: BankId, kind: u8) -> u8 {
        ((bank.0 >> self.group_shift) as u8) << 2 | kind
    }

    /// Whether a bank has a row open.
    pub fn is_open(&self, bank: BankId) -> bool {
        self.banks[bank.index()].is_open()
    }

    /// The first cycle in which the command is legal, given what was issued so far and that the bank's state
    /// (open, closed) allows the command at all.
    #[inline(always)]
    pub fn earliest(&self, command: Command, bank: BankId) -> u64 {
        let gate = |kind| self.gates[usize::from(self.gate(bank, kind))];
        let bank = &self.banks[bank.index()];
        match command {
            Command::Activate => bank.activate_at.max(gate(ACTIVATE)),
            Command::Read | Command::ReadAuto => bank.read_at.max(gate(READ)),
            Command::Write | Command::WriteAuto => bank.write_at.max(gate(WRITE)),
            Command::Precharge => bank.precharge_at.max(gate(PRECHARGE)),
            Command::PrechargeAll => {
                let open = self.banks.iter().filter(|bank| bank.is_open());
                open.map(|bank| bank.precharge_at).fold(gate(PRECHARGE), u64::max)
            }
            Command::Refresh => self.banks.iter().map(|bank| bank.activate_at).max().unwrap_or(0),
        }
    }

    /// Whether the command is legal in this cycle; the bank's state counts too.
    pub fn is_legal(&self, command: Command, bank: BankId, now: u64) -> bool {
        let open = self.is_open(bank);
        let state = match command {
            Command::Activate => !open,
            Command::Refresh => self.banks.iter().all(|bank| !bank.is_open()),
            Command::PrechargeAll => true,
            _ => open,
        };
        state && now >= self.earliest(command, bank)
    }

    /// So many column commands more than were issued to a bank were issued before the last one, each as closely behind
    /// another as it may: no rule looks at others than the last.
    #[inline(always)]
    pub(super) fn served_before(&mut self, bank: BankId, commands: u32) {
        self.banks[bank.index()].served += commands;
    }

    /// The command is issued. Which row is looked at by an activate alone.
    #[inline(always)]
    pub fn issue(&mut self, command: Command, bank: BankId, row: u32, now: u64) {
        let index = bank.index();
        match command {
            Command::Activate => self.activate(index, row, now),
            Command::Precharge => {
                self.space_precharges(now);
                self.precharge(index, now);
            }
            Command::PrechargeAll => {
                self.space_precharges(now);
                for bank in 0..self.banks.len() {
                    if self.banks[bank].is_open() {
                        self.precharge(bank, now);
                    }
                }
            }
            Command::Read => self.read(index, now),
            Command::Write => self.write(index, now),
            Command::ReadAuto => {
                self.read(index, now);
                self.precharge(index, self.banks[index].precharge_at);
            }
            Command::WriteAuto => {
                self.write(index, now);
                self.precharge(index, self.banks[index].precharge_at);
            }
            Command::Refresh => self.refreshed(now),
        }
    }

    fn activate(&mut self, index: usize, row: u32, now: u64) {
        let rules = &self.rules;
        let bank = &mut self.banks[index];
        bank.row = row;
        bank.served = 0;
        bank.read_at = now + rules.activate_to_read;
        bank.write_at = now + rules.activate_to_write;
        bank.precharge_at = now + rules.activate_to_precharge;
        bank.activate_at = now + rules.activate_to_activate;
        self.activated[self.oldest] = now + 1;
        self.oldest = (self.oldest + 1) % MANY;
        // The fifth activate waits for the first of the last four, and likewise the 33rd.
        let end = |first: u64, window: u64| if first == 0 { 0 } else { first - 1 + window };
        let four = end(self.activated[(self.oldest + MANY - 4) % MANY], rules.four_activates);
        let window = four.max(end(self.activated[self.oldest], rules.many_activates));
        let own = index >> self.group_shift;
        let groups = self.gates.as_chunks_mut::<4>().0.iter_mut().take(self.groups);
        for (number, group) in groups.enumerate() {
            let gap = rules.activates[usize::from(number == own)];
            group[usize::from(ACTIVATE)] = group[usize::from(ACTIVATE)].max(now + gap).max(window);
        }
    }

    #[inline(always)]
    fn read(&mut self, index: usize, now: u64) {
        let rules = &self.rules;
        let bank = &mut self.banks[index];
        bank.served += 1;
        bank.precharge_at = bank.precharge_at.max(now + rules.read_to_precharge);
        let [short, long] = rules.columns.map(|gap| now + gap);
        let turn = now + rules.read_to_write;
        self.space_columns(index, [(READ, short, long), (WRITE, turn, turn)]);
    }

    fn write(&mut self, index: usize, now: u64) {
        let rules = &self.rules;
        let bank = &mut self.banks[index];
        bank.served += 1;
        bank.precharge_at = bank.precharge_at.max(now + rules.write_to_precharge);
        let [short, long] = rules.columns.map(|gap| now + gap);
        let [short_turn, long_turn] = rules.write_to_read.map(|gap| now + gap);
        self.space_columns(index, [(WRITE, short, long), (READ, short_turn, long_turn)]);
    }

    /// Keeps column commands apart: for each kind from when on it is legal in other groups, and in the bank's own, which
    /// is never earlier.
    #[inline(always)]
    fn space_columns(&mut self, index: usize, kinds: [(u8, u64, u64); 2]) {
        let groups = self.gates.as_chunks_mut::<4>().0;
        for group in &mut groups[..self.groups] {
            for (kind, other, _) in kinds {
                let gate = &mut group[usize::from(kind)];
                *gate = other.max(*gate);
            }
        }
        let own = &mut groups[index >> self.group_shift];
        for (kind, _, same) in kinds {
            let gate = &mut own[usize::from(kind)];
            *gate = same.max(*gate);
        }
    }

    /// Keeps precharge commands tPPD apart. Rows that close by themselves take no command.
    #[inline(always)]
    fn space_precharges(&mut self, now: u64) {
        if self.rules.precharges == 0 {
            return;
        }
        for group in self.gates.as_chunks_mut::<4>().0.iter_mut().take(self.groups) {
            group[usize::from(PRECHARGE)] = now + self.rules.precharges;
        }
    }

    fn precharge(&mut self, index: usize, now: u64) {
        let bank = &mut self.banks[index];
        bank.row = CLOSED;
        bank.activate_at = bank.activate_at.max(now + self.rules.precharge_to_activate);
    }

    /// A refresh was issued.
    pub(super) fn refreshed(&mut self, now: u64) {
        for bank in &mut self.banks {
            bank.activate_at = bank.activate_at.max(now + self.rules.refresh);
        }
    }
}
