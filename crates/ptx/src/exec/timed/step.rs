//! One instruction of a warp.

use super::{Execution, PendingAccess, ResidentBlock};
use crate::exec::access::Fault;
use crate::exec::lanes::{Mask, TRUE};
use crate::exec::place::fault_error;
use crate::exec::warp::{Entry, Event, FaultAt, Run, State, Stop, Warp};
use crate::exec::{Kind, LaunchError};

/// Backward branches after which it is looked whether a group repeats itself.
const BACKWARD: u32 = 64;

/// What an instruction was, for the machine that times it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It was executed; the next instruction follows it.
    Next,
    /// It was executed; the next instruction is another than the one behind it, or lanes changed.
    Jumped,
    /// It formed an access, which is in the pending access given.
    Access,
    /// It concerned other warps of the block: some of those that waited may go on now.
    Barrier,
    /// Lanes ended; warps that waited at a barrier may go on now.
    Ended,
}

impl Execution<'_> {
    /// Executes the next instruction of a warp, which must stand before one; for how many lanes, and what it
    /// was.
    #[inline(always)]
    pub fn step(
        &mut self,
        resident: &mut ResidentBlock,
        warp: usize,
        pending: &mut PendingAccess,
    ) -> Result<(Step, Mask), LaunchError> {
        let number = warp;
        let warp = &mut resident.block.warps[number];
        let Some(index) = warp.runnable() else { return Ok((Step::Next, 0)) };
        warp.executed += 1;
        self.engine.executed += 1;
        let code = self.engine.code;
        let group = &mut warp.groups[index];
        let Some(&Entry { pc, mask, depth, .. }) = group.stack.last() else { return Ok((Step::Next, 0)) };
        let frame = group.frames[depth as usize];
        let operation = &code.operations[pc as usize];
        let mut lanes = warp.lanes(frame, &code.constants);
        let mut active = mask;
        if operation.guard != TRUE {
            let negate = if operation.guard_negated { Mask::MAX } else { 0 };
            active &= lanes.predicate(operation.guard) ^ negate;
        }
        let count = &mut self.engine.counts[pc as usize];
        count.warps += 1;
        count.lanes += u64::from(active.count_ones());
        let step = match operation.kind {
            Kind::Alu(handler) if active != 0 => {
                handler(&mut lanes, operation, active);
                Step::Next
            }
            Kind::Access(access) if active != 0 => {
                pending.pc = pc;
                let formed = self.form(resident, number, frame, access, active, pending);
                formed.map_err(|fault| self.error(resident, number, pc, fault))?;
                let group = &mut resident.block.warps[number].groups[index];
                if let State::Spinning(_) = group.state
                    && pending.touched.global != 0
                {
                    // What it reads again and again, for whoever asks why it is stuck.
                    let lane = pending.touched.global.trailing_zeros() as usize;
                    group.polled = pending.access.addresses.get(lane).copied();
                }
                Step::Access
            }
            Kind::Branch(target) if active != 0 => {
                let result = self.branch(resident, number, index, (pc, mask, active), target);
                result.map_err(|fault| self.error(resident, number, pc, fault))?;
                return Ok((Step::Jumped, active));
            }
            Kind::Fence | Kind::Nothing => Step::Next,
            _ if active != 0 => {
                let result = self.special(resident, number, index, Event::Special(active));
                let step = result.map_err(|fault| self.error(resident, number, pc, fault))?;
                return Ok((step, active));
            }
            _ => Step::Next,
        };
        let jumped = self.go_on(resident, number, index);
        Ok((if jumped && step == Step::Next { Step::Jumped } else { step }, active))
    }

    /// Goes to the instruction behind the one that was executed; whether the group comes to another, or lanes changed.
    #[inline(always)]
    pub(super) fn go_on(&self, resident: &mut ResidentBlock, number: usize, index: usize) -> bool {
        let warp = &mut resident.block.warps[number];
        let group = &mut warp.groups[index];
        group.advance();
        let jumped = group.settle();
        if jumped && warp.groups.len() > 1 {
            warp.regroup(self.engine.code);
        }
        jumped
    }

    /// A branch that at least some lanes take.
    fn branch(
        &mut self,
        resident: &mut ResidentBlock,
        number: usize,
        index: usize,
        (pc, mask, active): (u32, Mask, Mask),
        target: u32,
    ) -> Result<(), Box<Fault>> {
        let code = self.engine.code;
        let warp = &mut resident.block.warps[number];
        let group = &mut warp.groups[index];
        if active == mask {
            if let Some(top) = group.stack.last_mut() {
                top.pc = target;
            }
        } else {
            self.engine.counts[pc as usize].divergent += 1;
            group.diverge(active, target, code.operations[pc as usize].extra);
        }
        if target <= pc {
            group.backward += 1;
            if group.backward >= BACKWARD {
                group.backward = 0;
                self.special(resident, number, index, Event::Backward)?;
                return Ok(());
            }
        }
        let warp = &mut resident.block.warps[number];
        let popped = warp.groups[index].settle();
        if warp.groups.len() > 1 {
            if popped {
                warp.regroup(code);
            }
            // Groups that diverged for good take turns, so that each makes progress.
            warp.next = index + 1;
        }
        Ok(())
    }

    /// Anything that concerns the stack, other lanes, other warps or the clock.
    #[cold]
    #[inline(never)]
    fn special(
        &mut self,
        resident: &mut ResidentBlock,
        number: usize,
        index: usize,
        event: Event,
    ) -> Result<Step, Box<Fault>> {
        let block = &mut resident.block;
        let warp = &mut block.warps[number];
        let mut group = std::mem::take(&mut warp.groups[index]);
        let mut run = Run::new(&mut self.engine, &mut block.shared, warp);
        let acted = run.act(&mut group, index, event);
        let has_lanes = group.lanes() != 0;
        match acted {
            Err(fault) => {
                run.warp.groups[index] = group;
                return Err(fault);
            }
            Ok(_) if !has_lanes => {
                run.warp.groups.remove(index);
                run.warp.retire(group);
                run.warp.regroup(run.engine.code);
            }
            Ok(stop) => {
                let popped = stop.is_none() && group.settle();
                run.warp.groups[index] = group;
                match stop {
                    Some(Stop::Barrier(barrier)) => {
                        run.after(Stop::Barrier(barrier), index);
                        block.arrive(&mut self.engine, number, index, barrier)?;
                        settle(&mut block.warps);
                        return Ok(Step::Barrier);
                    }
                    Some(stop) => run.after(stop, index),
                    None if popped => run.warp.regroup(run.engine.code),
                    None => {}
                }
            }
        }
        let warp = &mut block.warps[number];
        if warp.groups.len() > 1 {
            warp.next = index + 1;
            settle(std::slice::from_mut(warp));
        }
        if block.note_ended(&mut self.engine, number) {
            settle(&mut block.warps);
            return Ok(Step::Ended);
        }
        Ok(Step::Jumped)
    }

    #[cold]
    pub(super) fn error(
        &self,
        resident: &ResidentBlock,
        warp: usize,
        pc: u32,
        fault: Box<Fault>,
    ) -> LaunchError {
        fault_error(&self.engine, &resident.block, warp, FaultAt { pc, fault })
    }
}

/// Puts the stacks of groups in order that went on from where they waited.
fn settle(warps: &mut [Warp]) {
    for group in warps.iter_mut().flat_map(|warp| &mut warp.groups) {
        if group.is_ready() {
            group.settle();
        }
    }
}
