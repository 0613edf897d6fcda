//! Blocks on a core: where they start and end.

use super::{Around, Cause, Core, Waiting, WarpSlot};
use heddle_ptx::exec::timed::ResidentBlock;

/// A place for a block.
#[derive(Debug, Default)]
pub(crate) struct BlockSlot {
    pub(crate) resident: ResidentBlock,
    /// Warps that have not retired.
    pub(crate) warps: u32,
    /// When it started.
    pub(crate) started_at: u64,
}

impl Core {
    /// A free place for a block whose warps find room.
    pub(crate) fn free_slot(&self) -> Option<usize> {
        self.blocks.iter().position(|slot| slot.warps == 0)
    }

    /// Starts a block of the grid.
    pub(crate) fn start_block(&mut self, slot: usize, number: u64, around: &mut Around<'_, '_>) {
        let now = around.now;
        let block = &mut self.blocks[slot];
        around.execution.start_block(&mut block.resident, number, self.number.0.into());
        let count = block.resident.warps();
        block.warps = count as u32;
        block.started_at = now;
        self.counters.blocks += 1;
        self.counters.warps += count as u64;
        if self.resident == 0 {
            self.resident_since = now;
        }
        self.wake.catch_up(now);
        let mut index = 0;
        for warp in 0..self.warps.len() {
            if index == count {
                break;
            }
            if self.warps[warp].waiting != Waiting::Nobody {
                continue;
            }
            let scheduler = self.dealt.iter().position(|own| own >> warp & 1 == 1).unwrap_or_default();
            if self.resident & self.dealt[scheduler] == 0 {
                self.stalls.close(scheduler, now, Cause::NoWarp);
            }
            self.warps[warp] = WarpSlot {
                block: slot as u8,
                index: index as u16,
                cause: Cause::Fetch,
                started_at: now,
                ready_at: now,
                ..WarpSlot::default()
            };
            self.scoreboard.clear(warp);
            if let Some(injection) = &mut self.injection {
                injection.began(warp);
            }
            self.ages[warp] = self.next_age;
            self.next_age += 1;
            self.resident |= 1 << warp;
            index += 1;
            self.look(warp, around);
        }
        debug_assert_eq!(index, count, "the block's warps found room");
        self.wake_at(now, around);
    }

    /// A warp has executed its last instruction: it retires when its accesses are done.
    pub(super) fn end_warp(&mut self, warp: usize, around: &mut Around<'_, '_>) {
        let (now, drained_at) = (around.now, self.warps[warp].drained_at);
        if self.warps[warp].outstanding > 0 || drained_at > now {
            self.warps[warp].waiting = Waiting::Drain;
            if self.warps[warp].outstanding == 0 {
                self.wake.schedule(warp, drained_at);
                self.wake_at(drained_at, around);
            }
            return;
        }
        let bit = 1u64 << warp;
        self.ready &= !bit;
        let slot = &mut self.warps[warp];
        slot.waiting = Waiting::Nobody;
        self.counters.resident_warp_cycles += now - slot.started_at;
        let block = usize::from(slot.block);
        self.resident &= !bit;
        self.blocks[block].warps -= 1;
        if self.blocks[block].warps == 0 {
            around.left.push((self.number.index(), block));
        }
        let scheduler = self.dealt.iter().position(|own| own & bit != 0).unwrap_or_default();
        if self.resident & self.dealt[scheduler] == 0 {
            self.stalls.close(scheduler, now, Cause::Drain);
        }
        if self.resident == 0 {
            self.counters.active_cycles += now - self.resident_since;
        }
    }

    /// How many warps are resident.
    pub(crate) fn resident_count(&self) -> u64 {
        u64::from(self.resident.count_ones())
    }
}
