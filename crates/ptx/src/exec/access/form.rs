//! The addresses of a warp that executes an access.

use super::{AddressCode, Base};
use crate::exec::lanes::{LANES, Lanes, Mask, is_few, lanes_of};

/// An access by the lanes of a warp: all that a memory system needs beside the static access.
#[derive(Clone, Debug)]
pub struct WarpAccess {
    /// The number of the static access in the kernel's code.
    pub access: u32,
    /// The lanes that take part.
    pub mask: Mask,
    /// The address of each of them (of others: anything), in the access's state space.
    pub addresses: [u64; LANES],
}

impl Default for WarpAccess {
    fn default() -> WarpAccess {
        WarpAccess { access: 0, mask: 0, addresses: [0; LANES] }
    }
}

/// Computes the addresses of the lanes of `mask`; `frame` is the address of the function's frame in local
/// memory.
#[inline(always)]
pub fn form(address: &AddressCode, lanes: &Lanes<'_>, frame: u64, mask: Mask, addresses: &mut [u64; LANES]) {
    let offset = address.offset;
    match address.base {
        Base::Row64(row) => {
            let base = lanes.u64(row);
            if is_few(mask) {
                for lane in lanes_of(mask) {
                    addresses[lane] = base[lane].wrapping_add(offset);
                }
            } else {
                for lane in 0..LANES {
                    addresses[lane] = base[lane].wrapping_add(offset);
                }
            }
        }
        Base::Row32(row) => {
            let base = lanes.u32(row);
            for lane in 0..LANES {
                // A 32-bit address wraps around at 32 bits.
                addresses[lane] = u64::from(base[lane].wrapping_add(offset as u32));
            }
        }
        Base::Absolute => addresses.fill(offset),
        Base::Frame => addresses.fill(frame.wrapping_add(offset)),
    }
}
