//! Fetch and decode: warps with an empty instruction buffer take turns at the instruction cache.

use super::{Around, Cause, Core, Waiting};
use crate::flight::fetch_token;
use heddle_memory::fabric::Offer;
use heddle_memory::request::{Access, LineAddress, Ordering, Path, Request, Scope};
use heddle_memory::{Pc, RegionId, WarpId};

/// The front end of a core.
#[derive(Clone, Debug, Default)]
pub(super) struct FrontEnd {
    /// Warps that wait for their turn.
    asking: u64,
    last: u32,
    /// Whether the instruction cache refused a request and has not said that it can take one.
    refused: bool,
}

impl FrontEnd {
    #[inline(always)]
    pub(super) fn ask(&mut self, warp: usize) {
        self.asking |= 1 << warp;
    }

    #[inline(always)]
    pub(super) fn wants_turn(&self) -> bool {
        self.asking != 0 && !self.refused
    }

    #[inline(always)]
    fn forget(&mut self, warp: usize) {
        self.asking &= !(1 << warp);
    }

    /// The warp whose turn it is.
    fn turn(&mut self) -> usize {
        let after = self.asking & u64::MAX.checked_shl(self.last + 1).unwrap_or(0);
        let warp = (if after != 0 { after } else { self.asking }).trailing_zeros();
        self.last = warp;
        warp as usize
    }
}

impl Core {
    /// Fetches for as many warps as the front end can in a cycle.
    pub(super) fn fetch_cycle(&mut self, around: &mut Around<'_, '_>) {
        for _ in 0..around.spec.core.fetch_width {
            if !self.front_end.wants_turn() {
                return;
            }
            let warp = self.front_end.turn();
            // A warp that may not fetch yet lets others have its turn.
            if self.warps[warp].ready_at > around.now {
                let at = self.warps[warp].ready_at;
                self.front_end.forget(warp);
                self.warps[warp].waiting = Waiting::Cycle;
                self.wake.schedule(warp, at);
                continue;
            }
            self.fetch(warp, around);
        }
    }

    fn fetch(&mut self, warp: usize, around: &mut Around<'_, '_>) {
        let pc = self.warps[warp].astray.unwrap_or(self.warps[warp].pc);
        let address = around.code_base + u64::from(pc) * u64::from(around.spec.core.instruction_bytes);
        let line_bytes = self.caches.of(Path::Instruction).line;
        let line = LineAddress(address & !(line_bytes - 1));
        self.counters.fetches += 1;
        let request = Request {
            line,
            words: u32::MAX >> (32 - (line_bytes / 4).min(32)),
            access: Access::Read,
            path: Path::Instruction,
            core: self.number,
            region: RegionId::UNKNOWN,
            pc: Pc(pc),
            warp: WarpId(warp as u16),
            scope: Scope::None,
            ordering: Ordering::Relaxed,
            token: fetch_token(self.number, WarpId(warp as u16)),
            policy_bits: 0,
            lanes: 1,
            passes: false,
        };
        match around.fabric.offer(around.tick, request) {
            Offer::Hit { latency } => {
                self.front_end.forget(warp);
                self.warps[warp].waiting = Waiting::Fetch;
                // The first cycle of the cache is the one of the fetch.
                let cycles = around.spec.core.decode_cycles.max(1) + latency.saturating_sub(1);
                self.wake.schedule(warp, around.now + u64::from(cycles));
            }
            Offer::Accepted => {
                self.counters.fetch_misses += 1;
                self.front_end.forget(warp);
                self.warps[warp].waiting = Waiting::Fetch;
            }
            Offer::Refused(_) => {
                self.counters.fetch_misses += 1;
                self.front_end.refused = true;
            }
        }
    }

    /// The instruction cache can take a request again.
    pub(super) fn fetch_ready(&mut self, around: &mut Around<'_, '_>) {
        self.front_end.refused = false;
        self.wake_at(around.now, around);
    }

    /// A line of instructions has arrived for a warp; decoding follows.
    pub(super) fn fetch_replied(&mut self, warp: usize, around: &mut Around<'_, '_>) {
        if self.warps[warp].waiting == Waiting::Fetch {
            let at = around.now + u64::from(around.spec.core.decode_cycles.max(1));
            self.wake.catch_up(around.now);
            self.wake.schedule(warp, at);
            self.wake_at(at, around);
        }
    }

    /// A warp has issued an instruction behind which it may not continue, and fetch does not know.
    #[inline(always)]
    pub(super) fn jumped(&mut self, warp: usize, around: &mut Around<'_, '_>) {
        let behind = self.warps[warp].pc + 1;
        let buffered = std::mem::take(&mut self.warps[warp].buffered);
        self.look(warp, around);
        let slot = &mut self.warps[warp];
        if slot.waiting != Waiting::FetchTurn {
            return;
        }
        if slot.pc == behind {
            slot.buffered = buffered;
            if buffered > 0 {
                self.front_end.forget(warp);
                self.evaluate(warp, around);
            }
        } else if buffered == 0 {
            slot.astray = Some(behind);
        } else {
            // The issue stage throws the buffer away when it comes to the warp again.
            slot.waiting = Waiting::Cycle;
            self.front_end.forget(warp);
            self.wake.schedule(warp, around.now + 1);
            self.wake_at(around.now + 1, around);
        }
    }

    /// A warp's instructions are decoded.
    pub(super) fn fetched(&mut self, warp: usize, around: &mut Around<'_, '_>) {
        if self.warps[warp].astray.take().is_some() {
            // The issue stage finds instructions of a path that the warp does not take.
            self.evaluate(warp, around);
            return;
        }
        let pc = self.warps[warp].pc;
        // A fetch brings what lies in one line.
        let per_line =
            (self.caches.of(Path::Instruction).line / u64::from(around.spec.core.instruction_bytes)).max(1);
        let base = around.code_base / u64::from(around.spec.core.instruction_bytes);
        let left = match around.spec.core.fetch_crosses_lines {
            true => u64::MAX,
            false => per_line - (base + u64::from(pc)) % per_line,
        };
        let slot = &mut self.warps[warp];
        slot.buffered = u64::from(around.spec.core.fetch_instructions).min(left).max(1) as u8;
        slot.cause = Cause::Fetch;
        self.evaluate(warp, around);
    }
}
