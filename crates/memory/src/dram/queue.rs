//! Where requests wait: for each bank one list of reads and one of writes, or one for both, in order of arrival.

use crate::ids::BankId;

/// No entry.
pub(super) const NONE: u32 = u32::MAX;

/// What a request needed before its column command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needed {
    Nothing,
    Activate,
    PrechargeAndActivate,
}

/// A request that waits, or several that came together for consecutive columns of a row: a run, in which each is older by
/// one than the next. What is kept is that of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueueEntry {
    /// Order of arrival at the channel.
    pub(super) age: u64,
    pub(super) arrived: u64,
    pub(super) id: u32,
    pub(super) row: u32,
    pub(super) column: u32,
    /// Requests of the run.
    pub(super) bursts: u32,
    previous: u32,
    next: u32,
    pub(super) write: bool,
    pub(super) needed: Needed,
}

impl QueueEntry {
    pub(super) fn new(age: u64, arrived: u64, id: u32, row: u32, column: u32, write: bool) -> QueueEntry {
        QueueEntry {
            age,
            arrived,
            id,
            row,
            column,
            bursts: 1,
            previous: NONE,
            next: NONE,
            write,
            needed: Needed::Nothing,
        }
    }
}

/// The requests of a bank.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    pub(super) first: u32,
    last: u32,
    /// The oldest for the row that is open, if any.
    pub(super) hit: u32,
    /// Requests, each of a run counted.
    pub(super) length: u32,
}

/// All requests of a channel. Side 0 holds reads, side 1 writes; where both share their queue all are on side 0.
#[derive(Clone, Debug)]
pub(super) struct Queues {
    pub(super) entries: Vec<QueueEntry>,
    free: u32,
    lists: [Vec<List>; 2],
    /// Banks with requests, a bit each.
    pub(super) busy: [u64; 2],
    pub(super) lengths: [u32; 2],
}

impl Queues {
    pub(super) fn new(banks: usize) -> Queues {
        let empty = List { first: NONE, last: NONE, hit: NONE, length: 0 };
        Queues {
            entries: Vec::new(),
            free: NONE,
            lists: [vec![empty; banks], vec![empty; banks]],
            busy: [0; 2],
            lengths: [0; 2],
        }
    }

    #[inline(always)]
    pub(super) fn list(&self, side: usize, bank: BankId) -> &List {
        &self.lists[side][bank.index()]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lengths == [0; 2]
    }

    /// Appends a request; `open` is the row that is open in its bank. Says whether the bank's next command may
    /// be another one now.
    #[inline(always)]
    pub(super) fn push(&mut self, side: usize, bank: BankId, entry: QueueEntry, open: u32) -> bool {
        let list = &mut self.lists[side][bank.index()];
        let entry = QueueEntry { previous: list.last, ..entry };
        let number = match self.free {
            // Never more than the queues hold, so that steady state does not allocate.
            NONE => {
                self.entries.push(entry);
                (self.entries.len() - 1) as u32
            }
            number => {
                self.free = self.entries[number as usize].next;
                self.entries[number as usize] = entry;
                number
            }
        };
        let mut matters = false;
        match list.last {
            NONE => {
                list.first = number;
                matters = true;
            }
            last => self.entries[last as usize].next = number,
        }
        list.last = number;
        list.length += entry.bursts;
        if list.hit == NONE && entry.row == open {
            list.hit = number;
            matters = true;
        }
        self.lengths[side] += entry.bursts;
        self.busy[side] |= bank.bit();
        matters
    }

    /// Takes the first requests of a run out, and returns it as it was. The next hit of the same row, if any, is younger:
    /// hits are served by age.
    #[inline(always)]
    pub(super) fn remove(&mut self, side: usize, bank: BankId, number: u32, bursts: u32) -> QueueEntry {
        let entry = self.entries[number as usize];
        let list = &mut self.lists[side][bank.index()];
        list.length -= bursts;
        self.lengths[side] -= bursts;
        if bursts < entry.bursts {
            let left = &mut self.entries[number as usize];
            left.age += u64::from(bursts);
            left.id += bursts;
            left.column += bursts;
            left.bursts -= bursts;
            left.needed = Needed::Nothing;
            return entry;
        }
        match entry.previous {
            NONE => list.first = entry.next,
            previous => self.entries[previous as usize].next = entry.next,
        }
        match entry.next {
            NONE => list.last = entry.previous,
            next => self.entries[next as usize].previous = entry.previous,
        }
        if list.hit == number {
            list.hit = next_of_row(&self.entries, entry.next, entry.row);
        }
        if list.length == 0 {
            self.busy[side] &= !bank.bit();
        }
        self.entries[number as usize].next = self.free;
        self.free = number;
        entry
    }

    /// A row was opened.
    pub(super) fn opened(&mut self, bank: BankId, row: u32) {
        for side in 0..2 {
            let list = &mut self.lists[side][bank.index()];
            list.hit = next_of_row(&self.entries, list.first, row);
        }
    }

    /// The row of a bank was closed.
    pub(super) fn closed(&mut self, bank: BankId) {
        for side in 0..2 {
            self.lists[side][bank.index()].hit = NONE;
        }
    }

    /// Whether a request for this place waits.
    pub(super) fn contains(&self, side: usize, bank: BankId, row: u32, column: u32) -> bool {
        let mut number = self.lists[side][bank.index()].first;
        while number != NONE {
            let entry = &self.entries[number as usize];
            if entry.row == row && column.wrapping_sub(entry.column) < entry.bursts {
                return true;
            }
            number = entry.next;
        }
        false
    }
}

/// The first entry of this row, from `number` on.
#[inline(always)]
fn next_of_row(entries: &[QueueEntry], mut number: u32, row: u32) -> u32 {
    while number != NONE {
        let entry = &entries[number as usize];
        if entry.row == row {
            return number;
        }
        number = entry.next;
    }
    NONE
}
