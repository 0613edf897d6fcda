//! The core acts: it observes for the mechanism, and issues what the mechanism asks for.

use super::plan::Role;
use super::prefetcher::Wanted;
use super::{Injection, InjectionPlan, Purpose, Queued, SequenceStep, TargetNumber};
use crate::core::{Around, Cause, Core};
use crate::flight::Flights;
use crate::operation_timing::Unit;
use crate::statics::Statics;
use heddle_ptx::exec::timed::{Execution, Standing};
use heddle_ptx::exec::{LaunchError, Mask};

/// An instruction of the program that was issued.
#[derive(Clone, Copy)]
pub(in crate::core) struct Observed {
    pub(in crate::core) pc: u32,
    /// The lanes that stood before it, and those of them whose guard was true.
    pub(in crate::core) lanes: Mask,
    pub(in crate::core) active: Mask,
}

impl Core {
    /// The number of a warp's next instruction, which a mechanism may have put in the place of the program's; none if
    /// that has to be fetched. What is injected comes from no instruction buffer.
    #[cold]
    pub(in crate::core) fn next_operation(&mut self, warp: usize, around: &Around<'_, '_>) -> Option<u32> {
        let pc = self.warps[warp].pc;
        let bit = 1u64 << warp;
        let injection = self.injection.as_mut()?;
        if let Some(queued) = injection.queues[warp].front() {
            if queued.step.needs.is_some() && injection.came & bit == 0 {
                injection.came |= bit;
                injection.came_at[warp] = around.now;
            }
            return Some(queued.step.operation);
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
        match injection.converts(warp, pc, lanes, plan) {
            Some((target, register)) => {
                if self.converting & bit == 0 {
                    self.converting |= bit;
                    injection.came_at[warp] = around.now;
                }
                Some(plan.targets[usize::from(target.0)].moves[usize::from(register)])
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
    pub(in crate::core) fn observe(&mut self, warp: usize, seen: Observed, around: &mut Around<'_, '_>) {
        let known: &Statics = around.statics;
        let (Some(injection), Some(plan)) = (&mut self.injection, &known.injection) else { return };
        if self.watched >> warp & 1 == 1
            && let Some(training) = &mut injection.training
        {
            training.issued(seen.pc as usize, around.execution.kernel().1);
            self.watched = injection.watched();
        }
        for &(_, role) in plan.roles(seen.pc) {
            match role {
                Role::Comparison(number, swapped) => self.compared(warp, number, seen, swapped, around),
                Role::Left(number) => {
                    self.knowing(number, |own| own.prefetcher.left(warp, number, seen.lanes))
                }
                Role::Step(number, taken) => {
                    let going_on = if taken { seen.active } else { seen.lanes & !seen.active };
                    self.knowing(number, |own| own.prefetcher.stepped(warp, number, going_on));
                }
                Role::Entry(number) => self.entered(warp, number, seen.lanes, plan),
                Role::Target(target) => self.loaded(warp, target, seen, around),
                Role::Backward(start) => self.branched(warp, start, seen, around),
            }
        }
        if self.injection.as_ref().is_some_and(|own| !own.queues[warp].is_empty()) {
            self.injecting |= 1 << warp;
        }
    }

    /// Tells the mechanism something of a loop that it knows.
    fn knowing(&mut self, number: usize, tell: impl FnOnce(&mut Injection)) {
        if let Some(injection) = self.injection.as_mut().filter(|injection| injection.knows(number)) {
            tell(injection);
        }
    }

    /// Lanes compare the index of a loop with its bound.
    fn compared(
        &mut self,
        warp: usize,
        number: usize,
        seen: Observed,
        swapped: bool,
        around: &mut Around<'_, '_>,
    ) {
        let Some(plan) = &around.statics.injection else { return };
        let slot = &self.warps[warp];
        let resident = &mut self.blocks[usize::from(slot.block)].resident;
        let ty = plan.loops[number].test.ty;
        let mut operands = around.execution.compared(resident, usize::from(slot.index), seen.pc, ty);
        if swapped {
            operands.swap(0, 1);
        }
        self.knowing(number, |own| own.prefetcher.compared(warp, number, seen.lanes, &operands));
    }

    /// Lanes enter a loop of the compiler's.
    fn entered(&mut self, warp: usize, number: usize, lanes: Mask, plan: &InjectionPlan) {
        self.knowing(number, |own| {
            own.prefetcher.outside(warp, number, lanes);
            if let Some(operation) = plan.comparisons[number] {
                let step = SequenceStep { operation, purpose: Purpose::Compare(number), needs: None };
                own.queues[warp].push_back(Queued { step, lanes });
            }
        });
    }

    /// A load that can be prefetched was issued, as itself or as a move: its prefetch follows for lanes that the
    /// mechanism chooses.
    fn loaded(&mut self, warp: usize, target: TargetNumber, seen: Observed, around: &mut Around<'_, '_>) {
        let (Some(injection), Some(plan)) = (&mut self.injection, &around.statics.injection) else { return };
        let planned = &plan.targets[usize::from(target.0)];
        if !injection.knows(plan.facts[usize::from(target.0)].in_loop) {
            return;
        }
        if self.converting >> warp & 1 == 0 {
            self.injected.executed_loads += 1;
            if injection.prefetcher.is_in_cache(warp, target, seen.lanes)
                && let Some(flight) = self.load_store.last()
            {
                around.flights.accesses[flight].operation = planned.as_cached;
            }
        }
        let slot = &self.warps[warp];
        let resident = &self.blocks[usize::from(slot.block)].resident;
        let within = || around.execution.lanes_within(resident, usize::from(slot.index), planned.window);
        let wanted = injection.prefetcher.loaded(warp, target, seen.lanes, within);
        let Some(Wanted { lanes, distance, register, begins }) = wanted else { return };
        if begins {
            self.distances.count(distance);
        }
        if lanes != 0 {
            let steps = planned.sequence(distance, register);
            injection.queues[warp].extend(steps.iter().map(|&step| Queued { step, lanes }));
        }
    }

    /// A warp has issued a backward branch.
    fn branched(&mut self, warp: usize, start: u32, seen: Observed, around: &mut Around<'_, '_>) {
        let Some(injection) = &mut self.injection else { return };
        let Some(training) = &mut injection.training else { return };
        let range = (start as usize, seen.pc as usize);
        let kernel = around.execution.kernel().1;
        injection.found = training.branched(warp, range, seen.active != 0, kernel);
        self.watched = injection.watched();
        *around.found |= injection.found.is_some();
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
        let Queued { step: SequenceStep { operation, purpose, needs }, lanes } = queued;
        if injection.queues[warp].is_empty() {
            self.injecting &= !(1 << warp);
        }
        if let Some(load) = needs {
            around.loads.waited(load, around.now - injection.came_at[warp]);
            injection.came &= !(1 << warp);
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
                let test = plan.loops[number].test;
                let pc = test.instruction as u32;
                let mut operands = around.execution.compared(resident, index, pc, test.ty);
                if test.swapped {
                    operands.swap(0, 1);
                }
                injection.prefetcher.compared(warp, number, lanes, &operands);
            }
            Purpose::Prefetch(target, register) => {
                injection.prefetcher.issued(warp, target, lanes);
                let place = injection.place(warp, target, register);
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
        let lanes = self.executing(warp, around);
        let (Some(injection), Some(plan)) = (&mut self.injection, &around.statics.injection) else { return };
        let slot = &mut self.warps[warp];
        let pc = slot.pc;
        let Some((target, register)) = injection.converts(warp, pc, lanes, plan) else { return };
        let planned = &plan.targets[usize::from(target.0)];
        let spare = planned.spare[usize::from(register)];
        slot.buffered -= 1;
        slot.cause = Cause::ResultPending;
        let (resident, index) = (&mut self.blocks[usize::from(slot.block)].resident, usize::from(slot.index));
        if around.flip_prefetched == Some(self.injected.converted_loads) {
            around.execution.flip_spare(resident, index, spare, Mask::MAX);
        }
        let addresses = &injection.addresses[injection.place(warp, target, register)];
        let (step, lanes) = around.execution.convert(resident, index, spare, addresses);
        self.injected.converted_loads += 1;
        self.injected.converted_lanes += u64::from(lanes.count_ones());
        let (number, came_at) = (planned.moves[usize::from(register)], injection.came_at[warp]);
        let known: &Statics = around.statics;
        let statics = &known.operations[number as usize];
        let result_at = self.execute(warp, statics, around);
        around.loads.converted(pc, result_at - came_at);
        self.observe(warp, Observed { pc, lanes, active: lanes }, around);
        self.converting &= !(1 << warp);
        self.after_other(warp, statics, step, result_at, around);
    }
}

impl Injection {
    /// The target that a load is, and the spare register that it is to become a move from, if it is.
    fn converts(
        &self,
        warp: usize,
        pc: u32,
        lanes: Mask,
        plan: &InjectionPlan,
    ) -> Option<(TargetNumber, u8)> {
        plan.targets(pc).find_map(|target| {
            let known = self.knows(plan.facts[usize::from(target.0)].in_loop);
            let register = known.then(|| self.prefetcher.converts(warp, target, lanes)).flatten()?;
            Some((target, register))
        })
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
