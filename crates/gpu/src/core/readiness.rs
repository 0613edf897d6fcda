//! What a warp waits for before its next instruction.

use super::scoreboard::PENDING;
use super::{Around, Cause, Core, Waiting};
use crate::statics::Statics;
use heddle_ptx::exec::timed::Standing;

impl Core {
    /// Determines the next instruction of a warp, and what it waits for.
    pub(super) fn look(&mut self, warp: usize, around: &mut Around<'_, '_>) {
        let slot = &self.warps[warp];
        let standing = around
            .execution
            .standing(&self.blocks[usize::from(slot.block)].resident, usize::from(slot.index));
        self.ready &= !(1u64 << warp);
        match standing {
            Standing::At(pc, _) => {
                self.warps[warp].pc = pc;
                self.evaluate(warp, around);
            }
            Standing::Ended => self.end_warp(warp, around),
            Standing::Barrier | Standing::Collective => {
                self.warps[warp].waiting = Waiting::Barrier;
                self.warps[warp].cause = Cause::Barrier;
            }
        }
    }

    /// Determines what a warp waits for before its next instruction.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, warp: usize, around: &mut Around<'_, '_>) {
        let bit = 1u64 << warp;
        self.ready &= !bit;
        let slot = &self.warps[warp];
        let next = match self.injection {
            None if slot.buffered > 0 => Some(slot.pc),
            None => None,
            Some(_) => self.next_operation(warp, around),
        };
        let Some(pc) = next else {
            self.warps[warp].waiting = Waiting::FetchTurn;
            self.front_end.ask(warp);
            self.wake_at(around.now + 1, around);
            return;
        };
        let known: &Statics = around.statics;
        let operation = &known.operations[pc as usize];
        let (mut ready_at, cause) = self.scoreboard.ready_at(warp, known.needed(operation));
        let late = known.late(operation);
        if !late.is_empty() && self.scoreboard.ready_at(warp, late).0 == PENDING {
            ready_at = PENDING;
        }
        let slot = &mut self.warps[warp];
        if ready_at == PENDING {
            slot.waiting = Waiting::Memory;
            return;
        }
        slot.ready_at = slot.ready_at.max(ready_at);
        if ready_at > around.now + 1 {
            slot.cause = cause;
        }
        if slot.ready_at > around.now + 1 {
            slot.waiting = Waiting::Cycle;
            let at = slot.ready_at;
            self.wake.schedule(warp, at);
            self.wake_at(at, around);
            return;
        }
        if !operation.waits.before.is_over(slot.under_way()) {
            slot.waiting = operation.waits.before.into();
            return;
        }
        slot.waiting = Waiting::Ready;
        let unit = operation.unit as usize;
        for (number, wants) in self.wants.iter_mut().enumerate() {
            *wants = if number == unit { *wants | bit } else { *wants & !bit };
        }
        self.ready |= bit;
        self.wake_at(around.now + 1, around);
    }
}
