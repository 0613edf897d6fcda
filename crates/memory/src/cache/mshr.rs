//! Miss status holding registers: the lines that are on their way, and who waits for them.
//!
//! One register per line. It knows which sectors have been asked for and have not arrived; each waiting request
//! knows which of them it needs. Registers are found by a small table with linear probing; the waiting requests
//! are lists in one array.

use crate::request::{LineAddress, Sectors, Token};

const NONE: u32 = u32::MAX;

/// What a waiting request will do with its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Read,
    /// Makes these sectors (besides those that it waits for) valid and dirty.
    WriteBack,
    /// Goes below once the line is there.
    WriteThrough,
    Atomic,
}

/// A request that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiter {
    pub(super) token: Token,
    /// What it waits for.
    pub(super) missing: Sectors,
    /// What it touches.
    pub(super) touched: Sectors,
    pub(super) purpose: Purpose,
}

/// Where the data of a miss will go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// The place is reserved.
    Reserved(u32),
    /// A place is looked for when the data comes.
    AtFill,
    /// Nowhere: it only passes.
    Nowhere,
}

/// One register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) line: LineAddress,
    /// The first place of its set.
    pub(super) set: u32,
    /// Asked for and not yet there.
    pub(super) outstanding: Sectors,
    pub(super) destination: Destination,
    /// The bypass policy has decided that it is not kept (beside `Destination::Nowhere`).
    pub(super) bypassed: bool,
    /// Only a prefetcher has asked for it so far.
    pub(super) prefetch: bool,
    /// A write or an atomic waits: the line must get a place.
    pub(super) must_keep: bool,
    /// The instruction that missed first.
    pub(super) pc: u32,
    pub(super) waiting: u32,
    first: u32,
    last: u32,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    waiter: Waiter,
    next: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Mshrs {
    entries: Vec<Entry>,
    free: Vec<u32>,
    in_use: u32,
    limit: u32,
    merges: u32,
    /// Entry numbers by hash of their line; at most half full.
    table: Vec<u32>,
    shift: u32,
    nodes: Vec<Node>,
    free_node: u32,
}

impl Mshrs {
    pub(super) fn new(limit: u32, merges: u32) -> Mshrs {
        let size = (limit as usize * 2).next_power_of_two();
        Mshrs {
            entries: Vec::with_capacity(limit as usize),
            free: Vec::with_capacity(limit as usize),
            in_use: 0,
            limit,
            merges,
            table: vec![NONE; size],
            shift: 64 - size.ilog2(),
            nodes: Vec::new(),
            free_node: NONE,
        }
    }

    #[inline(always)]
    pub(super) fn in_use(&self) -> u32 {
        self.in_use
    }

    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.in_use == self.limit
    }

    /// Whether one more may wait for an entry.
    #[inline(always)]
    pub(super) fn takes(&self, number: u32) -> bool {
        self.entries[number as usize].waiting < self.merges
    }

    #[inline(always)]
    fn home(&self, line: LineAddress) -> usize {
        // Multiplication spreads the low, regular bits of line addresses over the high ones.
        (line.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    #[inline(always)]
    pub(super) fn find(&self, line: LineAddress) -> Option<u32> {
        let mut at = self.home(line);
        loop {
            let number = self.table[at];
            if number == NONE {
                return None;
            }
            if self.entries[number as usize].line == line {
                return Some(number);
            }
            at = (at + 1) & (self.table.len() - 1);
        }
    }

    /// Takes a register; there must be one.
    #[inline(always)]
    pub(super) fn open(&mut self, line: LineAddress, set: u32, destination: Destination, pc: u32) -> u32 {
        let entry = Entry {
            line,
            set,
            outstanding: Sectors::NONE,
            destination,
            bypassed: false,
            prefetch: false,
            must_keep: false,
            pc,
            waiting: 0,
            first: NONE,
            last: NONE,
        };
        let number = match self.free.pop() {
            Some(number) => {
                self.entries[number as usize] = entry;
                number
            }
            None => {
                self.entries.push(entry);
                (self.entries.len() - 1) as u32
            }
        };
        let mut at = self.home(line);
        while self.table[at] != NONE {
            at = (at + 1) & (self.table.len() - 1);
        }
        self.table[at] = number;
        self.in_use += 1;
        number
    }

    /// Gives a register back. Nobody may be waiting.
    pub(super) fn close(&mut self, number: u32) {
        let mask = self.table.len() - 1;
        let mut hole = self.home(self.entries[number as usize].line);
        while self.table[hole] != number {
            hole = (hole + 1) & mask;
        }
        // Entries behind the hole move up unless that would put them before their home.
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let next = self.table[at];
            if next == NONE {
                break;
            }
            let home = self.home(self.entries[next as usize].line);
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.table[hole] = next;
                hole = at;
            }
        }
        self.table[hole] = NONE;
        self.free.push(number);
        self.in_use -= 1;
    }

    /// Adds a waiting request at the end of an entry's list.
    #[inline(always)]
    pub(super) fn wait(&mut self, number: u32, waiter: Waiter) {
        let node = Node { waiter, next: NONE };
        let place = if self.free_node == NONE {
            self.nodes.push(node);
            (self.nodes.len() - 1) as u32
        } else {
            let place = self.free_node;
            self.free_node = self.nodes[place as usize].next;
            self.nodes[place as usize] = node;
            place
        };
        let entry = &mut self.entries[number as usize];
        if entry.first == NONE {
            entry.first = place;
        } else {
            self.nodes[entry.last as usize].next = place;
        }
        entry.last = place;
        entry.waiting += 1;
    }

    /// Notes that sectors have arrived, and calls `release` for each request that waits for nothing any more,
    /// in their order.
    #[inline(always)]
    pub(super) fn arrive(&mut self, number: u32, sectors: Sectors, mut release: impl FnMut(Waiter)) {
        let entry = &mut self.entries[number as usize];
        entry.outstanding = entry.outstanding.without(sectors);
        let (mut before, mut at) = (NONE, entry.first);
        while at != NONE {
            let node = &mut self.nodes[at as usize];
            node.waiter.missing = node.waiter.missing.without(sectors);
            let next = node.next;
            if node.waiter.missing.is_empty() {
                release(node.waiter);
                node.next = self.free_node;
                self.free_node = at;
                entry.waiting -= 1;
                match before {
                    NONE => entry.first = next,
                    before => self.nodes[before as usize].next = next,
                }
                if next == NONE {
                    entry.last = before;
                }
            } else {
                before = at;
            }
            at = next;
        }
    }
}

impl std::ops::Index<u32> for Mshrs {
    type Output = Entry;

    #[inline(always)]
    fn index(&self, number: u32) -> &Entry {
        &self.entries[number as usize]
    }
}

impl std::ops::IndexMut<u32> for Mshrs {
    #[inline(always)]
    fn index_mut(&mut self, number: u32) -> &mut Entry {
        &mut self.entries[number as usize]
    }
}
