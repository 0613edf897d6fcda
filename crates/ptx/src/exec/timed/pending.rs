//! An access that was formed and is not yet performed.

use super::remapped::ROWS;
use crate::exec::access::WarpAccess;
use crate::exec::lanes::{LANES, Mask};
use crate::exec::warp::Frame;

/// Lanes by the memory that their addresses mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Global memory, through the data cache.
    pub global: Mask,
    /// Shared memory of the block.
    pub shared: Mask,
    /// Local memory of the threads.
    pub local: Mask,
    /// Constants, and parameters of the kernel.
    pub constant: Mask,
    /// Textures.
    pub texture: Mask,
}

/// An access that was formed and is not yet performed. Its storage serves one access after the other.
#[derive(Clone, Debug, Default)]
pub struct PendingAccess {
    /// The access; addresses are those of the memory that each lane means.
    pub access: WarpAccess,
    /// Which lanes mean which memory.
    pub touched: Touched,
    /// The instruction.
    pub pc: u32,
    pub(super) frame: Frame,
    pub(super) narrow: Vec<u64>,
    pub(super) wide: Vec<u64>,
}

impl PendingAccess {
    /// Makes room for kept values.
    #[inline(always)]
    pub(super) fn make_room(&mut self, rows: usize) {
        debug_assert!(rows <= ROWS);
        if self.wide.len() < rows * LANES {
            self.narrow.resize(rows * LANES / 2, 0);
            self.wide.resize(rows * LANES, 0);
        }
    }
}
