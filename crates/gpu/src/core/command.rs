//! Calls that are commands to an agent, and its replies.

use super::scoreboard::PENDING;
use super::{Around, Cause, Core, Wait, Waiting};
use crate::agent::{CommandToken, Then, agent_of};
use crate::flight::CommandFlight;
use crate::statics::{OperationKind, Statics};
use heddle_memory::fabric::AgentCommand;
use heddle_memory::request::Token;
use heddle_memory::{Pc, WarpId};
use heddle_ptx::exec::LaunchError;

impl Core {
    /// Issues a call as a command.
    #[cold]
    pub(super) fn issue_command(
        &mut self,
        warp: usize,
        around: &mut Around<'_, '_>,
    ) -> Result<(), LaunchError> {
        let pc = self.warps[warp].pc;
        let known: &Statics = around.statics;
        let statics = &known.operations[pc as usize];
        let slot = &mut self.warps[warp];
        slot.buffered -= 1;
        slot.cause = Cause::ResultPending;
        let (resident, index) = (&mut self.blocks[usize::from(slot.block)].resident, usize::from(slot.index));
        let (step, command) = around.execution.command(resident, index);
        let result_at = self.execute(warp, statics, around);
        let Some(command) = command else {
            self.after_other(warp, statics, step, result_at, around);
            return Ok(());
        };
        let destinations = known.destinations(statics);
        self.scoreboard.set(warp, known.written_by(destinations), PENDING, Cause::Agent);
        self.warps[warp].outstanding += 1;
        self.agents.commands += 1;
        self.agents.lanes += u64::from(command.lanes.count_ones());
        let flight = CommandFlight {
            core: self.number,
            warp: WarpId(warp as u16),
            destinations,
            issued_at: around.now,
            command,
        };
        let number = around.flights.commands.insert(flight);
        let then = match statics.kind {
            OperationKind::MemoryCommand => self.give_to_memory(number, pc, around)?,
            _ => give_to_agent(number, around),
        };
        if then == Then::Waits {
            self.ready &= !(1 << warp);
            self.warps[warp].waiting = Waiting::Agent;
            return Ok(());
        }
        self.after_other(warp, statics, step, result_at, around);
        Ok(())
    }

    /// Gives a command to the agent of the memory system that takes its function.
    fn give_to_memory(&self, number: u32, pc: u32, around: &mut Around<'_, '_>) -> Result<Then, LaunchError> {
        let CommandFlight { warp, command, .. } = &around.flights.commands[number];
        let slot = &self.warps[warp.index()];
        let resident = &self.blocks[usize::from(slot.block)].resident;
        let bytes = around.execution.reads(resident, usize::from(slot.index), command)?;
        let Some(agent) = agent_of(around.fabric, command.function) else {
            unreachable!("calls become such commands where the memory system has an agent for them")
        };
        let command =
            AgentCommand { token: Token(number), core: self.number, warp: *warp, pc: Pc(pc), bytes: &bytes };
        around.fabric.command(around.tick, agent, &command);
        Ok(Then::Waits)
    }

    /// A command is answered, and what it writes is written.
    fn answered(&mut self, flight: &CommandFlight, around: &mut Around<'_, '_>) {
        let warp = flight.warp.index();
        let slot = &mut self.warps[warp];
        self.agents.reply_cycles += around.now - flight.issued_at;
        let ready_at = around.now + u64::from(around.spec.core.writeback_cycles);
        let written = around.statics.written_by(flight.destinations);
        self.scoreboard.set(warp, written, ready_at, Cause::Agent);
        slot.outstanding -= 1;
        self.wake.catch_up(around.now);
        match slot.waiting {
            Waiting::Memory => {
                slot.cause = Cause::Agent;
                self.evaluate(warp, around);
            }
            Waiting::Agent => {
                (slot.ready_at, slot.cause) = (ready_at, Cause::Agent);
                self.look(warp, around);
                // It may have to fetch first; what its scheduler lost until here, it lost to the agent.
                let scheduler = warp % self.schedulers.len();
                self.stalls.close_before(scheduler, around.now, Cause::Agent);
            }
            Waiting::Fence if Wait::Accesses.is_over(slot.under_way()) => {
                (slot.ready_at, slot.cause) = (ready_at, Cause::Agent);
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

/// Takes the replies of this cycle to the cores that they concern.
pub(crate) fn deliver_replies(cores: &mut [Core], around: &mut Around<'_, '_>) {
    let mut replies = Vec::new();
    if let Some(agent) = &mut around.agent {
        agent.replies(around.now, &mut replies);
    }
    for reply in replies {
        let flight = take_flight(reply.token.0, around);
        let core = &mut cores[flight.core.index()];
        let slot = &core.warps[flight.warp.index()];
        let (resident, index) = (&mut core.blocks[usize::from(slot.block)].resident, usize::from(slot.index));
        around.execution.answer(resident, index, &flight.command, &reply.answer);
        core.answered(&flight, around);
    }
}

/// An agent of the memory system has answered a command: its function is performed now.
#[cold]
pub(super) fn answered(
    token: Token,
    cores: &mut [Core],
    around: &mut Around<'_, '_>,
) -> Result<(), LaunchError> {
    let flight = take_flight(token.0, around);
    let core = &mut cores[flight.core.index()];
    let slot = &core.warps[flight.warp.index()];
    let (resident, index) = (&mut core.blocks[usize::from(slot.block)].resident, usize::from(slot.index));
    around.execution.perform_command(resident, index, &flight.command)?;
    core.answered(&flight, around);
    Ok(())
}

/// Takes a command that is answered from those under way.
fn take_flight(number: u32, around: &mut Around<'_, '_>) -> CommandFlight {
    let flight = around.flights.commands[number].clone();
    around.flights.commands.release(number);
    flight
}

/// Gives a command to the unit that is attached.
fn give_to_agent(number: u32, around: &mut Around<'_, '_>) -> Then {
    let CommandFlight { core, command, .. } = &around.flights.commands[number];
    let Some(agent) = around.agent.as_mut() else {
        unreachable!("calls become commands where a unit is attached")
    };
    match agent.take(around.now, *core, CommandToken(number), command) {
        Then::GoesOn if command.is_awaited_by_register() => Then::GoesOn,
        _ => Then::Waits,
    }
}
