//! A warp: 32 lanes with their registers, in groups that each execute together.
//!
//! Normally there is one *group*, with a reconvergence stack: lanes that diverge at a branch run one side after
//! the other and meet at the branch's reconvergence point. Where that order cannot work (lanes wait for lanes
//! that the stack keeps back) the group is split in two that run in turn, each with a stack of the same shape;
//! groups whose stacks have become equal are merged again.
//!
//! - [`group`]: stacks, splitting, merging;
//! - [`straight`]: the loop over instructions, as long as nothing concerns the stack or other lanes;
//! - [`run`]: what the loop stops for: divergence, calls, collective operations, barriers, spinning;
//! - [`call`]: frames; [`collective`]: operations among lanes; [`exchange`]: what they compute; [`spin`]: how it
//!   is noticed that nothing will change.

mod call;
mod collective;
mod exchange;
mod external;
mod group;
mod run;
mod spin;
mod straight;

pub(crate) use external::fault_of;
pub(crate) use group::{Entry, Group, State};
pub(crate) use run::{FaultAt, Run, Stop, run_group};
pub(crate) use straight::{Event, sum_up};

use super::access::Local;
use super::lanes::{LANES, Lanes, Mask, TRUE, ThreadContext};
use super::{FunctionCode, KernelCode};
use heddle_image::{HostRoom, NoRoom};
use smallvec::SmallVec;
use spin::LOCAL_COMPARED;

/// Words of a row.
const ROW_WORDS: usize = LANES / 2;

/// Local memory that a thread may use: its frames, and its registers where calls keep them.
pub(crate) const LOCAL_LIMIT: u64 = 512 << 10;

/// What a call takes of it beside registers and variables: the return address and the lanes that wait.
pub(crate) const CALL_BYTES: u64 = 16;

/// What the frame of a kernel takes in all lanes of a warp.
pub(crate) fn kernel_bytes(code: &KernelCode) -> u64 {
    code.functions.first().map_or(0, |kernel| u64::from(kernel.frame_bytes) * LANES as u64)
}

/// What a warp of a kernel takes of the host before it calls anything. Registers, and as much local memory as is
/// compared, are there twice: [`spin`] remembers a state.
pub(crate) fn host_bytes(code: &KernelCode) -> u64 {
    let Some(kernel) = code.functions.first() else { return 0 };
    let rows = u64::from(kernel.narrow_rows) * ROW_WORDS as u64 + u64::from(kernel.wide_rows) * LANES as u64;
    let registers = 8 * rows + 4 * u64::from(kernel.predicates);
    let local = kernel_bytes(code);
    let remembered = registers + if local > LOCAL_COMPARED as u64 { 0 } else { local };
    size_of::<Warp>() as u64 + registers + local + remembered
}

/// Where a call's registers, predicates and local memory start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// First row of up to 32 bits.
    pub(crate) narrow: u32,
    /// First row of 64 bits.
    pub(crate) wide: u32,
    /// First predicate.
    pub(crate) predicate: u32,
    /// First byte of local memory.
    pub(crate) local: u32,
    /// Where local memory ends while the function executes.
    pub(crate) local_end: u32,
    /// The call that made it, in the kernel's table of calls; 0 for the kernel's own.
    pub(crate) call: u32,
}

/// A warp. What every instruction looks at comes first, as in a [`Group`].
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(crate) struct Warp {
    /// Instructions executed.
    pub(crate) executed: u64,
    narrow: Vec<u64>,
    wide: Vec<u64>,
    predicates: SmallVec<[Mask; 12]>,
    /// The groups, in the order in which they take turns.
    pub(crate) groups: SmallVec<[Group; 1]>,
    /// The group whose turn is next.
    pub(crate) next: usize,
    /// Lanes that have not ended.
    pub(crate) live: Mask,
    /// Whether lanes ended since the block last asked.
    pub(crate) ended: bool,
    pub(crate) local: Local,
    /// Groups that are not in use, with their allocations.
    spare: Vec<Group>,
    pub(crate) context: ThreadContext,
    /// Bytes that its frames have taken of [`Stacks`](super::stacks::Stacks), at their deepest.
    stack_bytes: u64,
}

/// Words of registers that a warp keeps from launch to launch; what calls have piled up is given back.
const KEPT_WORDS: usize = 1 << 13;

impl Warp {
    /// Gives back storage that few kernels need.
    pub(crate) fn forget_what_is_large(&mut self) {
        if self.narrow.len() + self.wide.len() > KEPT_WORDS || self.local.stride > KEPT_WORDS {
            *self = Warp::default();
        }
    }

    /// Starts a kernel with these lanes, behind so many spare rows of both files.
    pub(crate) fn start(&mut self, code: &KernelCode, lanes: Mask, spare_rows: u32) {
        let function = &code.functions[0];
        self.live = lanes;
        self.executed = 0;
        self.ended = false;
        self.next = 0;
        self.local.reset(function.frame_bytes as usize);
        self.stack_bytes = self.stack_bytes.max(kernel_bytes(code));
        while let Some(group) = self.groups.pop() {
            self.spare.push(group);
        }
        let mut group = self.spare.pop().unwrap_or_default();
        let frame = Frame {
            narrow: spare_rows,
            wide: spare_rows,
            local_end: function.frame_bytes,
            ..Frame::default()
        };
        group.start(lanes, frame);
        self.groups.push(group);
        self.enter(function, frame, Mask::MAX);
    }

    /// Whether the host has room for what [`Warp::enter`] and [`Local::grow`] allocate for a frame.
    fn ask_host(
        &self,
        room: &mut HostRoom,
        group: &Group,
        function: &FunctionCode,
        frame: Frame,
    ) -> Result<(), NoRoom> {
        let narrow = (frame.narrow + function.narrow_rows.max(1)) as usize * ROW_WORDS;
        let wide = (frame.wide + function.wide_rows.max(1)) as usize * LANES;
        let predicates = (frame.predicate + function.predicates) as usize;
        room.ask_to_grow::<u64>(self.narrow.capacity(), narrow)?;
        room.ask_to_grow::<u64>(self.wide.capacity(), wide)?;
        room.ask_to_grow::<Mask>(self.predicates.capacity(), predicates)?;
        room.ask_to_grow::<Frame>(group.frames.capacity(), group.frames.len() + 1)?;
        room.ask_to_grow::<Entry>(group.stack.capacity(), group.stack.len() + 1)?;
        // Twice the length at most, as a vector.
        room.ask_to_grow::<[u8; LANES]>(self.local.stride, frame.local_end as usize)
    }

    /// Makes room for a function's frame and puts its registers in order.
    fn enter(&mut self, function: &FunctionCode, frame: Frame, lanes: Mask) {
        for (file, rows, words) in [
            (&mut self.narrow, frame.narrow + function.narrow_rows.max(1), ROW_WORDS),
            (&mut self.wide, frame.wide + function.wide_rows.max(1), LANES),
        ] {
            let words = rows as usize * words;
            if file.len() < words {
                file.resize(words, 0);
            }
        }
        let predicates = (frame.predicate + function.predicates) as usize;
        if self.predicates.len() < predicates {
            self.predicates.resize(predicates, 0);
        }
        for (number, predicate) in
            self.predicates[frame.predicate as usize..predicates].iter_mut().enumerate()
        {
            // Only the bits of these lanes: others may have other frames here.
            if number == TRUE as usize {
                *predicate |= lanes;
            } else {
                *predicate &= !lanes;
            }
        }
        let mut view = self.lanes(frame, &[]);
        for &(row, bytes) in &function.cleared_rows {
            match bytes {
                8 => view.set_u64(row, lanes, &[0; LANES]),
                _ => view.set_u32(row, lanes, &[0; LANES]),
            }
        }
        for &(row, bytes, offset) in &function.frame_addresses {
            let address = u64::from(frame.local) + u64::from(offset);
            match bytes {
                8 => view.set_u64(row, lanes, &[address; LANES]),
                _ => view.set_u32(row, lanes, &[address as u32; LANES]),
            }
        }
    }

    /// The registers as a function with this frame sees them.
    #[inline(always)]
    pub(crate) fn lanes<'a>(&'a mut self, frame: Frame, constants: &'a [u64]) -> Lanes<'a> {
        Lanes {
            narrow: &mut self.narrow[frame.narrow as usize * ROW_WORDS..],
            wide: &mut self.wide[frame.wide as usize * LANES..],
            predicates: &mut self.predicates[frame.predicate as usize..],
            constants,
            context: &self.context,
        }
    }

    /// The group that goes on next: the one whose turn it is if it can, else the next one that can. A group that
    /// repeats itself goes on too, as in a machine with time.
    #[inline(always)]
    pub(crate) fn runnable(&self) -> Option<usize> {
        let can = |group: &Group| matches!(group.state, State::Ready | State::Spinning(_));
        if let [group] = &self.groups[..] {
            return can(group).then_some(0);
        }
        let count = self.groups.len();
        (0..count).map(|step| (self.next + step) % count).find(|&index| can(&self.groups[index]))
    }

    /// Puts a group back among those not in use.
    pub(crate) fn retire(&mut self, group: Group) {
        self.spare.push(group);
    }

    /// Lets collective operations go on whose lanes are all there, and merges groups.
    pub(crate) fn regroup(&mut self, code: &KernelCode) {
        if self.groups.len() > 1 || self.groups.first().is_some_and(|group| group.state == State::Collective)
        {
            self.complete_collectives(code);
            self.merge();
        }
    }

    /// Merges groups that can go on and whose stacks are equal.
    pub(crate) fn merge(&mut self) {
        for group in &mut self.groups {
            group.settle();
        }
        let mut first = 0;
        while first < self.groups.len() {
            let mut second = first + 1;
            while second < self.groups.len() {
                if self.groups[first].is_ready()
                    && self.groups[second].is_ready()
                    && self.groups[first].same_place(&self.groups[second])
                {
                    let other = self.groups.remove(second);
                    self.groups[first].absorb(&other);
                    self.retire(other);
                } else {
                    second += 1;
                }
            }
            first += 1;
        }
    }

    /// Splits `lanes` off a group; the new group is the last.
    pub(crate) fn split(&mut self, group: usize, lanes: Mask) -> usize {
        let mut new = self.spare.pop().unwrap_or_default();
        self.groups[group].split(lanes, &mut new);
        self.groups.push(new);
        self.groups.len() - 1
    }
}
