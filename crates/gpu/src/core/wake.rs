//! Warps that become ready at a known cycle: a ring of masks, one for each of the next cycles.

/// Cycles that the ring covers; a power of two. Longer waits are looked at again when the ring has come round.
const SLOTS: usize = 256;
const WORDS: usize = SLOTS / 64;

/// The ring.
#[derive(Clone, Debug)]
pub(super) struct WakeRing {
    slots: Vec<u64>,
    used: [u64; WORDS],
    /// The first cycle that has not been taken yet.
    next: u64,
}

impl WakeRing {
    pub(super) fn new() -> WakeRing {
        WakeRing { slots: vec![0; SLOTS], used: [0; WORDS], next: 0 }
    }

    /// Catches up with a core that slept: nothing was due before `now`.
    #[inline(always)]
    pub(super) fn catch_up(&mut self, now: u64) {
        self.next = self.next.max(now);
    }

    /// Wakes a warp at a cycle, or as late as the ring allows.
    #[inline(always)]
    pub(super) fn schedule(&mut self, warp: usize, at: u64) {
        let at = at.clamp(self.next, self.next + SLOTS as u64 - 1);
        let slot = at as usize % SLOTS;
        self.slots[slot] |= 1 << warp;
        self.used[slot / 64] |= 1 << (slot % 64);
    }

    /// The warps that are due at `now`; nothing may be due before.
    #[inline(always)]
    pub(super) fn take(&mut self, now: u64) -> u64 {
        let mut due = 0;
        // A core that slept was woken no later than its first warp is due, so that one slot is enough, unless
        // it slept because of something that woke it early.
        if self.next <= now {
            let slot = now as usize % SLOTS;
            due = std::mem::take(&mut self.slots[slot]);
            self.used[slot / 64] &= !(1 << (slot % 64));
            self.next = now + 1;
        }
        due
    }

    /// The first cycle at which a warp is due, if any.
    #[inline(always)]
    pub(super) fn next_due(&self) -> Option<u64> {
        let start = self.next as usize % SLOTS;
        let distance = |slot: usize| (slot + SLOTS - start) % SLOTS;
        let first = self.used[start / 64] & (u64::MAX << (start % 64));
        if first != 0 {
            let slot = start / 64 * 64 + first.trailing_zeros() as usize;
            return Some(self.next + distance(slot) as u64);
        }
        for step in 1..=WORDS {
            let word = (start / 64 + step) % WORDS;
            if self.used[word] != 0 {
                let slot = word * 64 + self.used[word].trailing_zeros() as usize;
                return Some(self.next + distance(slot) as u64);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warps_are_due_when_they_were_scheduled() {
        let mut ring = WakeRing::new();
        assert_eq!(ring.next_due(), None);
        ring.take(2000);
        ring.schedule(3, 2050);
        ring.schedule(5, 2010);
        ring.schedule(7, 2010);
        ring.schedule(9, 1_000_000);
        assert_eq!(ring.next_due(), Some(2010));
        assert_eq!(ring.take(2010), 1 << 5 | 1 << 7);
        assert_eq!(ring.next_due(), Some(2050));
        assert_eq!(ring.take(2049), 0);
        assert_eq!(ring.take(2050), 1 << 3);
        assert_eq!(ring.next_due(), Some(2256));
    }
}
