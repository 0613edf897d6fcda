//! Which bytes of a region have been written, one bit each.

/// A bit per byte, and how many are still unset.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    bits: Vec<u64>,
    missing: u64,
}

impl Written {
    pub(crate) fn nothing_of(bytes: u64) -> Written {
        Written { bits: vec![0; bytes.div_ceil(64) as usize], missing: bytes }
    }

    /// Marks a range; true when nothing is missing any more.
    pub(crate) fn mark(&mut self, offset: u64, bytes: u64) -> bool {
        for (word, mask) in words(offset, bytes) {
            let word = &mut self.bits[word];
            self.missing -= u64::from((mask & !*word).count_ones());
            *word |= mask;
        }
        self.missing == 0
    }

    /// Shows all bits.
    pub(crate) fn show(&self, look: &mut impl FnMut(&[u8])) {
        self.bits.iter().for_each(|word| look(&word.to_le_bytes()));
    }

    /// Whether all bytes of a range were written.
    pub(crate) fn covers(&self, offset: u64, bytes: u64) -> bool {
        words(offset, bytes).all(|(word, mask)| self.bits[word] & mask == mask)
    }
}

/// The words that a range of bits touches, each with the mask of its bits.
fn words(offset: u64, bytes: u64) -> impl Iterator<Item = (usize, u64)> {
    let end = offset + bytes;
    let last = if bytes == 0 { offset / 64 } else { (end - 1) / 64 + 1 };
    (offset / 64..last).map(move |word| {
        let from = offset.max(word * 64) % 64;
        let length = end.min((word + 1) * 64) - offset.max(word * 64);
        (word as usize, u64::MAX >> (64 - length) << from)
    })
}
