//! Values of lanes as up to 64 bits, whatever the width of their register.

use super::Data;
use crate::exec::lanes::{LANES, Lanes, Mask, lanes_of};

/// The value of a lane's register, extended by zero.
#[inline(always)]
pub(crate) fn read_value(lanes: &Lanes<'_>, data: Data, lane: usize) -> u64 {
    if data.bytes == 8 { lanes.u64(data.row)[lane] } else { u64::from(lanes.u32(data.row)[lane]) }
}

/// Writes the lanes of `mask` of a register that may have 1 to 8 bytes, or be absent.
#[inline(always)]
pub(crate) fn write_value(lanes: &mut Lanes<'_>, data: Data, mask: Mask, values: &[u64; LANES]) {
    match data.bytes {
        0 => {}
        8 => {
            let row = lanes.u64_mut(data.row);
            for lane in lanes_of(mask) {
                row[lane] = values[lane];
            }
        }
        bytes => {
            let keep = if bytes >= 4 { u32::MAX } else { (1 << (8 * u32::from(bytes))) - 1 };
            let row = lanes.u32_mut(data.row);
            for lane in lanes_of(mask) {
                row[lane] = values[lane] as u32 & keep;
            }
        }
    }
}

/// Writes the same value to the lanes of `mask`.
#[inline(always)]
pub(super) fn broadcast(lanes: &mut Lanes<'_>, data: Data, mask: Mask, value: u64) {
    match (data.bytes, mask) {
        (4, Mask::MAX) => lanes.u32_mut(data.row).fill(value as u32),
        (8, Mask::MAX) => lanes.u64_mut(data.row).fill(value),
        _ => write_value(lanes, data, mask, &[value; LANES]),
    }
}

/// A loaded element, extended by sign if `signed`; the register's width cuts it off.
#[inline(always)]
pub(super) fn extend(value: u64, bytes: u8, signed: bool) -> u64 {
    if signed && bytes < 8 {
        let shift = 64 - 8 * u32::from(bytes);
        ((value << shift) as i64 >> shift) as u64
    } else {
        value
    }
}

/// Up to 8 bytes, little end first.
#[inline(always)]
pub(super) fn from_bytes(bytes: &[u8]) -> u64 {
    match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    }
}
