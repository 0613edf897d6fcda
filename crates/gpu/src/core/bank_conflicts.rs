//! How many turns an access to shared memory takes.
//!
//! A bank gives one word of four bytes per turn, to every lane that wants it. Lanes that want different words of
//! one bank take turns; atomic operations on one word take turns as well.

use heddle_ptx::exec::{LANES, Mask};

/// Turns that the lanes of `mask` take for `bytes` each.
pub(crate) fn turns(addresses: &[u64; LANES], mask: Mask, bytes: u64, banks: u32, atomic: bool) -> u32 {
    let banks = u64::from(banks.max(1));
    let words = bytes.div_ceil(4).max(1);
    let mut seen = [(u64::MAX, 0u32); 8 * LANES];
    let mut count = 0;
    let mut rest = mask;
    let mut most = 1;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        for word in 0..words.min(8) {
            let word = addresses[lane] / 4 + word;
            let known = &seen[..count];
            if !atomic && known.iter().any(|&(other, _)| other == word) {
                continue;
            }
            let before = known.iter().filter(|&&(other, _)| other % banks == word % banks).count() as u32;
            seen[count] = (word, before);
            count += 1;
            most = most.max(before + 1);
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::turns;

    fn stride(stride: u64) -> [u64; 32] {
        std::array::from_fn(|lane| lane as u64 * stride)
    }

    #[test]
    fn words_of_one_bank_take_turns() {
        assert_eq!(turns(&stride(4), u32::MAX, 4, 32, false), 1);
        assert_eq!(turns(&stride(8), u32::MAX, 4, 32, false), 2);
        assert_eq!(turns(&stride(128), u32::MAX, 4, 32, false), 32);
        assert_eq!(turns(&stride(128), 0xff, 4, 32, false), 8);
        assert_eq!(turns(&stride(0), u32::MAX, 4, 32, false), 1, "a word is given to all who want it");
        assert_eq!(turns(&stride(0), u32::MAX, 4, 32, true), 32, "but changed by one at a time");
        assert_eq!(turns(&stride(8), u32::MAX, 8, 32, false), 2, "two words a lane");
        assert_eq!(turns(&stride(1), u32::MAX, 1, 32, false), 1, "four lanes a word");
    }
}
