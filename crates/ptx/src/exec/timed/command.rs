//! Calls of functions of the machine that take time: a command goes out with its operands, and an answer writes
//! registers or shared memory when it comes.

use super::{Execution, ResidentBlock, Step};
use crate::exec::external::{EXTERNALS, ExternalCall, Failure, MAX_ARGUMENTS, REGISTRY, Reply, SharedWrite};
use crate::exec::lanes::{LANES, Mask, TRUE};
use crate::exec::warp::{Entry, Frame, fault_of};
use crate::exec::{CallCode, Kind, LaunchError, Passed};
use std::ops::Range;

/// A call that was issued and is not yet answered.
#[derive(Clone, Debug)]
pub struct Command {
    /// The function.
    pub function: &'static str,
    /// The lanes that call it.
    pub lanes: Mask,
    /// Arguments by position and lane, extended by zero.
    pub arguments: [[u64; LANES]; MAX_ARGUMENTS],
    result: Option<(Passed, u32)>,
    frame: Frame,
    /// The function by number, and the call.
    number: usize,
    pc: u32,
}

impl Command {
    /// Whether what is done with its result is known by registers. A result that is passed in memory of the thread is
    /// read like any other memory, so that the thread must wait for it.
    pub fn is_awaited_by_register(&self) -> bool {
        matches!(self.result, None | Some((Passed::Row(..), _)))
    }
}

/// What a command is answered with.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The result of each lane, if the function has one.
    pub results: [u64; LANES],
    /// Bytes for the shared memory of the block: where, and what.
    pub shared: Vec<(u64, Vec<u8>)>,
}

impl Execution<'_> {
    /// The function of the machine that an instruction calls.
    pub fn function_called(&self, pc: u32) -> Option<&'static str> {
        let Kind::Call(number) = self.engine.code.operations[pc as usize].kind else { return None };
        match self.engine.code.calls[number as usize] {
            CallCode::External { number, .. } => Some(EXTERNALS[number]),
            _ => None,
        }
    }

    /// Executes the next instruction of a warp, a call of a function of the machine, as a command; what it was, and
    /// the command unless no lane makes the call.
    pub fn command(&mut self, resident: &mut ResidentBlock, warp: usize) -> (Step, Option<Command>) {
        let number = warp;
        let warp = &mut resident.block.warps[number];
        let Some(index) = warp.runnable() else { return (Step::Next, None) };
        let Some(&Entry { pc, mask, .. }) = warp.groups[index].stack.last() else {
            return (Step::Next, None);
        };
        warp.executed += 1;
        self.engine.executed += 1;
        let frame = warp.groups[index].frame();
        let code = self.engine.code;
        let operation = &code.operations[pc as usize];
        let mut lanes = mask;
        if operation.guard != TRUE {
            let negate = if operation.guard_negated { Mask::MAX } else { 0 };
            lanes &= warp.lanes(frame, &code.constants).predicate(operation.guard) ^ negate;
        }
        let count = &mut self.engine.counts[pc as usize];
        count.warps += 1;
        count.lanes += u64::from(lanes.count_ones());
        let command = match (lanes, operation.kind) {
            (1.., Kind::Call(call)) => match &code.calls[call as usize] {
                CallCode::External { number, arguments, result } => Some(Command {
                    function: EXTERNALS[*number],
                    lanes,
                    arguments: warp.arguments(code, arguments, frame),
                    result: *result,
                    frame,
                    number: *number,
                    pc,
                }),
                _ => None,
            },
            _ => None,
        };
        let jumped = self.go_on(resident, number, index);
        (if jumped { Step::Jumped } else { Step::Next }, command)
    }

    /// The bytes of global memory that the function of a command reads; an error if it may not be called so.
    pub fn reads(
        &mut self,
        resident: &ResidentBlock,
        warp: usize,
        command: &Command,
    ) -> Result<Vec<Range<u64>>, LaunchError> {
        self.with_call(resident, warp, command, |call| REGISTRY[command.number].reads(call))
    }

    /// Performs the function of a command on memory as it is now, and writes its answer.
    pub fn perform_command(
        &mut self,
        resident: &mut ResidentBlock,
        warp: usize,
        command: &Command,
    ) -> Result<(), LaunchError> {
        let reply = self.with_call(resident, warp, command, |call| REGISTRY[command.number].call(call))?;
        self.write_reply(resident, warp, command, &reply);
        Ok(())
    }

    fn with_call<T>(
        &mut self,
        resident: &ResidentBlock,
        warp: usize,
        command: &Command,
        done: impl FnOnce(&mut ExternalCall<'_>) -> Result<T, Failure>,
    ) -> Result<T, LaunchError> {
        let block = &resident.block;
        let mut call = ExternalCall {
            mask: command.lanes,
            arguments: command.arguments,
            image: self.engine.image,
            shared: &block.shared.bytes,
            local: &block.warps[warp].local,
            local_end: u64::from(command.frame.local_end),
            printed: &mut self.engine.printed,
        };
        let result = done(&mut call);
        result.map_err(|failure| self.error(resident, warp, command.pc, fault_of(failure)))
    }

    fn write_reply(&mut self, resident: &mut ResidentBlock, warp: usize, command: &Command, reply: &Reply) {
        let block = &mut resident.block;
        let code = self.engine.code;
        block.warps[warp].take_results(code, command.result, command.frame, command.lanes, reply);
        reply.write(&mut block.shared);
    }

    /// Writes the answer to a command of a warp.
    pub fn answer(&mut self, resident: &mut ResidentBlock, warp: usize, command: &Command, answer: &Answer) {
        let shared =
            answer.shared.iter().map(|(offset, bytes)| SharedWrite { offset: *offset, bytes: bytes.clone() });
        let reply = Reply { results: answer.results, shared: shared.collect() };
        self.write_reply(resident, warp, command, &reply);
    }
}
