//! Calls and returns: frames, and the values that are passed.

use super::run::Run;
use super::{CALL_BYTES, Entry, Frame, Group, LOCAL_LIMIT, Warp};
use crate::exec::access::{Data, Fault, read_value, write_value};
use crate::exec::lanes::{LANES, Mask};
use crate::exec::{CallCode, Callee, FunctionCode, KernelCode, NOWHERE, Passed, Transfer};
use heddle_image::NoRoom;

impl Run<'_, '_> {
    /// Calls a function for the lanes of `active`; the others wait behind the call.
    pub(super) fn call(&mut self, group: &mut Group, active: Mask, number: u32) -> Result<(), Box<Fault>> {
        let code = self.engine.code;
        match &code.calls[number as usize] {
            CallCode::Direct(callee) => {
                group.advance();
                let frame_bytes = code.functions[callee.function as usize].frame_bytes;
                self.enter(group, active, number, callee, frame_bytes)
            }
            CallCode::Indirect { address, bytes, candidates } => {
                let target = Data { row: *address, bytes: *bytes as u8 };
                let lanes = self.warp.lanes(group.frame(), &code.constants);
                let mut targets = [0; LANES];
                for (lane, target_of) in targets.iter_mut().enumerate() {
                    *target_of = read_value(&lanes, target, lane);
                }
                self.call_indirect(group, active, number, candidates, &targets)
            }
            CallCode::External { .. } => {
                self.call_external(group, active, number)?;
                group.advance();
                Ok(())
            }
        }
    }

    /// Lanes with different targets run in turn, and meet behind the call.
    fn call_indirect(
        &mut self,
        group: &mut Group,
        active: Mask,
        number: u32,
        candidates: &[Callee],
        targets: &[u64; LANES],
    ) -> Result<(), Box<Fault>> {
        let mut missing = active;
        let lanes_of = |callee: &Callee| {
            let there = (0..LANES).filter(|&lane| targets[lane] == callee.address);
            there.fold(0, |mask: Mask, lane| mask | 1 << lane) & active
        };
        for callee in candidates {
            missing &= !lanes_of(callee);
        }
        if missing != 0 {
            let lane = missing.trailing_zeros();
            let problem = format!(
                "{:#x} is not the address of a function that can be called here",
                targets[lane as usize]
            );
            return Err(Fault::undefined(lane, problem));
        }
        group.advance();
        // One frame for all of them, as large as the largest, so that the stack has one frame for each depth.
        let functions = candidates.iter().map(|callee| &self.engine.code.functions[callee.function as usize]);
        let frame_bytes = functions.map(|function| function.frame_bytes).max().unwrap_or_default();
        for callee in candidates.iter().rev() {
            let lanes = lanes_of(callee);
            if lanes != 0 {
                self.enter(group, lanes, number, callee, frame_bytes)?;
            }
        }
        Ok(())
    }

    /// Enters a function: its frame is above the caller's.
    fn enter(
        &mut self,
        group: &mut Group,
        lanes: Mask,
        call: u32,
        callee: &Callee,
        frame_bytes: u32,
    ) -> Result<(), Box<Fault>> {
        let code = self.engine.code;
        let function = &code.functions[callee.function as usize];
        // Callees of one indirect call are entered one after the other, all from the caller's entry.
        let from = group.stack.iter().rev().find(|entry| entry.mask & lanes != 0);
        let Some(&Entry { pc: return_to, depth, .. }) = from else { return Ok(()) };
        let caller_frame = group.frames[depth as usize];
        let caller = &code.functions[code.function_at(return_to.saturating_sub(1))];
        let frame = frame_above(caller_frame, caller, frame_bytes, call);
        let spare_rows = group.frames[0].narrow;
        self.take_stack(frame, depth + 1, spare_rows)
            .map_err(|problem| Fault::exhausted(lanes.trailing_zeros(), problem))?;
        self.ask_host(group, function, frame)
            .map_err(|problem| Fault::exhausted(lanes.trailing_zeros(), problem))?;
        self.warp.local.grow(frame.local_end as usize);
        self.warp.enter(function, frame, lanes);
        for transfer in &callee.arguments {
            self.warp.transfer(code, transfer, caller_frame, frame, lanes);
        }
        group.frames.truncate(depth as usize + 1);
        group.frames.push(frame);
        let entry = Entry { pc: function.start, reconvergence: NOWHERE, mask: lanes, depth: depth + 1 };
        group.stack.push(entry);
        Ok(())
    }

    /// Whether the host has room for a frame, where the warp has to grow for it.
    fn ask_host(&mut self, group: &Group, function: &FunctionCode, frame: Frame) -> Result<(), String> {
        let asked = self.warp.ask_host(self.engine.image.host_room(), group, function, frame);
        asked.map_err(|NoRoom| {
            let depth = group.frames.len();
            format!(
                "the calls are too deep: the host that simulates the device has no room for a frame on top of {depth}"
            )
        })
    }

    /// Takes the local memory that a thread needs with a frame at this depth, in all lanes.
    fn take_stack(&mut self, frame: Frame, depth: u32, spare_rows: u32) -> Result<(), String> {
        // A machine keeps the registers of callers in local memory, so that they count too.
        let (narrow, wide) = (frame.narrow - spare_rows, frame.wide - spare_rows);
        let registers = 4 * u64::from(narrow) + 8 * u64::from(wide) + u64::from(frame.predicate);
        let used = u64::from(frame.local_end) + registers + CALL_BYTES * u64::from(depth);
        if used > LOCAL_LIMIT {
            return Err(format!(
                "the calls are too deep: their frames need more than the {} KiB of local memory that a thread has",
                LOCAL_LIMIT >> 10
            ));
        }
        let more = (used * LANES as u64).saturating_sub(self.warp.stack_bytes);
        if more > 0 {
            let problem = |limit| {
                format!("the calls are too deep: the frames of all resident threads need more than {limit}")
            };
            self.engine.stacks.take(more).map_err(problem)?;
            self.warp.stack_bytes += more;
        }
        Ok(())
    }

    /// Returns from a function: the lanes' results are passed and they wait for the others behind the call.
    pub(super) fn give_back(&mut self, group: &mut Group, active: Mask, function: u32) {
        let code = self.engine.code;
        let Some(&Entry { depth, .. }) = group.stack.last() else { return };
        group.advance();
        let frame = group.frames[depth as usize];
        if depth > 0
            && let Some(callee) = code.calls[frame.call as usize].callee(function)
        {
            let caller = group.frames[depth as usize - 1];
            for transfer in &callee.results {
                self.warp.transfer(code, transfer, frame, caller, active);
            }
        }
        for entry in group.stack.iter_mut().rev().take_while(|entry| entry.depth == depth) {
            entry.mask &= !active;
        }
    }
}

/// The frame of a function that is called from another.
fn frame_above(below: Frame, caller: &FunctionCode, frame_bytes: u32, call: u32) -> Frame {
    let local = below.local_end;
    Frame {
        narrow: below.narrow + caller.narrow_rows,
        wide: below.wide + caller.wide_rows,
        predicate: below.predicate + caller.predicates,
        local,
        local_end: local.saturating_add(frame_bytes),
        call,
    }
}

impl Warp {
    /// Copies a value from one frame to another, for these lanes.
    fn transfer(&mut self, code: &KernelCode, transfer: &Transfer, from: Frame, to: Frame, mask: Mask) {
        if let (Passed::Frame(source), Passed::Frame(target)) = (transfer.from, transfer.to) {
            let (source, target) = ((from.local + source) as usize, (to.local + target) as usize);
            let bytes = transfer.bytes as usize;
            for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
                let start = lane * self.local.stride;
                self.local.bytes.copy_within(start + source..start + source + bytes, start + target);
            }
            return;
        }
        let values = self.passed(code, transfer.from, transfer.bytes, from);
        self.pass(code, transfer.to, transfer.bytes, to, mask, &values);
    }

    /// A passed value of at most 8 bytes, in all lanes.
    pub(super) fn passed(
        &mut self,
        code: &KernelCode,
        from: Passed,
        bytes: u32,
        frame: Frame,
    ) -> [u64; LANES] {
        let mut values = [0; LANES];
        match from {
            Passed::Row(row, size) => {
                let lanes = self.lanes(frame, &code.constants);
                let data = Data { row, bytes: size as u8 };
                for (lane, value) in values.iter_mut().enumerate() {
                    *value = read_value(&lanes, data, lane);
                }
            }
            Passed::Frame(offset) => {
                let bytes = bytes.min(8) as usize;
                for (lane, value) in values.iter_mut().enumerate() {
                    let mut word = [0; 8];
                    let start = (frame.local + offset) as usize;
                    word[..bytes].copy_from_slice(self.local.slice(lane, start, bytes));
                    *value = u64::from_le_bytes(word);
                }
            }
        }
        values
    }

    /// Writes a passed value of at most 8 bytes for these lanes.
    pub(super) fn pass(
        &mut self,
        code: &KernelCode,
        to: Passed,
        bytes: u32,
        frame: Frame,
        mask: Mask,
        values: &[u64; LANES],
    ) {
        match to {
            Passed::Row(row, size) => {
                let data = Data { row, bytes: size as u8 };
                write_value(&mut self.lanes(frame, &code.constants), data, mask, values);
            }
            Passed::Frame(offset) => {
                let bytes = bytes.min(8) as usize;
                for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
                    let start = (frame.local + offset) as usize;
                    let word = values[lane].to_le_bytes();
                    self.local.slice_mut(lane, start, bytes).copy_from_slice(&word[..bytes]);
                }
            }
        }
    }
}
