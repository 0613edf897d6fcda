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
        for position in offset..offset + bytes {
            let word = &mut self.bits[(position / 64) as usize];
            let bit = 1 << (position % 64);
            self.missing -= u64::from(*word & bit == 0);
            *word |= bit;
        }
        self.missing == 0
    }

    /// Whether all bytes of a range were written.
    pub(crate) fn covers(&self, offset: u64, bytes: u64) -> bool {
        (offset..offset + bytes)
            .all(|position| self.bits[(position / 64) as usize] >> (position % 64) & 1 == 1)
    }
}
