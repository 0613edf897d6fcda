//! How lines are interleaved over the slices of a cache.
//!
//! Memory is cut into blocks, and block `b` belongs to slice `b mod slices`. A slice counts its own blocks, `b div
//! slices`, to choose sets and banks, so that all of them are used whatever the number of slices. Tags, MSHRs and
//! policies hold the line's address as everybody knows it.

use crate::ids::SliceId;
use crate::request::LineAddress;
use heddle_engine::Divisor;

/// Which lines the slices of a cache hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slicing {
    slices: Divisor,
    /// Log2 of a block's bytes.
    shift: u32,
}

impl Slicing {
    /// One slice, which holds every line.
    pub fn whole() -> Slicing {
        Slicing::new(1, 1)
    }

    /// So many slices (at most 65536), in turn for blocks of this many bytes, a power of two of at least a line.
    pub fn new(slices: u32, block_bytes: u64) -> Slicing {
        Slicing { slices: Divisor::new(slices.into()), shift: block_bytes.max(1).ilog2() }
    }

    /// How many slices there are.
    pub(super) fn slices(self) -> u32 {
        self.slices.get() as u32
    }

    /// The slice that a line belongs to.
    #[inline(always)]
    pub fn slice_of(self, line: LineAddress) -> SliceId {
        SliceId(self.slices.divide(line.0 >> self.shift).1 as u16)
    }

    /// The address among the blocks of the line's own slice.
    #[inline(always)]
    pub(super) fn within(self, line: LineAddress) -> u64 {
        if self.slices.get() == 1 {
            return line.0;
        }
        let (block, _) = self.slices.divide(line.0 >> self.shift);
        block << self.shift | line.0 & ((1 << self.shift) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn neighbouring_blocks_go_to_neighbouring_slices_and_fill_all_sets() {
        let map = Slicing::new(12, 256);
        let at = |address| (map.slice_of(LineAddress(address)).0, map.within(LineAddress(address)));
        assert_eq!(at(0), (0, 0));
        assert_eq!(at(128), (0, 128));
        assert_eq!(at(256), (1, 0));
        assert_eq!(at(12 * 256), (0, 256));
    }

    proptest! {
        #[test]
        fn a_slice_tells_all_of_its_lines_apart(address in 0u64..1 << 56, slices in 1u32..65536, shift in 7u32..14) {
            let map = Slicing::new(slices, 1 << shift);
            let line = LineAddress(address & !127);
            let (slice, within) = (map.slice_of(line).0, map.within(line));
            prop_assert!(u32::from(slice) < slices);
            prop_assert_eq!(u64::from(slice), (line.0 >> shift) % u64::from(slices));
            let block = (within >> shift) * u64::from(slices) + u64::from(slice);
            prop_assert_eq!(block << shift | within & ((1 << shift) - 1), line.0);
        }
    }
}
