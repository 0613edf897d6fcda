//! Generic addresses: which memory each lane means, by the windows.

use super::Space;
use super::bytes::lanes_of;
use crate::exec::lanes::{LANES, Mask};
use crate::exec::windows::{LOCAL, PARAMETERS, SHARED, Window};

/// The windows of the generic address space with what lies behind them, except global memory.
const WINDOWS: [(Space, Window); 3] =
    [(Space::Shared, SHARED), (Space::Local, LOCAL), (Space::Parameter, PARAMETERS)];

/// The lanes of `mask` whose addresses fall into each memory, and their addresses in it.
///
/// Addresses in no window are left to global memory, whose check names the allocation that they missed.
pub(crate) fn resolve(addresses: &mut [u64; LANES], mask: Mask) -> [(Space, Mask); 4] {
    let mut result = [(Space::Global, 0), (Space::Shared, 0), (Space::Local, 0), (Space::Parameter, 0)];
    for lane in lanes_of(mask) {
        let address = addresses[lane];
        let found = WINDOWS.iter().position(|(_, window)| window.contains(address));
        match found {
            Some(window) => {
                addresses[lane] -= WINDOWS[window].1.start;
                result[window + 1].1 |= 1 << lane;
            }
            None => result[0].1 |= 1 << lane,
        }
    }
    result
}
