//! A group of lanes that execute together: a reconvergence stack of their own.

use super::Frame;
use super::spin::Watch;
use crate::exec::NOWHERE;
use crate::exec::lanes::{LANES, Mask};
use smallvec::SmallVec;

/// One entry of a reconvergence stack. Lanes of lower entries wait until those above are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The next instruction.
    pub(crate) pc: u32,
    /// Where the entry is done, and the one below goes on; [`NOWHERE`] if only a return does that.
    pub(crate) reconvergence: u32,
    /// The lanes.
    pub(crate) mask: Mask,
    /// Calls below this one: the index of its frame.
    pub(crate) depth: u32,
}

/// Where a group stands: what must agree for groups to be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The next instruction.
    pub(crate) pc: u32,
    /// The lanes that execute it.
    pub(crate) mask: Mask,
}

/// Whether a group can go on, and what it waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum State {
    /// It can.
    #[default]
    Ready,
    /// It repeats itself until memory changes, from this count of changes.
    Spinning(u64),
    /// It waits at a barrier of the block.
    Barrier(u32),
    /// It waits for lanes of the warp, at a collective operation.
    Collective,
}

/// A group of lanes. What every instruction looks at comes first and stands in the group itself: a machine goes from
/// warp to warp, and each pointer to follow would be another miss of the host's cache.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(crate) struct Group {
    /// The reconvergence stack; the last entry executes.
    pub(crate) stack: SmallVec<[Entry; 4]>,
    /// The frames of the calls that the last entry is in.
    pub(crate) frames: SmallVec<[Frame; 1]>,
    /// Whether it can go on.
    pub(crate) state: State,
    /// What each lane waits for at a collective operation: the members.
    pub(crate) members: [Mask; LANES],
    /// An address in global memory that it last read, if it repeats itself.
    pub(crate) polled: Option<u64>,
    /// Backward branches since it was last looked whether it repeats itself. Kept here, because a group that
    /// calls functions stops at every return while there are others.
    pub(crate) backward: u32,
    /// Whether it repeats itself.
    pub(crate) watch: Watch,
}

impl Group {
    /// At the first instruction of a kernel.
    pub(crate) fn start(&mut self, lanes: Mask, frame: Frame) {
        self.stack.clear();
        self.stack.push(Entry { pc: 0, reconvergence: NOWHERE, mask: lanes, depth: 0 });
        self.frames.clear();
        self.frames.push(frame);
        self.state = State::Ready;
        self.backward = 0;
        self.watch.reset();
    }

    pub(crate) fn is_ready(&self) -> bool {
        self.state == State::Ready
    }

    /// Whether it can go on, now that memory has changed so often.
    pub(crate) fn can_run(&self, changes: u64) -> bool {
        match self.state {
            State::Ready => true,
            State::Spinning(since) => since != changes,
            State::Barrier(_) | State::Collective => false,
        }
    }

    /// All lanes, waiting ones too.
    pub(crate) fn lanes(&self) -> Mask {
        self.stack.iter().fold(0, |lanes, entry| lanes | entry.mask)
    }

    /// Where it stands.
    #[inline(always)]
    pub(crate) fn place(&self) -> Place {
        self.stack.last().map_or(Place { pc: 0, mask: 0 }, |top| Place { pc: top.pc, mask: top.mask })
    }

    /// The frame of the last entry.
    #[inline(always)]
    pub(crate) fn frame(&self) -> Frame {
        let depth = self.stack.last().map_or(0, |top| top.depth);
        self.frames.get(depth as usize).copied().unwrap_or_default()
    }

    /// Removes entries that are done or empty from the top; whether there were any.
    #[inline(always)]
    pub(crate) fn settle(&mut self) -> bool {
        let before = self.stack.len();
        while let Some(top) = self.stack.last()
            && (top.mask == 0 || top.pc == top.reconvergence)
        {
            self.stack.pop();
        }
        before != self.stack.len()
    }

    /// Moves `lanes` into `new`, with a stack of the same shape.
    pub(crate) fn split(&mut self, lanes: Mask, new: &mut Group) {
        new.stack.clear();
        for entry in &mut self.stack {
            if entry.mask & lanes != 0 {
                new.stack.push(Entry { mask: entry.mask & lanes, ..*entry });
            }
            entry.mask &= !lanes;
        }
        self.stack.retain(|entry| entry.mask != 0);
        new.frames.clone_from(&self.frames);
        new.state = State::Ready;
        new.members = self.members;
        new.backward = 0;
        new.watch.reset();
        self.watch.reset();
    }

    /// Whether two groups stand at the same place with stacks of the same shape.
    pub(crate) fn same_place(&self, other: &Group) -> bool {
        let shape = |entry: &Entry| (entry.pc, entry.reconvergence, entry.depth);
        let depth = self.stack.last().map_or(0, |top| top.depth as usize);
        self.stack.len() == other.stack.len()
            && self.stack.iter().map(shape).eq(other.stack.iter().map(shape))
            && self.frames.get(..=depth) == other.frames.get(..=depth)
    }

    /// Takes the lanes of a group at the same place.
    pub(crate) fn absorb(&mut self, other: &Group) {
        for (entry, other) in self.stack.iter_mut().zip(&other.stack) {
            entry.mask |= other.mask;
        }
        self.watch.reset();
    }

    /// Lanes whose guard was false wait after the instruction that the others have yet to finish.
    pub(crate) fn set_aside(&mut self, active: Mask) {
        if let Some(top) = self.stack.last_mut()
            && top.mask != active
        {
            let (pc, depth) = (top.pc, top.depth);
            top.pc = pc + 1;
            self.stack.push(Entry { pc, reconvergence: pc + 1, mask: active, depth });
        }
    }

    /// Goes to the next instruction.
    #[inline(always)]
    pub(crate) fn advance(&mut self) {
        if let Some(top) = self.stack.last_mut() {
            top.pc += 1;
        }
    }

    /// Goes on behind a barrier or an operation that it waited at.
    pub(crate) fn go_on(&mut self) {
        self.advance();
        self.state = State::Ready;
        self.watch.forget();
    }

    /// Removes lanes that ended.
    pub(crate) fn remove(&mut self, lanes: Mask) {
        for entry in &mut self.stack {
            entry.mask &= !lanes;
        }
    }

    /// Lanes of `taken` go to `target`, the other lanes of the last entry to the next instruction; they meet at
    /// `meets`. The other lanes go first.
    #[inline(always)]
    pub(crate) fn diverge(&mut self, taken: Mask, target: u32, meets: u32) {
        let Some(top) = self.stack.last_mut() else { return };
        let (pc, mask, depth) = (top.pc, top.mask, top.depth);
        self.prepare(meets);
        for (pc, mask) in [(target, taken), (pc + 1, mask & !taken)] {
            self.push_side(pc, mask, depth, meets);
        }
    }

    /// Makes the last entry wait at `meets` for the sides that are pushed next, unless the entry below does so.
    #[inline(always)]
    pub(crate) fn prepare(&mut self, meets: u32) {
        let Some(top) = self.stack.last_mut() else { return };
        if meets == NOWHERE || top.reconvergence == meets {
            self.stack.pop();
        } else {
            top.pc = meets;
        }
    }

    /// One side of a branch; lanes that are at the reconvergence point already only wait there.
    #[inline(always)]
    pub(crate) fn push_side(&mut self, pc: u32, mask: Mask, depth: u32, meets: u32) {
        if mask != 0 && pc != meets {
            self.stack.push(Entry { pc, reconvergence: meets, mask, depth });
        }
    }
}
