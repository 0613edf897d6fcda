//! How many sectors of 32 bytes a warp touches.

use super::bytes::lanes_of;
use crate::exec::lanes::{LANES, Mask};

/// Sectors of 32 bytes that the lanes of a mask touch together, `bytes` each.
pub(crate) fn sectors(addresses: &[u64; LANES], mask: Mask, bytes: u64) -> u64 {
    // An access of at most 64 aligned bytes touches two sectors at most.
    let mut seen = [0; 2 * LANES];
    let mut count = 0;
    for lane in lanes_of(mask) {
        let (first, last) = (addresses[lane] / 32, addresses[lane].wrapping_add(bytes - 1) / 32);
        for sector in [first, last] {
            if !seen[..count].contains(&sector) {
                seen[count] = sector;
                count += 1;
            }
        }
    }
    count as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warp_of_consecutive_words_touches_four_sectors() {
        let addresses = std::array::from_fn(|lane| 4096 + 4 * lane as u64);
        assert_eq!(sectors(&addresses, Mask::MAX, 4), 4);
        assert_eq!(sectors(&addresses, 1, 4), 1);
    }

    #[test]
    fn scattered_lanes_touch_a_sector_each() {
        let addresses = std::array::from_fn(|lane| 4096 + 64 * lane as u64);
        assert_eq!(sectors(&addresses, Mask::MAX, 4), 32);
    }
}
