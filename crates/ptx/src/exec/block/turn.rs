//! A turn of a block: its warps run in order, again and again, until the block ends or nothing can go on.

use super::Block;
use super::barrier::Arrival;
use crate::exec::access::Fault;
use crate::exec::engine::Engine;
use crate::exec::lanes::Mask;
use crate::exec::warp::{FaultAt, State, Stop, run_group};
use crate::exec::{BarrierAction, BarrierCode, Row};
use crate::ir::BooleanOperation;

/// Instructions of a group of lanes before the next one's turn.
const GROUP_QUANTUM: u64 = 4096;
/// Instructions of a block before the next one's turn, if it changed nothing in memory.
const QUIET_TURN: u64 = 1 << 16;
/// Instructions of a block before the next one's turn in any case.
const LONGEST_TURN: u64 = 1 << 24;

/// How a turn of a block ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// All threads have ended.
    Ended,
    /// It could go on, but others shall have their turn.
    Paused,
    /// Nothing can go on.
    Stuck,
    /// The limit of instructions of the launch is reached.
    Limit,
}

/// Something went wrong in a warp.
pub(crate) struct FaultIn {
    pub(crate) warp: usize,
    pub(crate) at: FaultAt,
}

impl Block {
    /// Runs the block for a turn.
    pub(crate) fn turn(&mut self, engine: &mut Engine<'_>) -> Result<Turn, FaultIn> {
        let (start, changes) = (engine.executed, engine.changes(&self.shared));
        loop {
            let mut progress = false;
            for warp in 0..self.warps.len() {
                progress |= self.run_warp(engine, warp).map_err(|at| FaultIn { warp, at })?;
            }
            if self.has_ended() {
                return Ok(Turn::Ended);
            }
            if engine.executed >= engine.limit {
                return Ok(Turn::Limit);
            }
            if !progress {
                self.stuck_at = Some(engine.changes(&self.shared));
                return Ok(Turn::Stuck);
            }
            let executed = engine.executed - start;
            let quiet = engine.changes(&self.shared) == changes;
            if executed > LONGEST_TURN || quiet && executed > QUIET_TURN {
                return Ok(Turn::Paused);
            }
        }
    }

    /// Runs every group of a warp that can go on, once; whether there was any.
    fn run_warp(&mut self, engine: &mut Engine<'_>, number: usize) -> Result<bool, FaultAt> {
        if self.warps[number].live == 0 || engine.executed >= engine.limit {
            return Ok(false);
        }
        let mut progress = false;
        let mut turns = self.warps[number].groups.len();
        while turns > 0 {
            turns -= 1;
            let changes = engine.changes(&self.shared);
            let warp = &mut self.warps[number];
            let Some(index) = next_group(warp.next, warp.groups.iter().map(|g| g.can_run(changes))) else {
                break;
            };
            warp.next = index + 1;
            let budget = GROUP_QUANTUM.min(engine.limit.saturating_sub(engine.executed));
            let stop = run_group(engine, &mut self.shared, warp, index, budget)?;
            progress = true;
            if let Stop::Barrier(barrier) = stop {
                let pc = self.warps[number].groups[index].place().pc;
                let arrived = self.arrive(engine, number, index, barrier);
                arrived.map_err(|fault| FaultAt { pc, fault })?;
            }
        }
        self.note_ended(engine, number);
        Ok(progress)
    }

    /// If lanes of a warp have ended since it was last asked: takes them from the barriers; whether there were any.
    pub(crate) fn note_ended(&mut self, engine: &mut Engine<'_>, number: usize) -> bool {
        let warp = &mut self.warps[number];
        let ended = std::mem::take(&mut warp.ended);
        if ended {
            if warp.live == 0 {
                self.live_warps -= 1;
            }
            self.complete_barriers(engine);
        }
        ended
    }

    /// A group of a warp comes to a barrier.
    pub(crate) fn arrive(
        &mut self,
        engine: &mut Engine<'_>,
        number: usize,
        index: usize,
        barrier: u32,
    ) -> Result<(), Box<Fault>> {
        let code = engine.code;
        let BarrierCode { number: row, threads, action } = code.barriers[barrier as usize];
        let warp = &mut self.warps[number];
        let (place, frame) = (warp.groups[index].place(), warp.groups[index].frame());
        let lanes = warp.lanes(frame, &code.constants);
        let first = place.mask.trailing_zeros() as usize & 31;
        let read = |row: Row| lanes.u32(row)[first];
        let (which, expected) = (read(row), threads.map(read));
        let same = (0..32).filter(|&lane| {
            lanes.u32(row)[lane] == which && threads.is_none_or(|row| Some(lanes.u32(row)[lane]) == expected)
        });
        let mask = same.fold(0, |mask: Mask, lane| mask | 1 << lane) & place.mask;
        let truth = match action {
            BarrierAction::Reduce { source, negated, .. } => {
                Some(lanes.predicate(source) ^ if negated { Mask::MAX } else { 0 })
            }
            _ => None,
        };
        if mask != place.mask {
            // Lanes that name another barrier come to it in a turn of their own.
            warp.split(index, place.mask & !mask);
        }
        let live = warp.live;
        let undefined = |problem: String| Fault::undefined(first as u32, problem);
        if let Some(count) = expected.filter(|&count| count == 0 || count % 32 != 0) {
            return Err(undefined(format!("a barrier for {count} threads: it must be a multiple of 32")));
        }
        let Some(barrier) = self.barriers.get(which) else {
            return Err(undefined(format!("there is no barrier {which}, only 0 to 15")));
        };
        barrier.arrive(Arrival { warp: number, lanes: mask, live, expected, truth }).map_err(undefined)?;
        let group = &mut self.warps[number].groups[index];
        if action == BarrierAction::Arrive {
            group.go_on();
        } else {
            group.state = State::Barrier(which);
        }
        self.complete_barriers(engine);
        Ok(())
    }

    /// Lets the threads go whose barriers are complete.
    fn complete_barriers(&mut self, engine: &mut Engine<'_>) {
        let complete = |(number, barrier): (u32, &super::barrier::Barrier)| {
            let (arrived, expected) = barrier.progress(self.warps.iter().map(|warp| warp.live));
            (arrived >= expected).then_some(number)
        };
        let numbers: Mask =
            self.barriers.in_use().filter_map(complete).fold(0, |all, number| all | 1 << number);
        for number in (0..16).filter(|number| numbers >> number & 1 == 1) {
            self.release(engine, number);
        }
    }

    fn release(&mut self, engine: &mut Engine<'_>, number: u32) {
        let Some(barrier) = self.barriers.get(number) else { return };
        let verdict = barrier.verdict();
        barrier.clear();
        let code = engine.code;
        for warp in &mut self.warps {
            let mut released = false;
            for index in 0..warp.groups.len() {
                if warp.groups[index].state != State::Barrier(number) {
                    continue;
                }
                released = true;
                let (place, frame) = (warp.groups[index].place(), warp.groups[index].frame());
                if let crate::exec::Kind::Barrier(at) = code.operations[place.pc as usize].kind
                    && let BarrierAction::Reduce { operation, destination, .. } =
                        code.barriers[at as usize].action
                {
                    let mut lanes = warp.lanes(frame, &code.constants);
                    let truth = match operation {
                        Some(BooleanOperation::And) => verdict.all,
                        Some(BooleanOperation::Or) => verdict.any,
                        Some(BooleanOperation::Xor) => verdict.count % 2 == 1,
                        None => {
                            lanes.set_u32(Row(destination), place.mask, &[verdict.count; 32]);
                            warp.groups[index].go_on();
                            continue;
                        }
                    };
                    lanes.set_predicate(destination, place.mask, if truth { Mask::MAX } else { 0 });
                }
                warp.groups[index].go_on();
            }
            if released && warp.groups.len() > 1 {
                warp.merge();
            }
        }
    }
}

/// The next of the groups that can run, from a place on.
fn next_group(from: usize, can_run: impl ExactSizeIterator<Item = bool> + Clone) -> Option<usize> {
    let count = can_run.len();
    let ready = can_run.enumerate().filter(|&(_, ready)| ready).map(|(index, _)| index);
    ready.clone().find(|&index| index >= from && index < count).or_else(|| ready.clone().next())
}
