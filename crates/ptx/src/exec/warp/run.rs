//! Runs a group until it stops, and does what concerns its stack.

use super::straight::{Event, Segment, straight};
use super::{Entry, Group, State, Warp};
use crate::exec::Kind;
use crate::exec::access::{Fault, Shared};
use crate::exec::engine::Engine;
use crate::exec::lanes::Mask;

/// Instructions after which lanes that wait in a group's stack no longer wait for a loop of the others. Long
/// enough that loops which merely take long for some lanes are not torn apart.
const PATIENCE: u64 = 1 << 18;

/// Why a group stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Its budget is used up.
    Budget,
    /// It has no lanes any more.
    Ended,
    /// It stands at a barrier of the block, which the block deals with.
    Barrier(u32),
    /// It waits, or repeats itself.
    Waiting,
}

/// Something went wrong at an instruction.
pub(crate) struct FaultAt {
    pub(crate) pc: u32,
    pub(crate) fault: Box<Fault>,
}

/// Runs a group of a warp for at most `budget` instructions.
pub(crate) fn run_group(
    engine: &mut Engine<'_>,
    shared: &mut Shared,
    warp: &mut Warp,
    index: usize,
    budget: u64,
) -> Result<Stop, FaultAt> {
    let mut group = std::mem::take(&mut warp.groups[index]);
    group.state = State::Ready;
    engine.access.mask = 0;
    let mut run = Run { engine, shared, warp, budget, backward: group.backward };
    loop {
        let event = match run.segment(&mut group) {
            Ok(Some(event)) => event,
            Ok(None) => {
                run.warp.groups.remove(index);
                run.warp.retire(group);
                run.warp.regroup(run.engine.code);
                return Ok(Stop::Ended);
            }
            Err(fault) => return Err(FaultAt { pc: group.place().pc, fault }),
        };
        // Known before the stack changes, for errors.
        let pc = group.place().pc;
        match run.act(&mut group, index, event) {
            Ok(None) => {}
            Ok(Some(stop)) => {
                group.backward = run.backward;
                run.warp.groups[index] = group;
                run.after(stop, index);
                return Ok(stop);
            }
            Err(fault) => return Err(FaultAt { pc, fault }),
        }
    }
}

/// A group of a warp that is being run.
pub(crate) struct Run<'r, 'e> {
    pub(crate) engine: &'r mut Engine<'e>,
    pub(super) shared: &'r mut Shared,
    pub(crate) warp: &'r mut Warp,
    budget: u64,
    backward: u32,
}

impl<'r, 'e> Run<'r, 'e> {
    /// For one event at a time.
    pub(crate) fn new(engine: &'r mut Engine<'e>, shared: &'r mut Shared, warp: &'r mut Warp) -> Run<'r, 'e> {
        Run { engine, shared, warp, budget: 1, backward: 0 }
    }

    /// Executes instructions of the last entry until something happens; none when there are no lanes.
    #[inline(always)]
    fn segment(&mut self, group: &mut Group) -> Result<Option<Event>, Box<Fault>> {
        let popped = group.settle();
        let Some(&Entry { pc, reconvergence, mask, depth }) = group.stack.last() else { return Ok(None) };
        if self.budget == 0 {
            return Ok(Some(Event::Budget));
        }
        if popped {
            group.watch.since = self.warp.executed;
            // Other groups may be about to reach the same point: let them, and be one with them again.
            if self.warp.groups.len() > 1 {
                return Ok(Some(Event::Budget));
            }
        }
        let frame = group.frames[depth as usize];
        let mut segment = Segment {
            pc,
            reconvergence,
            mask,
            frame: u64::from(frame.local),
            budget: self.budget,
            executed: 0,
            backward: self.backward,
            count_sectors: self.engine.count_sectors,
        };
        let code = self.engine.code;
        let warp = &mut *self.warp;
        let local_end = u64::from(frame.local_end);
        let mut local = std::mem::take(&mut warp.local);
        let mut lanes = warp.lanes(frame, &code.constants);
        let (mut memory, counts, access) = self.engine.memory(self.shared, &mut local, local_end);
        let result = straight(code, &mut lanes, &mut memory, counts, access, &mut segment);
        warp.local = local;
        warp.executed += segment.executed;
        self.engine.executed += segment.executed;
        self.budget = self.budget.saturating_sub(segment.executed);
        self.backward = segment.backward;
        if let Some(top) = group.stack.last_mut() {
            top.pc = segment.pc;
        }
        result.map(Some)
    }

    /// Does what the loop stopped for; none to go on.
    pub(crate) fn act(
        &mut self,
        group: &mut Group,
        index: usize,
        event: Event,
    ) -> Result<Option<Stop>, Box<Fault>> {
        match event {
            Event::Reconverged => Ok(None),
            Event::Budget => Ok(Some(Stop::Budget)),
            Event::Backward => Ok(self.look(group, index)),
            Event::Diverge(taken, target, meets) => {
                if target <= group.place().pc {
                    self.backward += 1;
                }
                group.diverge(taken, target, meets);
                Ok(None)
            }
            Event::Special(active) => self.special(group, index, active),
        }
    }

    fn special(&mut self, group: &mut Group, index: usize, active: Mask) -> Result<Option<Stop>, Box<Fault>> {
        let code = self.engine.code;
        let pc = group.place().pc;
        let operation = &code.operations[pc as usize];
        match operation.kind {
            Kind::Timed(handler) => {
                let [clock, timer] = self.engine.clock.unwrap_or([self.warp.executed; 2]);
                (self.warp.context.clock, self.warp.context.timer) = (clock, timer);
                handler(&mut self.warp.lanes(group.frame(), &code.constants), operation, active);
                group.advance();
                group.watch.forget();
            }
            Kind::BranchIndexed(table) => self.branch_indexed(group, active, &code.tables[table as usize])?,
            Kind::Call(number) => {
                self.call(group, active, number)?;
            }
            Kind::Return => self.give_back(group, active, operation.extra),
            Kind::Exit => {
                group.advance();
                group.remove(active);
                self.warp.live &= !active;
                self.warp.ended = true;
            }
            Kind::Trap => {
                return Err(Fault::trap(active.trailing_zeros(), "it executed trap"));
            }
            Kind::Collective(number) => return self.collective(group, index, active, number),
            Kind::Barrier(number) => {
                group.set_aside(active);
                return Ok(Some(Stop::Barrier(number)));
            }
            Kind::Alu(_) | Kind::Access(_) | Kind::Branch(_) | Kind::Fence | Kind::Nothing => group.advance(),
        }
        Ok(None)
    }

    /// Each target of a jump through a table with its lanes; the first target goes first.
    fn branch_indexed(&mut self, group: &mut Group, active: Mask, targets: &[u32]) -> Result<(), Box<Fault>> {
        let Some(&Entry { pc, mask, depth, .. }) = group.stack.last() else { return Ok(()) };
        let code = self.engine.code;
        let operation = &code.operations[pc as usize];
        let lanes = self.warp.lanes(group.frame(), &code.constants);
        let indices = *lanes.u32(operation.sources[0]);
        let outside =
            (0..32).find(|&lane| active >> lane & 1 == 1 && indices[lane] as usize >= targets.len());
        if let Some(lane) = outside {
            let problem =
                format!("index {} is outside of the {} branch targets", indices[lane], targets.len());
            return Err(Fault::undefined(lane as u32, problem));
        }
        let lanes_at = |target: usize| {
            (0..32).filter(|&lane| indices[lane] as usize == target).fold(0, |m: Mask, lane| m | 1 << lane)
        };
        let first = targets[indices[active.trailing_zeros() as usize] as usize];
        let together = (0..targets.len()).filter(|&t| targets[t] == first).fold(0, |m, t| m | lanes_at(t));
        if together & active == mask {
            if let Some(top) = group.stack.last_mut() {
                top.pc = first;
            }
            return Ok(());
        }
        self.engine.counts[pc as usize].divergent += 1;
        group.prepare(operation.extra);
        group.push_side(pc + 1, mask & !active, depth, operation.extra);
        for (number, &target) in targets.iter().enumerate().rev() {
            group.push_side(target, active & lanes_at(number), depth, operation.extra);
        }
        Ok(())
    }

    /// Looks whether the group repeats itself, and lets waiting lanes go if it does.
    fn look(&mut self, group: &mut Group, index: usize) -> Option<Stop> {
        let changes = self.engine.changes(self.shared);
        if group.watch.repeats(self.warp, &group.stack, changes) {
            group.state = State::Spinning(changes);
            group.polled = self.engine.last_read();
            self.release_waiting(group, index);
            return Some(Stop::Waiting);
        }
        // What is read from here on is read in the loop.
        self.engine.access.mask = 0;
        let long = self.warp.executed.saturating_sub(group.watch.since) > PATIENCE;
        if long && self.release_waiting(group, index) {
            return Some(Stop::Budget);
        }
        None
    }

    /// Splits the lanes that wait in a group's stack off it; whether there were any.
    pub(super) fn release_waiting(&mut self, group: &mut Group, index: usize) -> bool {
        let waiting = group.lanes() & !group.place().mask;
        if waiting == 0 {
            return false;
        }
        let state = group.state;
        std::mem::swap(&mut self.warp.groups[index], group);
        let new = self.warp.split(index, waiting);
        self.warp.groups[new].state = State::Ready;
        std::mem::swap(&mut self.warp.groups[index], group);
        group.state = state;
        true
    }

    /// Puts the warp's groups in order after one of them stopped.
    pub(crate) fn after(&mut self, stop: Stop, index: usize) {
        if matches!(stop, Stop::Barrier(_)) {
            // Lanes that wait at a barrier let those go on that wait below them.
            let mut group = std::mem::take(&mut self.warp.groups[index]);
            self.release_waiting(&mut group, index);
            self.warp.groups[index] = group;
        } else {
            self.warp.regroup(self.engine.code);
        }
    }
}
