//! Miss status holding registers: the lines that are being fetched, and the requests that wait for them.
//!
//! One register per line. It knows which sectors have been asked for and have not arrived; each waiting request
//! knows which of them it needs. The registers are a small hash table by themselves; the waiting requests are
//! lists in one array.

use super::tags::Origin;
use crate::request::{LineAddress, Sectors, Token};
use heddle_engine::fetch_ahead;

const NONE: u32 = u32::MAX;
/// The line of a register that is not in use; no line has this address, as lines are aligned.
const VACANT: LineAddress = LineAddress(u64::MAX);

/// What a waiting request will do with its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Read,
    /// A read whose data nobody above keeps, where lines move up otherwise: it stays here.
    PassingRead,
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
    /// Nowhere: it is forwarded and not inserted.
    Nowhere,
}

/// One register.
#[derive(Clone, Copy, Debug)]
pub(super) struct MshrEntry {
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
    /// The request that missed first, with the bits of the fetch.
    pub(super) origin: Origin,
    pub(super) waiting: u32,
    first: u32,
    last: u32,
}

impl MshrEntry {
    /// A register for a line of the set whose first place is `set`; nothing has been asked for yet.
    #[inline(always)]
    pub(super) fn new(line: LineAddress, set: u32, destination: Destination, origin: Origin) -> MshrEntry {
        MshrEntry {
            line,
            set,
            outstanding: Sectors::NONE,
            destination,
            bypassed: false,
            prefetch: false,
            must_keep: false,
            origin,
            waiting: 0,
            first: NONE,
            last: NONE,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    waiter: Waiter,
    next: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Mshrs {
    /// The line of each register, by hash, with linear probing; at most half full. Apart from the registers, so that
    /// a search touches little memory.
    lines: Vec<LineAddress>,
    entries: Vec<MshrEntry>,
    shift: u32,
    in_use: u32,
    limit: u32,
    merges: u32,
    nodes: Vec<Node>,
    free_node: u32,
}

impl Mshrs {
    pub(super) fn new(limit: u32, merges: u32) -> Mshrs {
        let size = (limit as usize * 2).next_power_of_two();
        let vacant = MshrEntry::new(VACANT, 0, Destination::Nowhere, Origin::default());
        Mshrs {
            lines: vec![VACANT; size],
            entries: vec![vacant; size],
            shift: 64 - size.ilog2(),
            in_use: 0,
            limit,
            merges,
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

    /// The number of a line's register, or else of the vacant one that it would get. Numbers hold until a
    /// register is closed.
    #[inline(always)]
    pub(super) fn number_of(&self, line: LineAddress) -> u32 {
        let mask = self.lines.len() - 1;
        let mut at = self.home(line) & mask;
        loop {
            let there = self.lines[at];
            if there == line || there == VACANT {
                return at as u32;
            }
            at = (at + 1) & mask;
        }
    }

    /// The register of a line will be looked for soon.
    #[inline(always)]
    pub(super) fn fetch_ahead(&self, line: LineAddress) {
        let home = self.home(line);
        fetch_ahead(&self.lines, home);
        fetch_ahead(&self.entries, home);
    }

    #[inline(always)]
    pub(super) fn is_open(&self, number: u32) -> bool {
        self.lines[number as usize] != VACANT
    }

    /// The number of a line's register.
    #[inline(always)]
    pub(super) fn find(&self, line: LineAddress) -> Option<u32> {
        Some(self.number_of(line)).filter(|&number| self.is_open(number))
    }

    /// Takes the register that [`Mshrs::number_of`] has named for a line. They may not all be in use.
    #[inline(always)]
    pub(super) fn open(&mut self, number: u32, entry: MshrEntry) {
        self.lines[number as usize] = entry.line;
        self.entries[number as usize] = entry;
        self.in_use += 1;
    }

    /// Frees a register. No request may be waiting in it.
    #[inline(always)]
    pub(super) fn close(&mut self, number: u32) {
        let mask = self.lines.len() - 1;
        let mut hole = number as usize & mask;
        // Entries behind the hole move up unless that would put them before their home.
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let line = self.lines[at];
            if line == VACANT {
                break;
            }
            if (at.wrapping_sub(self.home(line)) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.lines[hole] = line;
                self.entries[hole] = self.entries[at];
                hole = at;
            }
        }
        self.lines[hole] = VACANT;
        self.in_use -= 1;
    }

    /// Adds a waiting request at the end of an entry's list. All that it misses must be outstanding.
    #[inline(always)]
    pub(super) fn wait(&mut self, number: u32, waiter: Waiter) {
        let node = Node { waiter, next: NONE };
        let place = self.free_node;
        let place = match self.nodes.get_mut(place as usize) {
            Some(free) => {
                self.free_node = free.next;
                *free = node;
                place
            }
            None => self.grow(node),
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

    #[cold]
    fn grow(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    /// Notes that sectors have arrived, and calls `release` for each request that waits for nothing any more,
    /// in their order. Returns whether nothing is outstanding now.
    #[inline(always)]
    pub(super) fn arrive(&mut self, number: u32, sectors: Sectors, mut release: impl FnMut(Waiter)) -> bool {
        let entry = &mut self.entries[number as usize];
        entry.outstanding = entry.outstanding.without(sectors);
        if !entry.outstanding.is_empty() {
            self.arrive_in_part(number, sectors, release);
            return false;
        }
        // No request misses what is not outstanding, so all are released, and their list is freed as it is.
        let first = entry.first;
        (entry.first, entry.waiting) = (NONE, 0);
        let mut at = first;
        while let Some(node) = self.nodes.get_mut(at as usize) {
            release(node.waiter);
            at = node.next;
            if at == NONE {
                node.next = self.free_node;
                self.free_node = first;
            }
        }
        true
    }

    fn arrive_in_part(&mut self, number: u32, sectors: Sectors, mut release: impl FnMut(Waiter)) {
        let entry = &mut self.entries[number as usize];
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
    type Output = MshrEntry;

    #[inline(always)]
    fn index(&self, number: u32) -> &MshrEntry {
        &self.entries[number as usize]
    }
}

impl std::ops::IndexMut<u32> for Mshrs {
    #[inline(always)]
    fn index_mut(&mut self, number: u32) -> &mut MshrEntry {
        &mut self.entries[number as usize]
    }
}
