//! Issue: a scheduler's cycle, and what an instruction sets in motion.

use super::collectors::Timing;
use super::inject::Observed;
use super::scoreboard::PENDING;
use super::{Around, Candidates, Cause, Core, Wait, Waiting};
use crate::operation_timing::Unit;
use crate::statics::{OperationKind, StaticOperation, Statics};
use heddle_memory::WarpId;
use heddle_memory::request::Answerer;
use heddle_ptx::exec::timed::Step;
use heddle_ptx::exec::{LaunchError, Mask};

impl Core {
    /// The warps whose unit is busy or full, and what they would wait for.
    #[inline(always)]
    fn without_unit(&self, now: u64, queue: u32) -> (u64, Cause) {
        let mut without = 0;
        let mut cause = Cause::UnitBusy;
        if self.load_store.is_full(queue) {
            without |= self.wants[Unit::Memory as usize];
            cause = Cause::LoadStoreBusy;
        }
        if self.arithmetic_free.iter().all(|&free| free > now) {
            without |= self.wants[Unit::Arithmetic as usize];
        }
        if self.special_free.iter().all(|&free| free > now) {
            without |= self.wants[Unit::Special as usize];
        }
        (without, cause)
    }

    /// One scheduler's cycle.
    #[inline(always)]
    pub(super) fn issue_cycle(
        &mut self,
        scheduler: usize,
        around: &mut Around<'_, '_>,
    ) -> Result<(), LaunchError> {
        let own = self.ready & self.dealt[scheduler];
        if own == 0 {
            return Ok(());
        }
        let now = around.now;
        let (without, blocked) = self.without_unit(now, around.spec.core.load_store_queue);
        let ready = own & !without;
        let resident = self.resident & self.dealt[scheduler];
        let picked = if ready == 0 {
            None
        } else {
            self.schedulers[scheduler].pick(&Candidates { ready, resident, ages: &self.ages })
        };
        let Some(warp) = picked else {
            // The cycles before this one belong to what the ready warp waited for.
            let first = own.trailing_zeros() as usize;
            let cause = if ready == 0 { blocked } else { Cause::ResultPending };
            self.stalls.close(scheduler, now, self.warps[first].cause);
            self.stalls.close(scheduler, now + 1, cause);
            self.warps[first].cause = cause;
            return Ok(());
        };
        self.stalls.close(scheduler, now, self.warps[warp].cause);
        let mut issued = 0;
        let width = u64::from(around.spec.core.issue_width);
        loop {
            self.issue(warp, around)?;
            issued += 1;
            let again = issued < width
                && self.ready >> warp & 1 == 1
                && self.warps[warp].ready_at <= now
                && self.without_unit(now, around.spec.core.load_store_queue).0 >> warp & 1 == 0;
            if !again {
                break;
            }
        }
        self.stalls.issued(scheduler, now, issued, Cause::SecondIssue);
        Ok(())
    }

    /// Issues the next instruction of a warp.
    #[inline(always)]
    fn issue(&mut self, warp: usize, around: &mut Around<'_, '_>) -> Result<(), LaunchError> {
        let mut observed = 0;
        if self.injection.is_some() {
            if (self.injecting | self.converting) >> warp & 1 == 1 {
                return self.issue_other(warp, around);
            }
            if self.watched >> warp & 1 == 1 {
                observed = self.executing(warp, around);
            }
        }
        let now = around.now;
        let pc = self.warps[warp].pc;
        let known: &Statics = around.statics;
        let statics = &known.operations[pc as usize];
        if statics.is_special {
            match self.before_special(warp, statics, around)? {
                Some(lanes) => observed |= lanes,
                None => return Ok(()),
            }
        }
        let slot = &mut self.warps[warp];
        let (block, index) = (usize::from(slot.block), usize::from(slot.index));
        let resident = &mut self.blocks[block].resident;
        slot.buffered -= 1;
        slot.cause = Cause::ResultPending;
        let is_access = statics.unit == Unit::Memory;
        let flight = if is_access { around.flights.take() } else { 0 };
        // Only accesses are formed into it. One call, because what is called is long and inlined here.
        let pending = match is_access {
            true => &mut around.flights.accesses[flight].pending,
            false => &mut self.load_store.unused,
        };
        let step = around.execution.step(resident, index, pending)?;
        let result_at = match step.0 {
            Step::Access => {
                self.enqueue(warp, flight, pc, statics, around);
                now
            }
            _ => {
                if is_access {
                    around.flights.accesses.release(flight);
                }
                self.execute(warp, statics, around)
            }
        };
        if observed != 0 {
            self.observe(warp, Observed { pc, lanes: observed, active: step.1 }, around);
        }
        self.after(warp, statics, step.0, result_at, around);
        Ok(())
    }

    /// What an instruction asks for that others do not: the lanes with which a mechanism observes it; none if it was
    /// issued as a command.
    #[cold]
    fn before_special(
        &mut self,
        warp: usize,
        statics: &StaticOperation,
        around: &mut Around<'_, '_>,
    ) -> Result<Option<Mask>, LaunchError> {
        match statics.kind {
            OperationKind::Command | OperationKind::MemoryCommand => {
                self.issue_command(warp, around)?;
                return Ok(None);
            }
            OperationKind::External => release_freed(around),
            _ => {}
        }
        Ok(Some(if statics.is_observed { self.executing(warp, around) } else { 0 }))
    }

    /// An instruction that is no access takes its unit: when its result may be used.
    #[inline(always)]
    pub(super) fn execute(&mut self, warp: usize, statics: &StaticOperation, around: &Around<'_, '_>) -> u64 {
        let core = &around.spec.core;
        let reading = if statics.reads > 0 { core.register_read_cycles } else { 0 };
        let mut result_at = around.now
            + u64::from(core.operand_cycles)
            + u64::from(reading)
            + u64::from(statics.latency)
            + u64::from(core.writeback_cycles);
        let free_at = match self.collectors.are_modelled() {
            true => self.collect(warp, statics, &mut result_at, around),
            false => around.now + u64::from(statics.occupancy),
        };
        self.occupy(statics.unit, free_at);
        let written = around.statics.written(statics);
        if !written.is_empty() {
            self.scoreboard.set(warp, written, result_at, Cause::ResultPending);
        }
        result_at
    }

    /// Has an instruction's operands collected: when its issue register is free again. Its result comes later by what
    /// it is held up.
    #[inline(always)]
    fn collect(
        &mut self,
        warp: usize,
        statics: &StaticOperation,
        result_at: &mut u64,
        around: &Around<'_, '_>,
    ) -> u64 {
        let sources = around.statics.sources(statics);
        let &StaticOperation { unit, latency, occupancy, .. } = statics;
        let passage = self.collectors.pass(around.now, warp, sources, Timing { unit, latency, occupancy });
        *result_at += passage.delay;
        self.collectors.write(around.now, *result_at, warp, around.statics.results(statics));
        passage.left_at
    }

    /// Takes a unit until a cycle.
    #[inline(always)]
    fn occupy(&mut self, unit: Unit, free_at: u64) {
        let units = match unit {
            Unit::Arithmetic => &mut self.arithmetic_free,
            Unit::Special => &mut self.special_free,
            Unit::Memory => return,
        };
        if let Some(unit) = units.iter_mut().min() {
            *unit = free_at;
        }
    }

    /// Puts an access into the queue of the load/store unit.
    #[inline(always)]
    pub(super) fn enqueue(
        &mut self,
        warp: usize,
        flight: u32,
        pc: u32,
        statics: &StaticOperation,
        around: &mut Around<'_, '_>,
    ) {
        let written = around.statics.written(statics);
        let cause = if statics.kind == OperationKind::Atomic {
            Cause::Atomic
        } else {
            Cause::Answered(Answerer::CORE)
        };
        self.scoreboard.set(warp, written, PENDING, cause);
        self.warps[warp].outstanding += 1;
        if statics.kind == OperationKind::Atomic {
            self.warps[warp].atomics += 1;
        }
        let entry = &mut around.flights.accesses[flight];
        entry.core = self.number;
        entry.warp = WarpId(warp as u16);
        entry.kind = Some(statics.kind);
        entry.destinations = around.statics.destinations(statics);
        entry.operation = pc;
        entry.passes = statics.visibility.passes;
        (entry.is_foreseen, entry.is_given) = (statics.is_foreseen, false);
        entry.remaining = 0;
        entry.issued_at = around.now;
        entry.ready_at = 0;
        entry.cause = None;
        let mut from = around.now + u64::from(around.spec.core.operand_cycles);
        if self.collectors.are_modelled() {
            let first = around.now + 2;
            from += self.collectors.read(first, warp, around.statics.sources(statics)).saturating_sub(first);
        }
        self.load_store.push(flight, from);
    }

    /// Where the warp continues.
    #[inline(always)]
    fn after(
        &mut self,
        warp: usize,
        statics: &StaticOperation,
        step: Step,
        result_at: u64,
        around: &mut Around<'_, '_>,
    ) {
        match step {
            // An access that no lane makes is behind nothing of its own.
            Step::Next if statics.kind.is_access() => {
                self.look(warp, around);
                return;
            }
            Step::Next | Step::Access => {}
            Step::Jumped if around.spec.core.fetch_ahead && statics.kind != OperationKind::Fence => {
                self.jumped(warp, around);
                return;
            }
            Step::Jumped => {
                self.warps[warp].buffered = 0;
                if around.spec.core.stall_on_branch && statics.kind == OperationKind::Control {
                    self.warps[warp].ready_at = result_at;
                }
            }
            Step::Barrier | Step::Ended => {
                if step == Step::Ended {
                    self.warps[warp].buffered = 0;
                }
                self.evaluate_block(warp, around);
                return;
            }
        }
        if !self.waits(warp, statics.waits.behind) {
            self.look(warp, around);
        }
    }

    /// The same behind what is issued rarely: one copy of long code.
    #[cold]
    pub(super) fn after_other(
        &mut self,
        warp: usize,
        statics: &StaticOperation,
        step: Step,
        result_at: u64,
        around: &mut Around<'_, '_>,
    ) {
        self.after(warp, statics, step, result_at, around);
    }

    /// Makes a warp wait for its accesses, if it has to.
    #[inline(always)]
    fn waits(&mut self, warp: usize, wait: Wait) -> bool {
        let slot = &mut self.warps[warp];
        if wait.is_over(slot.under_way()) {
            return false;
        }
        slot.waiting = wait.into();
        self.ready &= !(1u64 << warp);
        true
    }

    /// Looks at a warp and at those of its block that waited for it.
    #[inline(always)]
    fn evaluate_block(&mut self, warp: usize, around: &mut Around<'_, '_>) {
        let block = self.warps[warp].block;
        for other in 0..self.warps.len() {
            let slot = &self.warps[other];
            if other != warp && slot.block == block && slot.waiting == Waiting::Barrier {
                self.look(other, around);
                if self.warps[other].waiting != Waiting::Barrier {
                    // It must fetch first; what its scheduler lost until here, it lost to the barrier.
                    let scheduler = other % self.schedulers.len();
                    self.stalls.close_before(scheduler, around.now, Cause::Barrier);
                }
            }
        }
        self.look(warp, around);
    }
}

/// Memory that was freed is given up as soon as nothing that is under way needs it.
#[cold]
fn release_freed(around: &mut Around<'_, '_>) {
    let under_way: Vec<_> = around.flights.accesses.iter().map(|flight| &flight.pending).collect();
    around.execution.release_freed(under_way.iter().copied());
}
