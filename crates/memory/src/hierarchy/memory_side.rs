//! Between slices and DRAM channels.
//!
//! A fetch or a write of a slice is a job: one DRAM transaction for each atom that it touches (or for each sector:
//! see [`FetchUnit`](super::FetchUnit)). Jobs of a slice go to the channels in order ([`super::channel_side`]). A
//! fetch fills its slice when its last atom has come. The slice takes fills at once, so that the channel's return
//! queue never fills up.

use super::Hierarchy;
use super::events::Event;
use super::transaction::{Linked, NONE};
use crate::cache::{Evicted, Fetch};
use crate::dram::{Completion, Place};
use crate::order;
use crate::request::{Level, LineAddress, Sectors};
use heddle_engine::{Cycle, Tick};

/// Atoms of a line at most; a DRAM transaction is named by its job and its atom.
pub(super) const ATOMS: u32 = 32;

/// A fetch or a write of a slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    /// The line.
    pub(super) line: LineAddress,
    /// Where its first atom lies.
    pub(super) place: Place,
    sectors: Sectors,
    pub(super) slice: u16,
    pub(super) write: bool,
    /// Atoms that have not been sent yet.
    pub(super) to_send: u32,
    /// Atoms that are not done yet.
    pub(super) pending: u32,
    /// Whether its number is free.
    pub(super) over: bool,
    /// When the last that is done is done.
    done_at: u64,
    next: u32,
    /// When it came to the queue of its slice, and the first cycle of DRAM in which it can leave it.
    since: u64,
    pub(super) from: Cycle,
    /// Its number among all jobs.
    pub(super) sequence: u64,
}

impl Linked for Job {
    #[inline(always)]
    fn next(&mut self) -> &mut u32 {
        &mut self.next
    }
}

impl Hierarchy {
    /// A slice reads sectors of a line.
    #[inline(always)]
    pub(super) fn fetch_from_dram(&mut self, now: Tick, which: u16, fetch: &Fetch) {
        self.traffic.l2_dram_address_flits += u64::from(self.flits[0]);
        self.start_job(now, which, fetch.line, fetch.sectors, false);
    }

    /// A slice writes sectors of a line.
    #[inline(always)]
    pub(super) fn write_to_dram(&mut self, now: Tick, which: u16, line: LineAddress, sectors: Sectors) {
        self.start_job(now, which, line, sectors, true);
    }

    #[inline]
    fn start_job(&mut self, now: Tick, which: u16, line: LineAddress, sectors: Sectors, write: bool) {
        self.traffic.l2_dram_data_flits += u64::from(self.sector_flits[sectors.count() as usize]);
        let atoms = self.bursts[usize::from(write)].of(sectors.0);
        let number = self.jobs.insert(Job {
            line,
            place: self.map.place(line.0),
            sectors,
            slice: which,
            write,
            to_send: atoms,
            pending: atoms.count_ones(),
            over: false,
            done_at: 0,
            next: NONE,
            since: now.0,
            from: self.clocks.dram.at_or_after(now),
            sequence: self.jobs_started,
        });
        self.jobs_started += 1;
        self.highest_job = self.highest_job.max(number);
        self.slices[usize::from(which)].to_dram.push(number, &mut self.jobs);
        self.job_came(which, number);
    }

    /// Requests of a channel are done, or will be.
    pub(super) fn complete_all(&mut self, channel: u16) {
        let mut completions = std::mem::take(&mut self.completions);
        for completion in &completions {
            self.complete(channel, completion);
        }
        completions.clear();
        self.completions = completions;
    }

    /// An atom is done, or will be.
    #[inline(always)]
    pub(super) fn complete(&mut self, channel: u16, completion: &Completion) {
        if let Some(capture) = &mut self.capture {
            capture.done(completion);
        }
        let number = completion.id / ATOMS;
        let job = &mut self.jobs[number];
        job.done_at = job.done_at.max(completion.at.0);
        job.pending -= 1;
        if job.pending > 0 {
            return;
        }
        if job.write {
            // Nobody waits for a write.
            job.over = true;
            self.jobs.release(number);
            return;
        }
        let (slice, line) = (job.slice, job.line);
        let at = self.clocks.l2.edge(self.clocks.dram.start_of(Cycle(job.done_at)));
        self.slices[usize::from(slice)].cache.fetch_ahead(line);
        let side = &mut self.channels[usize::from(channel)];
        side.fetches = side.fetches.wrapping_add(1);
        self.wheel.schedule(at, order::fill(slice, channel, side.fetches), Event::Filled(number));
    }

    /// All data of a fetch has come to its slice.
    #[inline]
    pub(super) fn fill_slice(&mut self, now: Tick, number: u32) {
        let Job { line, sectors, slice: which, since, .. } = self.jobs[number];
        self.jobs[number].over = true;
        self.jobs.release(number);
        self.latency.dram_fetches += 1;
        self.latency.dram_fetch_ticks += now.0.saturating_sub(since);
        let slice = &mut self.slices[usize::from(which)];
        slice.cache.fill(line, sectors, Level::Dram, 0, &mut self.effects);
        let policy_bits = slice.cache.reply_bits();
        let mut released = std::mem::take(&mut self.effects.released);
        for token in &released {
            self.transactions[token.0].request.policy_bits = policy_bits;
            self.serve(now, token.0, Level::Dram);
        }
        released.clear();
        self.effects.released = released;
        if !self.effects.is_empty() {
            self.carry_out_below(now, which);
        }
        self.wake_after_fill(now, which, line);
    }

    /// Carries out what an access or a fill of a slice's cache has caused besides its answer.
    #[cold]
    pub(super) fn carry_out_below(&mut self, now: Tick, which: u16) {
        self.write_back(now, which);
        let mut wishes = std::mem::take(&mut self.effects.prefetches);
        for wish in &wishes {
            // A prefetcher follows addresses, whichever slice they lead to.
            let which = self.addresses.slice_of(wish.line);
            if self.dram_queue_is_full(now, which) {
                self.queueing.prefetches_dropped += 1;
                continue;
            }
            let slice = &mut self.slices[usize::from(which)];
            let fetch = slice.cache.prefetch(wish, &mut self.effects);
            self.write_back(now, which);
            if let Some(fetch) = fetch {
                self.fetch_from_dram(now, which, &fetch);
            }
        }
        wishes.clear();
        self.effects.prefetches = wishes;
    }

    /// Writes the dirty victims of a slice's cache.
    fn write_back(&mut self, now: Tick, which: u16) {
        let mut lines = std::mem::take(&mut self.effects.writebacks);
        for &Evicted { line, dirty, .. } in &lines {
            self.write_to_dram(now, which, line, dirty);
        }
        lines.clear();
        self.effects.writebacks = lines;
    }
}
