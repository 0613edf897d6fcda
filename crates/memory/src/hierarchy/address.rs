//! Which slice of L2 a line belongs to, and its address inside the slice.
//!
//! [`SliceMap`](super::SliceMap) says which block of memory belongs to which slice. A slice's tags see addresses
//! with the slice taken out, and the way back is a multiplication. Policies of L2 that look at addresses (a
//! prefetcher that follows strides) see these too: they follow the lines of one slice.

use crate::request::LineAddress;
use heddle_engine::Divisor;

/// The map from lines to slices.
#[derive(Clone, Copy, Debug)]
pub(super) struct SliceAddresses {
    slices: Divisor,
    /// Log2 of the granularity.
    shift: u32,
}

impl SliceAddresses {
    /// So many slices (at most 65536), in turn for blocks of this many bytes, a power of two.
    pub(super) fn new(slices: u32, granularity: u64) -> SliceAddresses {
        SliceAddresses { slices: Divisor::new(slices.into()), shift: granularity.max(1).ilog2() }
    }

    /// The slice, and the line's address there.
    #[inline(always)]
    pub(super) fn split(self, line: LineAddress) -> (u16, LineAddress) {
        let (block, slice) = self.slices.divide(line.0 >> self.shift);
        let within = line.0 & ((1 << self.shift) - 1);
        (slice as u16, LineAddress((block << self.shift) | within))
    }

    /// The line that a slice knows by this address.
    #[inline(always)]
    pub(super) fn join(self, slice: u16, local: LineAddress) -> LineAddress {
        let block = (local.0 >> self.shift).wrapping_mul(self.slices.get()).wrapping_add(u64::from(slice));
        LineAddress((block << self.shift) | (local.0 & ((1 << self.shift) - 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn neighbouring_blocks_go_to_neighbouring_slices_and_fill_all_sets() {
        let map = SliceAddresses::new(12, 256);
        let at = |address| map.split(LineAddress(address));
        assert_eq!(at(0), (0, LineAddress(0)));
        assert_eq!(at(128), (0, LineAddress(128)));
        assert_eq!(at(256), (1, LineAddress(0)));
        assert_eq!(at(12 * 256), (0, LineAddress(256)));
    }

    proptest! {
        #[test]
        fn the_way_back_is_exact(address in 0u64..1 << 56, slices in 1u32..65536, shift in 7u32..14) {
            let map = SliceAddresses::new(slices, 1 << shift);
            let line = LineAddress(address & !127);
            let (slice, local) = map.split(line);
            prop_assert!(u32::from(slice) < slices);
            prop_assert_eq!(u64::from(slice), (line.0 >> shift) % u64::from(slices));
            prop_assert_eq!(map.join(slice, local), line);
        }
    }
}
