//! Loads and stores of a warp on one contiguous memory.
//!
//! The quick functions serve the lanes that are in range and aligned, and return the others; the careful ones
//! serve one lane and say what is wrong with it.

use super::bytes::{Word, gather, lanes_of, load_element, scatter, store_element};
use super::value::{extend, read_value, write_value};
use super::{AccessCode, Data, ELEMENTS, Elements};
use crate::exec::lanes::{LANES, Lanes, Mask};

/// Loads into the registers `to`; returns the lanes that were not served.
#[inline(always)]
pub(super) fn load(
    memory: &[u8],
    start: u64,
    (code, to): (&AccessCode, &Elements),
    signed: bool,
    addresses: &[u64; LANES],
    mask: Mask,
    lanes: &mut Lanes<'_>,
) -> Mask {
    if code.elements > 1 {
        return load_vector(memory, start, (code, to), signed, addresses, mask, lanes);
    }
    match code.element {
        1 => load_words::<u8>(memory, start, to[0], signed, addresses, mask, lanes),
        2 => load_words::<u16>(memory, start, to[0], signed, addresses, mask, lanes),
        4 => load_words::<u32>(memory, start, to[0], signed, addresses, mask, lanes),
        _ => load_words::<u64>(memory, start, to[0], signed, addresses, mask, lanes),
    }
}

/// Loads one element of a word each, straight into the register.
#[inline(always)]
fn load_words<T: Word>(
    memory: &[u8],
    start: u64,
    to: Data,
    signed: bool,
    addresses: &[u64; LANES],
    mask: Mask,
    lanes: &mut Lanes<'_>,
) -> Mask {
    let Data { row, bytes } = to;
    let size = size_of::<T>() as u8;
    match (bytes, signed && bytes > size) {
        // A narrower register is a row of 32 bits too, whose upper ones are zero.
        (1..=4, false) if size <= bytes => {
            gather::<T, u32>(memory, start, addresses, mask, lanes.u32_mut(row), |value| value as u32)
        }
        (8, false) => gather::<T, u64>(memory, start, addresses, mask, lanes.u64_mut(row), |value| value),
        _ => {
            let mut values = [0; LANES];
            let convert = |value| extend(value, size, signed);
            let failed = gather::<T, u64>(memory, start, addresses, mask, &mut values, convert);
            write_value(lanes, to, mask & !failed, &values);
            failed
        }
    }
}

fn load_vector(
    memory: &[u8],
    start: u64,
    (code, to): (&AccessCode, &Elements),
    signed: bool,
    addresses: &[u64; LANES],
    mask: Mask,
    lanes: &mut Lanes<'_>,
) -> Mask {
    let mut values = [[0; LANES]; ELEMENTS];
    let mut failed = 0;
    for lane in lanes_of(mask) {
        let offset = addresses[lane].wrapping_sub(start);
        if !fits(memory, offset, code.bytes()) {
            failed |= 1 << lane;
            continue;
        }
        for (element, values) in values.iter_mut().enumerate().take(usize::from(code.elements)) {
            let at = offset + element as u64 * u64::from(code.element);
            values[lane] = load_element(memory, at, code.element, signed).unwrap_or_default();
        }
    }
    for (element, values) in values.iter().enumerate().take(usize::from(code.elements)) {
        write_value(lanes, to[element], mask & !failed, values);
    }
    failed
}

/// Stores; returns the lanes that were not served.
#[inline(always)]
pub(super) fn store(
    memory: &mut [u8],
    start: u64,
    code: &AccessCode,
    addresses: &[u64; LANES],
    mask: Mask,
    lanes: &Lanes<'_>,
    changes: &mut u64,
) -> Mask {
    if code.elements == 1 {
        return match code.element {
            1 => store_words::<u8>(memory, start, code.data[0], addresses, mask, lanes, changes),
            2 => store_words::<u16>(memory, start, code.data[0], addresses, mask, lanes, changes),
            4 => store_words::<u32>(memory, start, code.data[0], addresses, mask, lanes, changes),
            _ => store_words::<u64>(memory, start, code.data[0], addresses, mask, lanes, changes),
        };
    }
    let mut failed = 0;
    for lane in lanes_of(mask) {
        let offset = addresses[lane].wrapping_sub(start);
        if !fits(memory, offset, code.bytes()) {
            failed |= 1 << lane;
            continue;
        }
        for element in 0..usize::from(code.elements) {
            let at = offset + element as u64 * u64::from(code.element);
            let value = read_value(lanes, code.data[element], lane);
            *changes += u64::from(store_element(memory, at, code.element, value).unwrap_or_default());
        }
    }
    failed
}

/// Stores one element of a word each, straight from the register.
#[inline(always)]
fn store_words<T: Word>(
    memory: &mut [u8],
    start: u64,
    data: Data,
    addresses: &[u64; LANES],
    mask: Mask,
    lanes: &Lanes<'_>,
    changes: &mut u64,
) -> Mask {
    if data.bytes == 8 {
        scatter::<T, u64>(memory, start, addresses, mask, lanes.u64(data.row), changes)
    } else {
        scatter::<T, u32>(memory, start, addresses, mask, lanes.u32(data.row), changes)
    }
}

/// Whether an access is in range and aligned to its size.
#[inline(always)]
pub(super) fn fits(memory: &[u8], offset: u64, bytes: u64) -> bool {
    let length = memory.len() as u64;
    offset & (bytes - 1) == 0 && offset < length && bytes <= length - offset
}

/// Writes what one lane loaded.
pub(super) fn load_lane(
    bytes: &[u8],
    (code, to): (&AccessCode, &Elements),
    signed: bool,
    lane: usize,
    lanes: &mut Lanes<'_>,
) {
    for (element, part) in bytes.chunks_exact(usize::from(code.element)).enumerate().take(ELEMENTS) {
        let value = extend(super::value::from_bytes(part), code.element, signed);
        write_lane(lanes, to[element], lane, value);
    }
}

/// What one lane stores, as bytes.
pub(super) fn stored_bytes(code: &AccessCode, lane: usize, lanes: &Lanes<'_>) -> [u8; 8 * ELEMENTS] {
    let mut bytes = [0; 8 * ELEMENTS];
    let element = usize::from(code.element);
    for (number, part) in bytes.chunks_exact_mut(element).enumerate().take(usize::from(code.elements)) {
        part.copy_from_slice(&read_value(lanes, code.data[number], lane).to_le_bytes()[..element]);
    }
    bytes
}

/// Writes one lane of a register that may be absent.
pub(super) fn write_lane(lanes: &mut Lanes<'_>, data: Data, lane: usize, value: u64) {
    write_value(lanes, data, 1 << lane, &[value; LANES]);
}
