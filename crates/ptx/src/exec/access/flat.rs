//! Loads and stores of a warp on one contiguous memory.
//!
//! The quick functions serve the lanes that are in range and aligned, and return the others; the careful ones
//! serve one lane and say what is wrong with it.

use super::bytes::{gather, gather_u32, lanes_of, load_element, scatter, scatter_u32, store_element};
use super::value::{extend, read_value, write_value};
use super::{AccessCode, Data, ELEMENTS};
use crate::exec::lanes::{LANES, Lanes, Mask};

/// Loads; returns the lanes that were not served.
#[inline(always)]
pub(super) fn load(
    memory: &[u8],
    start: u64,
    code: &AccessCode,
    signed: bool,
    addresses: &[u64; LANES],
    mask: Mask,
    lanes: &mut Lanes<'_>,
) -> Mask {
    let data = code.data[0];
    if code.elements == 1 && code.element == 4 && data.bytes == 4 {
        let mut values = [0; LANES];
        let failed = gather_u32(memory, start, addresses, mask, &mut values);
        lanes.set_u32(data.row, mask & !failed, &values);
        return failed;
    }
    if code.elements == 1 {
        let mut values = [0; LANES];
        let failed = match code.element {
            1 => gather::<u8>(memory, start, addresses, mask, &mut values),
            2 => gather::<u16>(memory, start, addresses, mask, &mut values),
            4 => gather::<u32>(memory, start, addresses, mask, &mut values),
            _ => gather::<u64>(memory, start, addresses, mask, &mut values),
        };
        if signed {
            values = values.map(|value| extend(value, code.element, true));
        }
        write_value(lanes, data, mask & !failed, &values);
        return failed;
    }
    load_vector(memory, start, code, signed, addresses, mask, lanes)
}

fn load_vector(
    memory: &[u8],
    start: u64,
    code: &AccessCode,
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
        write_value(lanes, code.data[element], mask & !failed, values);
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
    let data = code.data[0];
    if code.elements == 1 && code.element == 4 && data.bytes != 8 {
        return scatter_u32(memory, start, addresses, mask, lanes.u32(data.row), changes);
    }
    if code.elements == 1 {
        let values = values_of(lanes, data);
        return match code.element {
            1 => scatter::<u8>(memory, start, addresses, mask, &values, changes),
            2 => scatter::<u16>(memory, start, addresses, mask, &values, changes),
            4 => scatter::<u32>(memory, start, addresses, mask, &values, changes),
            _ => scatter::<u64>(memory, start, addresses, mask, &values, changes),
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

/// All lanes of a register.
#[inline(always)]
fn values_of(lanes: &Lanes<'_>, data: Data) -> [u64; LANES] {
    if data.bytes == 8 { *lanes.u64(data.row) } else { lanes.u32(data.row).map(u64::from) }
}

/// Whether an access is in range and aligned to its size.
#[inline(always)]
pub(super) fn fits(memory: &[u8], offset: u64, bytes: u64) -> bool {
    let length = memory.len() as u64;
    offset & (bytes - 1) == 0 && offset < length && bytes <= length - offset
}

/// Writes what one lane loaded.
pub(super) fn load_lane(bytes: &[u8], code: &AccessCode, signed: bool, lane: usize, lanes: &mut Lanes<'_>) {
    for (element, part) in bytes.chunks_exact(usize::from(code.element)).enumerate().take(ELEMENTS) {
        let value = extend(super::value::from_bytes(part), code.element, signed);
        write_lane(lanes, code.data[element], lane, value);
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
