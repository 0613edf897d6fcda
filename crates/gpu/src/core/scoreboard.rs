//! When the registers of each warp are ready, and what they wait for.
//!
//! Instead of pending bits that something must clear, each register has the cycle from which it may be used;
//! a register that waits for memory has none yet. A warp is looked at once when it comes to an instruction and
//! once when that cycle has come, and costs nothing in between.

use super::stalls::Cause;

/// The cycle of a register that waits for memory.
pub(super) const PENDING: u64 = u64::MAX >> CAUSE_BITS;

/// Cycle and cause share a word, so that looking a register up touches one line of the host's cache. A cause is a byte;
/// 56 bits of cycles are two years of simulated time.
const CAUSE_BITS: u32 = u8::BITS;

/// The scoreboard of a core.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scoreboard {
    /// Registers of a warp.
    stride: usize,
    /// By warp and register: the cycle, and the cause below it.
    ready: Vec<u64>,
}

impl Scoreboard {
    /// For a launch.
    pub(super) fn reset(&mut self, warps: usize, registers: usize) {
        self.stride = registers.clamp(1, usize::from(u16::MAX) + 1);
        self.ready.clear();
        self.ready.resize(warps * self.stride, 0);
    }

    /// For a new warp: everything is ready.
    pub(super) fn clear(&mut self, warp: usize) {
        self.ready[warp * self.stride..(warp + 1) * self.stride].fill(0);
    }

    /// Registers may be used from a cycle on.
    #[inline(always)]
    pub(super) fn set(&mut self, warp: usize, registers: &[u16], at: u64, cause: Cause) {
        for &register in registers {
            self.ready[warp * self.stride + usize::from(register)] = at << CAUSE_BITS | cause.number();
        }
    }

    /// From when all of these registers may be used, and what the last of them waits for.
    #[inline(always)]
    pub(super) fn ready_at(&self, warp: usize, registers: &[u16]) -> (u64, Cause) {
        let own = &self.ready[warp * self.stride..];
        let last = registers.iter().fold(0, |last, &register| own[usize::from(register)].max(last));
        (last >> CAUSE_BITS, Cause::of_number(last & ((1 << CAUSE_BITS) - 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_memory::request::Answerer;

    #[test]
    fn the_last_register_decides_and_names_what_it_waits_for() {
        let mut board = Scoreboard::default();
        board.reset(2, 4);
        board.set(1, &[0], 7, Cause::Shared);
        board.set(1, &[2], 9, Cause::Answered(Answerer::MEMORY));
        assert_eq!(board.ready_at(1, &[0, 1, 2]), (9, Cause::Answered(Answerer::MEMORY)));
        assert_eq!(board.ready_at(1, &[0, 1]), (7, Cause::Shared));
        assert_eq!(board.ready_at(0, &[0, 1, 2, 3]).0, 0);
        board.set(1, &[1, 3], PENDING, Cause::Atomic);
        assert_eq!(board.ready_at(1, &[0, 3]), (PENDING, Cause::Atomic));
        board.clear(1);
        assert_eq!(board.ready_at(1, &[0, 1, 2, 3]).0, 0);
    }
}
