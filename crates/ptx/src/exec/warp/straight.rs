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
    /// Instructions that may still be executed.
    pub(super) budget: u64,
    /// Backward branches so far.
    pub(super) backward: u32,
}

/// What the loop stopped for. Except for the first three, the instruction has been counted and not executed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
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

/// Executes instructions until something happens that the loop does not deal with. After an error, the segment
/// is at the instruction that made it.
#[inline(never)]
pub(super) fn straight(
    code: &KernelCode,
    lanes: &mut Lanes<'_>,
    memory: &mut Memory<'_>,
    counts: &mut [InstructionCount],
    access: &mut WarpAccess,
    segment: &mut Segment,
    count_sectors: bool,
) -> Result<Event, Box<Fault>> {
    let operations = &code.operations[..];
    let counts = &mut counts[..operations.len()];
    let Segment { reconvergence, mask, frame, .. } = *segment;
    let all = u64::from(mask.count_ones());
    let mut pc = segment.pc;
    let mut budget = segment.budget;
    let result = loop {
        if pc == reconvergence {
            break Ok(Event::Reconverged);
        }
        if budget == 0 {
            break Ok(Event::Budget);
        }
        let operation = &operations[pc as usize];
        let count = &mut counts[pc as usize];
        let (active, number) = if operation.guard == TRUE {
            (mask, all)
        } else {
            let negate = if operation.guard_negated { Mask::MAX } else { 0 };
            let active = mask & (lanes.predicate(operation.guard) ^ negate);
            (active, u64::from(active.count_ones()))
        };
        budget -= 1;
        count.warps += 1;
        count.lanes += number;
        match operation.kind {
            Kind::Alu(handler) => {
                if active != 0 {
                    handler(lanes, operation, active);
                }
                pc += 1;
            }
            Kind::Access(number) => {
                if active != 0 {
                    let static_access = &code.accesses[number as usize];
                    form(&static_access.address, lanes, frame, active, &mut access.addresses);
                    access.access = number;
                    access.mask = active;
                    if count_sectors {
                        let mask = in_global_memory(static_access, &access.addresses, active);
                        count.sectors += sectors(&access.addresses, mask, static_access.bytes());
                    }
                    if let Err(fault) = memory.service(static_access, access, lanes) {
                        break Err(fault);
                    }
                }
                pc += 1;
            }
            Kind::Branch(target) => {
                if active == mask {
                    let backward = target <= pc;
                    pc = target;
                    if backward {
                        segment.backward += 1;
                        if segment.backward % BACKWARD == 0 {
                            break Ok(Event::Backward);
                        }
                    }
                } else if active == 0 {
                    pc += 1;
                } else {
                    count.divergent += 1;
                    break Ok(Event::Diverge(active, target, operation.extra));
                }
            }
            Kind::Fence | Kind::Nothing => pc += 1,
            _ if active == 0 => pc += 1,
            _ => break Ok(Event::Special(active)),
        }
    };
    segment.pc = pc;
    segment.budget = budget;
    result
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
