//! Atomic operations of a warp: lane after lane, each as the image's unit computes it.

use super::flat::{fits, write_lane};
use super::value::from_bytes;
use super::{AccessCode, Action, Data, ELEMENTS, bytes::lanes_of, read_value, write_value};
use crate::exec::lanes::{LANES, Lanes, Mask};
use heddle_image::atomic::apply;

/// Performs the operation on one contiguous memory; returns the lanes that were not served.
#[inline(always)]
pub(super) fn flat(
    memory: &mut [u8],
    start: u64,
    code: &AccessCode,
    addresses: &[u64; LANES],
    mask: Mask,
    lanes: &mut Lanes<'_>,
    changes: &mut u64,
) -> Mask {
    let Action::Atomic { operation, ty, old, swap } = code.action else { return mask };
    let mut failed = 0;
    if code.elements > 1 {
        for lane in lanes_of(mask) {
            let offset = addresses[lane].wrapping_sub(start);
            if fits(memory, offset, code.bytes()) {
                let part = &mut memory[offset as usize..(offset + code.bytes()) as usize];
                *changes += u64::from(self::lane(part, code, lane, lanes));
            } else {
                failed |= 1 << lane;
            }
        }
        return failed;
    }
    let size = usize::from(code.element);
    let mut values = [0; LANES];
    for lane in lanes_of(mask) {
        let offset = addresses[lane].wrapping_sub(start);
        if !fits(memory, offset, code.bytes()) {
            failed |= 1 << lane;
            continue;
        }
        let part = &mut memory[offset as usize..offset as usize + size];
        let before = from_bytes(part);
        let cut = |data: Data| read_value(lanes, data, lane) & u64::MAX >> (64 - 8 * size);
        let third = if swap.bytes == 0 { 0 } else { cut(swap) };
        let after = apply(operation, ty, before, cut(code.data[0]), third);
        part.copy_from_slice(&after.to_le_bytes()[..size]);
        *changes += u64::from(before != after);
        values[lane] = before;
    }
    write_value(lanes, old[0], mask & !failed, &values);
    failed
}

/// Performs the operation of one lane on the bytes that it addresses; whether they changed.
pub(super) fn lane(part: &mut [u8], code: &AccessCode, lane: usize, lanes: &mut Lanes<'_>) -> bool {
    let Action::Atomic { operation, ty, old, swap } = code.action else { return false };
    let size = usize::from(code.element);
    let mut changed = false;
    for (element, part) in part.chunks_exact_mut(size).enumerate().take(ELEMENTS) {
        let before = from_bytes(part);
        let cut = |data: Data| read_value(lanes, data, lane) & u64::MAX >> (64 - 8 * size);
        let third = if swap.bytes == 0 { 0 } else { cut(swap) };
        let after = apply(operation, ty, before, cut(code.data[element]), third);
        part.copy_from_slice(&after.to_le_bytes()[..size]);
        changed |= before != after;
        write_lane(lanes, old[element], lane, before);
    }
    changed
}
