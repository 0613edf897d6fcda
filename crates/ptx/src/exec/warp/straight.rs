//! The loop over instructions, as long as nothing concerns the stack or other lanes.
//!
//! This is where a run spends its time: no allocation, no hashing, no indirection but the handler's.

use crate::exec::access::{Fault, Memory, WarpAccess, form, sectors};
use crate::exec::lanes::{LANES, Lanes, Mask, TRUE};
use crate::exec::{AccessCode, Action, InstructionCount, KernelCode, Kind, Space};
use heddle_image::FIRST_ADDRESS;

/// Backward branches after which it is looked whether the group repeats itself.
const BACKWARD: u32 = 64;

/// Where the loop is.
pub(super) struct Segment {
    /// The next instruction.
    pub(super) pc: u32,
    /// Where to stop.
    pub(super) reconvergence: u32,
    /// The lanes.
    pub(super) mask: Mask,
    /// The function's frame in local memory.
    pub(super) frame: u64,
    /// Instructions that may be executed; looked at only where a branch is taken.
    pub(super) budget: u64,
    /// Instructions executed.
    pub(super) executed: u64,
    /// Backward branches since it was last looked at.
    pub(super) backward: u32,
    /// Whether sectors are counted.
    pub(super) count_sectors: bool,
}

/// What the loop stopped for. Except for the first three, the instruction has been counted and not executed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// The reconvergence point was reached.
    Reconverged,
    /// The budget is used up.
    Budget,
    /// Many backward branches were taken.
    Backward,
    /// Only these lanes take the branch to this target, and meet the others at this instruction.
    Diverge(Mask, u32, u32),
    /// Something that concerns the stack, other lanes or the clock, for these lanes.
    Special(Mask),
}

/// Counts instructions by runs: one addition where a run begins and one subtraction where it ends, which are
/// summed up at the end of the launch ([`sum_up`]).
struct Tally<'c> {
    counts: &'c mut [InstructionCount],
    /// Where the run began.
    from: u32,
    /// Lanes of the run.
    lanes: u64,
    executed: u64,
}

impl Tally<'_> {
    /// A run ended before `end`, and the next begins at `next`.
    #[inline(always)]
    fn close(&mut self, end: u32, next: u32) {
        let first = &mut self.counts[self.from as usize];
        first.warps = first.warps.wrapping_add(1);
        first.lanes = first.lanes.wrapping_add(self.lanes);
        let behind = &mut self.counts[end as usize];
        behind.warps = behind.warps.wrapping_sub(1);
        behind.lanes = behind.lanes.wrapping_sub(self.lanes);
        self.executed += u64::from(end - self.from);
        self.from = next;
    }

    /// Only so many lanes of the run execute an instruction.
    #[inline(always)]
    fn guarded(&mut self, pc: u32, active: Mask) {
        let missing = self.lanes - u64::from(active.count_ones());
        let own = &mut self.counts[pc as usize];
        own.lanes = own.lanes.wrapping_sub(missing);
        let next = &mut self.counts[pc as usize + 1];
        next.lanes = next.lanes.wrapping_add(missing);
    }
}

/// Turns the differences that runs were counted by into counts.
pub(crate) fn sum_up(counts: &mut [InstructionCount]) {
    let (mut warps, mut lanes) = (0u64, 0u64);
    for count in counts {
        warps = warps.wrapping_add(count.warps);
        lanes = lanes.wrapping_add(count.lanes);
        (count.warps, count.lanes) = (warps, lanes);
    }
}

/// Executes instructions until something happens that the loop does not deal with. After an error, the segment
/// is at the instruction that made it. `counts` has one more place than the code has instructions.
#[inline(never)]
pub(super) fn straight(
    code: &KernelCode,
    lanes: &mut Lanes<'_>,
    memory: &mut Memory<'_>,
    counts: &mut [InstructionCount],
    access: &mut WarpAccess,
    segment: &mut Segment,
) -> Result<Event, Box<Fault>> {
    let operations = &code.operations[..];
    let (reconvergence, mask) = (segment.reconvergence, segment.mask);
    let mut pc = segment.pc;
    let mut tally = Tally { counts, from: pc, lanes: u64::from(mask.count_ones()), executed: 0 };
    let result = loop {
        if pc == reconvergence {
            break Ok(Event::Reconverged);
        }
        let operation = &operations[pc as usize];
        let mut active = mask;
        if operation.guard != TRUE {
            let negate = if operation.guard_negated { Mask::MAX } else { 0 };
            active &= lanes.predicate(operation.guard) ^ negate;
            tally.guarded(pc, active);
        }
        match operation.kind {
            Kind::Alu(handler) if active != 0 => handler(lanes, operation, active),
            Kind::Access(number) if active != 0 => {
                let code = &code.accesses[number as usize];
                (access.access, access.mask) = (number, active);
                let sectors = segment.count_sectors.then(|| &mut tally.counts[pc as usize].sectors);
                if sectors.is_none() {
                    access.mask = (code.quick)(memory, number, code, active, lanes);
                }
                if access.mask != 0
                    && let Err(fault) = perform(code, access, memory, lanes, segment.frame, sectors)
                {
                    break Err(fault);
                }
            }
            Kind::Branch(target) if active == mask => {
                tally.close(pc + 1, target);
                let backward = target <= pc;
                pc = target;
                if backward && segment.goes_back() {
                    break Ok(Event::Backward);
                }
                if tally.executed >= segment.budget {
                    break Ok(Event::Budget);
                }
                continue;
            }
            Kind::Branch(target) if active != 0 => {
                tally.counts[pc as usize].divergent += 1;
                break Ok(Event::Diverge(active, target, operation.extra));
            }
            Kind::Fence | Kind::Nothing => {}
            _ if active != 0 => break Ok(Event::Special(active)),
            _ => {}
        }
        pc += 1;
    };
    let counted = matches!(result, Err(_) | Ok(Event::Diverge(..) | Event::Special(_)));
    let end = pc + u32::from(counted);
    if end != tally.from {
        tally.close(end, end);
    }
    segment.pc = pc;
    segment.executed = tally.executed;
    result
}

impl Segment {
    /// A backward branch is taken; whether it is time to look at the group.
    #[inline(always)]
    fn goes_back(&mut self) -> bool {
        self.backward += 1;
        let look = self.backward >= BACKWARD;
        if look {
            self.backward = 0;
        }
        look
    }
}

/// Forms an access and has it serviced at once. Not inlined, so that the loop keeps its registers.
#[inline(never)]
fn perform(
    code: &AccessCode,
    access: &mut WarpAccess,
    memory: &mut Memory<'_>,
    lanes: &mut Lanes<'_>,
    frame: u64,
    counted: Option<&mut u64>,
) -> Result<(), Box<Fault>> {
    form(&code.address, lanes, frame, access.mask, &mut access.addresses);
    if let Some(counted) = counted {
        let mask = in_global_memory(code, &access.addresses, access.mask);
        *counted += sectors(&access.addresses, mask, code.bytes());
    }
    memory.service(code, access, lanes)
}

/// The lanes whose sectors are counted: those that mean global memory, by name or by generic address.
fn in_global_memory(access: &AccessCode, addresses: &[u64; LANES], mask: Mask) -> Mask {
    match (access.action, access.space) {
        (Action::Texture { .. }, _) => 0,
        (_, Space::Global) => mask,
        (_, Space::Generic) => {
            let global = |lane: &usize| addresses[*lane] >= FIRST_ADDRESS;
            (0..LANES).filter(global).fold(0, |lanes, lane| lanes | 1 << lane) & mask
        }
        _ => 0,
    }
}
