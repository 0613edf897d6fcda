//! Replies of the memory system, and accesses that are complete.

use super::command::answered;
use super::{Around, Cause, Core, Wait, Waiting};
use crate::flight::{Named, named};
use crate::statics::OperationKind;
use heddle_memory::request::{Answerer, Notice, Path, Token};
use heddle_ptx::exec::LaunchError;

/// Takes a notice to the core that it concerns.
#[inline(always)]
pub(crate) fn deliver(
    notice: Notice,
    cores: &mut [Core],
    around: &mut Around<'_, '_>,
) -> Result<(), LaunchError> {
    match notice {
        Notice::Serviced(token, _) => match named(token) {
            Named::LineRequest(number) => service(number, cores, around),
            Named::Fetch(..) => Ok(()),
        },
        Notice::Replied(token, answerer) => replied(token, answerer, cores, around),
        Notice::Answered(token) => answered(token, cores, around),
        Notice::Ready(core, path) => {
            let core = &mut cores[core.index()];
            match path {
                Path::Instruction => core.fetch_ready(around),
                _ => core.load_store_ready(path, around),
            }
            Ok(())
        }
    }
}

/// Takes or gives the values of a transaction, unless that has been done.
#[inline(always)]
fn service(number: u32, cores: &mut [Core], around: &mut Around<'_, '_>) -> Result<(), LaunchError> {
    let transaction = &mut around.flights.transactions[number];
    if std::mem::replace(&mut transaction.serviced, true) || transaction.lanes == 0 {
        return Ok(());
    }
    let flight = &mut around.flights.accesses[transaction.flight];
    // What only its own thread sees was performed when the access was formed.
    let lanes = transaction.lanes & flight.pending.touched.serviced();
    if lanes == 0 {
        return Ok(());
    }
    let core = &mut cores[flight.core.index()];
    let slot = &core.warps[flight.warp.index()];
    let resident = &mut core.blocks[usize::from(slot.block)].resident;
    around.execution.service(resident, usize::from(slot.index), &mut flight.pending, lanes)
}

fn replied(
    token: Token,
    answerer: Answerer,
    cores: &mut [Core],
    around: &mut Around<'_, '_>,
) -> Result<(), LaunchError> {
    let number = match named(token) {
        Named::Fetch(core, warp) => {
            cores[core.index()].fetch_replied(warp.index(), around);
            return Ok(());
        }
        Named::LineRequest(number) => number,
    };
    service(number, cores, around)?;
    let number_of_flight = around.flights.transactions[number].flight;
    around.flights.transactions.release(number);
    let flight = &mut around.flights.accesses[number_of_flight];
    flight.remaining -= 1;
    // Constants and textures do not come through the data cache.
    let data = flight.pending.touched.constant | flight.pending.touched.texture == 0;
    let more = match data {
        true if flight.passes => around.spec.core.pass_cycles,
        true => around.spec.core.load_miss_cycles,
        false => 0,
    };
    let over = around.now + u64::from(more);
    flight.ready_at = flight.ready_at.max(over);
    let slot = &mut cores[flight.core.index()].warps[flight.warp.index()];
    slot.drained_at = slot.drained_at.max(over);
    let cause = match flight.pending.touched.constant {
        0 => Cause::Answered(answerer),
        _ => Cause::Constant,
    };
    flight.cause = Some(flight.cause.map_or(cause, |earlier| earlier.and_then(cause)));
    around.loads.answered(flight.operation, answerer);
    let core = flight.core.index();
    if flight.remaining == 0 && !cores[core].is_serving(number_of_flight) {
        cores[core].wake.catch_up(around.now);
        cores[core].complete(number_of_flight, around);
    }
    Ok(())
}

impl Core {
    /// Whether the load/store unit has requests of an access yet to make.
    #[inline(always)]
    fn is_serving(&self, flight: u32) -> bool {
        self.load_store.is_current(flight)
    }

    /// The registers of an access get their values, some of its requests have not been answered.
    pub(super) fn give_early(&mut self, number: u32, around: &mut Around<'_, '_>) {
        around.flights.accesses[number].is_given = true;
        let cause = Cause::Answered(Answerer::CORE);
        self.give(number, cause, around);
        let warp = around.flights.accesses[number].warp.index();
        if self.warps[warp].waiting == Waiting::Memory {
            self.warps[warp].cause = cause;
            self.evaluate(warp, around);
        }
    }

    /// The registers of an access are ready at a known cycle.
    fn give(&mut self, number: u32, cause: Cause, around: &mut Around<'_, '_>) {
        let flight = &around.flights.accesses[number];
        let (warp, destinations) = (flight.warp.index(), flight.destinations);
        let ready_at = flight.ready_at.max(around.now) + u64::from(around.spec.core.writeback_cycles);
        around.loads.waited(flight.operation, ready_at - flight.issued_at);
        self.scoreboard.set(warp, around.statics.written_by(destinations), ready_at, cause);
        if self.collectors.are_modelled() {
            self.collectors.write(around.now, ready_at, warp, around.statics.results_of(destinations));
        }
    }

    /// All requests of an access are answered, or will be at a known cycle.
    pub(super) fn complete(&mut self, number: u32, around: &mut Around<'_, '_>) {
        let flight = &around.flights.accesses[number];
        let warp = flight.warp.index();
        let kind = flight.kind;
        let is_given = flight.is_given;
        let over_at = flight.ready_at.max(around.now);
        let ready_at = over_at + u64::from(around.spec.core.writeback_cycles);
        let cause = match kind {
            Some(OperationKind::Atomic) => Cause::Atomic,
            _ => flight.cause.unwrap_or(Cause::Answered(Answerer::CORE)),
        };
        if !is_given {
            self.give(number, cause, around);
        }
        around.flights.accesses.release(number);
        let slot = &mut self.warps[warp];
        slot.outstanding -= 1;
        if kind == Some(OperationKind::Atomic) {
            slot.atomics -= 1;
        }
        let under_way = slot.under_way();
        match slot.waiting {
            Waiting::Atomics if Wait::Atomics.is_over(under_way) => {
                // The warp continues with the atomic's write-back, what needs its result after it.
                slot.ready_at = over_at;
                slot.cause = cause;
                self.look(warp, around);
            }
            Waiting::Memory => {
                slot.cause = cause;
                self.evaluate(warp, around);
            }
            Waiting::Fence if Wait::Accesses.is_over(under_way) => {
                slot.ready_at = ready_at;
                slot.cause = if kind == Some(OperationKind::Load) { cause } else { Cause::Fence };
                self.look(warp, around);
            }
            Waiting::Drain if slot.outstanding == 0 => {
                self.end_warp(warp, around);
                self.wake_at(around.now, around);
            }
            _ => {}
        }
    }
}
