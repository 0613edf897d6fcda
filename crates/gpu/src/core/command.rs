//! Calls that are commands to an agent, and its replies.

use super::scoreboard::PENDING;
use super::{Around, Cause, Core, Wait, Waiting};
use crate::agent::{AgentReply, CommandToken, Then};
use crate::flight::CommandFlight;
use crate::statics::Statics;

impl Core {
    /// Issues a call as a command.
    #[cold]
    pub(super) fn issue_command(&mut self, warp: usize, around: &mut Around<'_, '_>) {
        let pc = self.warps[warp].pc;
        let known: &Statics = around.statics;
        let statics = &known.operations[pc as usize];
        let slot = &mut self.warps[warp];
        slot.buffered -= 1;
        slot.cause = Cause::ResultPending;
        let (resident, index) = (&mut self.blocks[usize::from(slot.block)].resident, usize::from(slot.index));
        let (step, command) = around.execution.command(resident, index);
        let result_at = self.execute(warp, statics, around);
        let Some((command, agent)) = command.zip(around.agent.as_mut()) else {
            self.after_other(warp, statics, step, result_at, around);
            return;
        };
        let destinations = known.destinations(statics);
        self.scoreboard.set(warp, known.written_by(destinations), PENDING, Cause::Agent);
        self.warps[warp].outstanding += 1;
        self.agents.commands += 1;
        self.agents.lanes += u64::from(command.lanes.count_ones());
        let flight = CommandFlight { core: self.number, warp, destinations, issued_at: around.now, command };
        let number = around.flights.commands.insert(flight);
        let command = &around.flights.commands[number].command;
        let then = agent.take(around.now, self.number, CommandToken(number), command);
        if then == Then::Waits || !command.is_awaited_by_register() {
            self.ready &= !(1 << warp);
            self.warps[warp].waiting = Waiting::Agent;
            return;
        }
        self.after_other(warp, statics, step, result_at, around);
    }

    /// A command is answered.
    fn answered(&mut self, flight: &CommandFlight, reply: &AgentReply, around: &mut Around<'_, '_>) {
        let warp = flight.warp;
        let slot = &mut self.warps[warp];
        let (resident, index) = (&mut self.blocks[usize::from(slot.block)].resident, usize::from(slot.index));
        around.execution.answer(resident, index, &flight.command, &reply.answer);
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
        let number = reply.token.0;
        let flight = around.flights.commands[number].clone();
        around.flights.commands.release(number);
        cores[flight.core].answered(&flight, &reply, around);
    }
}
