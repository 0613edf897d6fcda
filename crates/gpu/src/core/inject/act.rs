//! The core acts: it observes for the mechanism, and issues what the mechanism asks for.

use super::plan::Role;
use super::{Injection, InjectionPlan, Purpose, Queued, TargetNumber};
use crate::core::{Around, Cause, Core};
use crate::flight::Flights;
use crate::operation_timing::Unit;
use crate::statics::Statics;
use heddle_ptx::exec::timed::{Execution, Standing};
use heddle_ptx::exec::{LaunchError, Mask};

impl Core {
    /// The number of a warp's next instruction, which a mechanism may have put in the place of the program's; none if
    /// that has to be fetched. What is injected comes from no instruction buffer.
    #[cold]
    pub(in crate::core) fn next_operation(&mut self, warp: usize, around: &Around<'_, '_>) -> Option<u32> {
        let pc = self.warps[warp].pc;
        let bit = 1u64 << warp;
        let injection = self.injection.as_mut()?;
        if let Some(queued) = injection.queues[warp].front() {
            return Some(queued.operation);
        }
        if self.warps[warp].buffered == 0 {
            return None;
        }
        let plan = around.statics.injection.as_ref()?;
        if !around.statics.operations[pc as usize].is_target {
            return Some(pc);
        }
        let lanes = match standing(around.execution, &self.blocks, &self.warps[warp]) {
            Standing::At(_, lanes) => lanes,
            _ => 0,
        };
        match plan.target(pc).filter(|&target| injection.mechanism.converts(warp, target, lanes)) {
            Some(target) => {
                if self.converting & bit == 0 {
                    self.converting |= bit;
                    injection.came_at[warp] = around.now;
                }
                Some(plan.targets[usize::from(target.0)].as_move)
            }
            None => {
                self.converting &= !bit;
                Some(pc)
            }
        }
    }

    /// The lanes with which a warp stands before its next instruction.
    pub(in crate::core) fn executing(&self, warp: usize, around: &Around<'_, '_>) -> Mask {
        match standing(around.execution, &self.blocks, &self.warps[warp]) {
            Standing::At(_, lanes) => lanes,
            _ => 0,
        }
    }

    /// Shows a mechanism an instruction of the program that was issued.
    #[cold]
    pub(in crate::core) fn observe(
        &mut self,
        warp: usize,
        pc: u32,
        lanes: Mask,
        around: &mut Around<'_, '_>,
    ) {
        let (Some(injection), Some(plan)) = (&mut self.injection, &around.statics.injection) else { return };
        let slot = &self.warps[warp];
        let resident = &mut self.blocks[usize::from(slot.block)].resident;
        for &(_, role) in plan.roles(pc) {
            match role {
                Role::Comparison(number, swapped) => {
                    let ty = plan.loops.tests[number].ty;
                    let mut operands = around.execution.compared(resident, usize::from(slot.index), pc, ty);
                    if swapped {
                        operands.swap(0, 1);
                    }
                    injection.mechanism.compared(warp, number, lanes, &operands);
                }
                Role::Entry(number) => {
                    injection.mechanism.entered(warp, number, lanes);
                    if let Some(operation) = plan.comparisons[number] {
                        let purpose = Purpose::Compare(number);
                        injection.queues[warp].push_back(Queued { operation, lanes, purpose });
                    }
                }
                Role::Target(target) => {
                    injection.prefetch(warp, target, lanes, plan);
                    if self.converting >> warp & 1 == 0 {
                        self.injected.executed_loads += 1;
                    }
                }
            }
        }
        if !injection.queues[warp].is_empty() {
            self.injecting |= 1 << warp;
        }
    }

    /// Issues what stands in place of a warp's next instruction.
    #[cold]
    pub(in crate::core) fn issue_other(
        &mut self,
        warp: usize,
        around: &mut Around<'_, '_>,
    ) -> Result<(), LaunchError> {
        match self.injecting >> warp & 1 {
            1 => self.issue_injected(warp, around),
            _ => self.issue_move(warp, around),
        }
        Ok(())
    }

    /// Issues an injected instruction.
    fn issue_injected(&mut self, warp: usize, around: &mut Around<'_, '_>) {
        let (Some(injection), Some(plan)) = (&mut self.injection, &around.statics.injection) else { return };
        let Some(queued) = injection.queues[warp].pop_front() else { return };
        let Queued { operation, lanes, purpose } = queued;
        if injection.queues[warp].is_empty() {
            self.injecting &= !(1 << warp);
        }
        let known: &Statics = around.statics;
        let statics = &known.operations[operation as usize];
        let slot = &mut self.warps[warp];
        slot.cause = Cause::ResultPending;
        let (resident, index) = (&mut self.blocks[usize::from(slot.block)].resident, usize::from(slot.index));
        let is_access = statics.unit == Unit::Memory;
        let flight = if is_access { around.flights.take() } else { 0 };
        let Flights { accesses, .. } = &mut *around.flights;
        let pending = if is_access { &mut accesses[flight].pending } else { &mut self.load_store.unused };
        let place = plan.place_of(operation);
        let lanes = around.execution.inject(resident, index, place, lanes, pending);
        injection.counts[place].warps += 1;
        injection.counts[place].lanes += u64::from(lanes.count_ones());
        self.injected.instructions += 1;
        self.injected.lanes += u64::from(lanes.count_ones());
        self.stalls.injected.injected += 1;
        match purpose {
            Purpose::Address => {}
            Purpose::Compare(number) => {
                let test = plan.loops.tests[number];
                let pc = test.instruction as u32;
                let mut operands = around.execution.compared(resident, index, pc, test.ty);
                if test.swapped {
                    operands.swap(0, 1);
                }
                injection.mechanism.compared(warp, number, lanes, &operands);
            }
            Purpose::Prefetch(target) => {
                injection.mechanism.issued(warp, target, lanes);
                let place = warp * injection.targets + usize::from(target.0);
                for lane in (0..32).filter(|lane| lanes >> lane & 1 == 1) {
                    injection.addresses[place][lane] = pending.access.addresses[lane];
                }
                self.injected.prefetches += 1;
                self.injected.prefetched_lanes += u64::from(lanes.count_ones());
            }
        }
        match is_access && lanes != 0 {
            true => self.enqueue(warp, flight, operation, statics, around),
            false => {
                if is_access {
                    around.flights.accesses.release(flight);
                }
                self.execute(warp, statics, around);
            }
        }
        self.evaluate(warp, around);
    }

    /// Issues a load that has become a move.
    fn issue_move(&mut self, warp: usize, around: &mut Around<'_, '_>) {
        let (Some(injection), Some(plan)) = (&mut self.injection, &around.statics.injection) else { return };
        let slot = &mut self.warps[warp];
        let pc = slot.pc;
        let Some(target) = plan.target(pc) else { return };
        let planned = &plan.targets[usize::from(target.0)];
        slot.buffered -= 1;
        slot.cause = Cause::ResultPending;
        let (resident, index) = (&mut self.blocks[usize::from(slot.block)].resident, usize::from(slot.index));
        if around.flip_prefetched == Some(self.injected.converted_loads) {
            around.execution.flip_spare(resident, index, planned.spare, Mask::MAX);
        }
        let addresses = &injection.addresses[warp * injection.targets + usize::from(target.0)];
        let (step, lanes) = around.execution.convert(resident, index, &[Some(planned.spare)], addresses);
        self.injected.converted_loads += 1;
        self.injected.converted_lanes += u64::from(lanes.count_ones());
        let (number, came_at) = (planned.as_move, injection.came_at[warp]);
        let known: &Statics = around.statics;
        let statics = &known.operations[number as usize];
        let result_at = self.execute(warp, statics, around);
        around.loads.converted(pc, result_at - came_at);
        self.observe(warp, pc, lanes, around);
        self.converting &= !(1 << warp);
        self.after_other(warp, statics, step, result_at, around);
    }
}

impl Injection {
    /// A load was issued: its prefetch follows for lanes that the mechanism chooses.
    fn prefetch(&mut self, warp: usize, target: TargetNumber, lanes: Mask, plan: &InjectionPlan) {
        let lanes = self.mechanism.loaded(warp, target, lanes);
        if lanes != 0 {
            let sequence = &plan.targets[usize::from(target.0)].sequence;
            let queued = sequence.iter().map(|&(operation, purpose)| Queued { operation, lanes, purpose });
            self.queues[warp].extend(queued);
        }
    }
}

/// Where a warp stands.
fn standing(
    execution: &Execution<'_>,
    blocks: &[crate::core::BlockSlot],
    slot: &crate::core::WarpSlot,
) -> Standing {
    execution.standing(&blocks[usize::from(slot.block)].resident, usize::from(slot.index))
}
