//! When the registers of each warp are ready, and what they wait for.
//!
//! Instead of pending bits that something must clear, each register has the cycle from which it may be used;
//! a register that waits for memory has none yet. A warp is looked at once when it comes to an instruction and
//! once when that cycle has come, and costs nothing in between.

use super::stalls::Cause;

/// The cycle of a register that waits for memory.
pub(super) const PENDING: u64 = u64::MAX;

/// The scoreboard of a core.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scoreboard {
    /// Registers of a warp.
    stride: usize,
    ready: Vec<u64>,
    causes: Vec<Cause>,
}

impl Scoreboard {
    /// For a launch.
    pub(super) fn reset(&mut self, warps: usize, registers: usize) {
        self.stride = registers.clamp(1, usize::from(u16::MAX) + 1);
        self.ready.clear();
        self.ready.resize(warps * self.stride, 0);
        self.causes.clear();
        self.causes.resize(warps * self.stride, Cause::ResultPending);
    }

    /// For a new warp: everything is ready.
    pub(super) fn clear(&mut self, warp: usize) {
        self.ready[warp * self.stride..(warp + 1) * self.stride].fill(0);
    }

    /// Registers may be used from a cycle on.
    #[inline(always)]
    pub(super) fn set(&mut self, warp: usize, registers: &[u16], at: u64, cause: Cause) {
        for &register in registers {
            let place = warp * self.stride + usize::from(register);
            self.ready[place] = at;
            self.causes[place] = cause;
        }
    }

    /// From when all of these registers may be used, and what the last of them waits for.
    #[inline(always)]
    pub(super) fn ready_at(&self, warp: usize, registers: &[u16]) -> (u64, Cause) {
        let (mut at, mut cause) = (0, Cause::ResultPending);
        for &register in registers {
            let place = warp * self.stride + usize::from(register);
            if self.ready[place] > at {
                (at, cause) = (self.ready[place], self.causes[place]);
            }
        }
        (at, cause)
    }
}
