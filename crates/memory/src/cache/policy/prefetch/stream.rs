//! A stream prefetcher: finds lines that are read one near the other in one direction, and stays ahead of them
//! (\[Lakshminarayana14\] table 6: 512 entries; after POWER4, \[Tendler02\], and POWER5, \[Sinharoy05\]).
//!
//! ```text
//!            a read near no other       `training` more in one direction          a read in the region
//!  (free) ──────────────────────▶ training ───────────────────────▶ monitoring ──────────────────────▶ fetches
//!                 ▲  the other direction │      region: first to last              `degree` lines beyond its end,
//!                 └──────────────────────┘                                         which is the end from now on
//! ```
//!
//! The table is all that the text gives, and its origins describe processors with eight streams. The two states are those
//! of the stream prefetcher that \[Srinath07\] (section 2.1) describes after the same processors: an entry begins with a
//! read that no other entry knows; reads within `window` lines of it train it, and when `training` of them have gone the
//! same way it monitors the region from its first read to its last. Each read in the region fetches the next `degree`
//! lines behind its end; the region grows by these until it is `distance` lines long, and from then on its start follows.
//!
//! What that leaves open, and is chosen: a read against the direction of the training begins it again at that read; the
//! read that completes the training fetches at once; a read of the line that an entry saw last tells it nothing; of
//! several entries that a read fits the one that began last takes it; the least recently used entry is replaced. Entries follow the reads of one warp, as prefetchers of a GPU "have to be thread (or
//! warp) aware" (section 3.2); `by_warp = false` lets all warps train all entries. All reads train, hits as well
//! (section 3.5).

use super::super::{CoreTables, Limit, Parameters, Policy, ROWS_MAX, Storage, Visit};
use super::{PrefetchPolicy, Wish};
use serde::{Deserialize, Serialize};

/// The stream prefetcher (\[Lakshminarayana14\] table 6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StreamSpec {
    /// Streams that are followed at a time; table 6.
    pub entries: u32,
    /// Lines from the start of a monitored region to its end, at most. Chosen, with `degree`: the middle one of the
    /// five settings of \[Srinath07\] (table 1: 4 and 1, 8 and 1, 16 and 2, 32 and 4, 64 and 4).
    pub distance: u32,
    /// Lines that a read of the region fetches.
    pub degree: u32,
    /// Lines on either side of its first read within which reads train an entry. Chosen: \[Srinath07\] section 2.1.
    pub window: u32,
    /// Reads in one direction after the first that train an entry. Chosen: likewise.
    pub training: u32,
    /// Whether an entry follows one warp. Chosen: as section 3.2 asks of prefetchers of a GPU.
    pub by_warp: bool,
}

impl Default for StreamSpec {
    fn default() -> StreamSpec {
        StreamSpec { entries: 512, distance: 16, degree: 2, window: 16, training: 2, by_warp: true }
    }
}

impl Parameters for StreamSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![
            ("entries", self.entries, 1, ROWS_MAX),
            ("distance", self.distance, 1, 1 << 10),
            ("degree", self.degree, 1, 64),
            ("window", self.window, 1, 1 << 10),
            ("training", self.training, 1, 16),
        ]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries)]
    }
}

/// No entry has this number.
const NONE: u32 = u32::MAX;

/// One stream. Lines are numbers here: addresses divided by the bytes of a line.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Whose reads it follows.
    owner: u32,
    /// The first read while it trains, the start of the region afterwards.
    start: i64,
    /// The last read while it trains, the end of the region afterwards.
    end: i64,
    /// 1 upwards, -1 downwards, 0 before the second read.
    direction: i64,
    /// Reads in this direction so far.
    seen: u32,
    /// The next entry of owners with the same place in `heads`.
    next: u32,
    /// Its neighbours in the order of use.
    newer: u32,
    older: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Stream {
    entries: Vec<Entry>,
    /// Of the entries, how many are in use: the first ones.
    used: usize,
    /// By the low bits of an owner, the first of its entries.
    heads: Vec<u32>,
    newest: u32,
    oldest: u32,
    distance: i64,
    degree: i64,
    window: i64,
    training: u32,
    by_warp: bool,
}

impl Stream {
    /// Whose entries a read trains.
    fn owner(&self, read: &Visit) -> u32 {
        if self.by_warp { u32::from(read.core.0) << 16 | u32::from(read.warp.0) } else { 0 }
    }

    fn head(&self, owner: u32) -> usize {
        // Cores differ in the high half only.
        (owner ^ owner >> 10) as usize & (self.heads.len() - 1)
    }

    fn is_trained(&self, entry: &Entry) -> bool {
        entry.seen >= self.training
    }

    /// The entry that a read belongs to: one whose region it lies in, otherwise one that it trains.
    fn find(&self, owner: u32, line: i64) -> Option<usize> {
        let mut at = self.heads[self.head(owner)];
        let mut trains = None;
        while at != NONE {
            let entry = &self.entries[at as usize];
            if entry.owner == owner {
                let (low, high) = (entry.start.min(entry.end), entry.start.max(entry.end));
                if self.is_trained(entry) {
                    if (low..=high).contains(&line) {
                        return Some(at as usize);
                    }
                } else if (line - entry.start).abs() <= self.window {
                    trains = trains.or(Some(at as usize));
                }
            }
            at = entry.next;
        }
        trains
    }

    /// A read trains an entry; whether that completes the training.
    fn train(&mut self, number: usize, line: i64) -> bool {
        let training = self.training;
        let entry = &mut self.entries[number];
        let direction = (line - entry.end).signum();
        if direction == 0 {
            return false;
        }
        if entry.direction != 0 && entry.direction != direction {
            (entry.start, entry.end, entry.direction, entry.seen) = (line, line, 0, 0);
            return false;
        }
        (entry.end, entry.direction) = (line, direction);
        entry.seen += 1;
        entry.seen == training
    }

    /// Takes the least recently used entry, or one that was never used, for a read that no other knows.
    fn begin(&mut self, owner: u32, line: i64) {
        let number = if self.used < self.entries.len() {
            self.used += 1;
            self.used - 1
        } else {
            let oldest = self.oldest as usize;
            self.unlink_owner(oldest);
            self.unlink_use(oldest);
            oldest
        };
        let head = self.head(owner);
        let next = std::mem::replace(&mut self.heads[head], number as u32);
        self.entries[number] =
            Entry { owner, start: line, end: line, direction: 0, seen: 0, next, newer: NONE, older: NONE };
        self.link_use(number);
    }

    /// Takes an entry out of the list of its owner.
    fn unlink_owner(&mut self, number: usize) {
        let head = self.head(self.entries[number].owner);
        let next = self.entries[number].next;
        if self.heads[head] as usize == number {
            self.heads[head] = next;
            return;
        }
        let mut at = self.heads[head] as usize;
        while self.entries[at].next as usize != number {
            at = self.entries[at].next as usize;
        }
        self.entries[at].next = next;
    }

    /// Takes an entry out of the order of use.
    fn unlink_use(&mut self, number: usize) {
        let Entry { newer, older, .. } = self.entries[number];
        match newer {
            NONE => self.newest = older,
            _ => self.entries[newer as usize].older = older,
        }
        match older {
            NONE => self.oldest = newer,
            _ => self.entries[older as usize].newer = newer,
        }
    }

    /// Puts an entry at the recent end of the order of use.
    fn link_use(&mut self, number: usize) {
        let older = std::mem::replace(&mut self.newest, number as u32);
        (self.entries[number].newer, self.entries[number].older) = (NONE, older);
        match older {
            NONE => self.oldest = number as u32,
            _ => self.entries[older as usize].newer = number as u32,
        }
    }
}

impl Policy for Stream {
    type Spec = StreamSpec;

    fn new(spec: &StreamSpec, _: u32) -> Stream {
        let entry =
            Entry { owner: 0, start: 0, end: 0, direction: 0, seen: 0, next: NONE, newer: NONE, older: NONE };
        let heads = if spec.by_warp { spec.entries.next_power_of_two() } else { 1 };
        Stream {
            entries: vec![entry; spec.entries as usize],
            used: 0,
            heads: vec![NONE; heads as usize],
            newest: NONE,
            oldest: NONE,
            distance: i64::from(spec.distance),
            degree: i64::from(spec.degree),
            window: i64::from(spec.window),
            training: spec.training,
            by_warp: spec.by_warp,
        }
    }

    /// Of an entry both ends of its region (numbers of lines), the direction, the reads of its
    /// training and whether it is taken, the warp, and its place in the order of use; a mark for each line.
    fn bits(&self, storage: &Storage) -> u64 {
        let (line, warp) = (storage.line_number_bits(), if self.by_warp { 16 } else { 0 });
        let order = u64::from((self.entries.len() as u64).next_power_of_two().ilog2());
        let training = u64::from((self.training + 1).next_power_of_two().ilog2());
        self.entries.len() as u64 * (2 * line + 2 + training + 1 + warp + order) + storage.lines
    }
}

impl PrefetchPolicy for Stream {
    fn observe(&mut self, read: &Visit, _: &mut CoreTables, mut wish: impl FnMut(Wish)) {
        let line = (read.line.0 / u64::from(read.line_bytes)) as i64;
        let owner = self.owner(read);
        let Some(number) = self.find(owner, line) else { return self.begin(owner, line) };
        self.unlink_use(number);
        self.link_use(number);
        if !self.is_trained(&self.entries[number]) && !self.train(number, line) {
            return;
        }
        let Entry { start, end, direction, .. } = &mut self.entries[number];
        for _ in 0..self.degree {
            let next = *end + *direction;
            // Nothing lies below the first line.
            if next < 0 {
                return;
            }
            *end = next;
            if (*end - *start).abs() > self.distance {
                *start += *direction;
            }
            wish(Wish::at(next as u64 * u64::from(read.line_bytes)));
        }
    }
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
