//! An access that was formed and is not yet performed.

use super::remapped::ROWS;
use crate::exec::access::{Elements, Targets, WarpAccess};
use crate::exec::lanes::{LANES, Mask, lanes_of};
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
    /// Textures, as far as there is an element.
    pub texture: Mask,
}

impl Touched {
    /// Lanes whose values other threads may change or see, so that they are taken or given when the memory system
    /// services them.
    pub fn serviced(&self) -> Mask {
        self.global | self.texture
    }
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
    /// The registers that a load writes when it is performed, in `frame`. Its own, because the instruction at `pc`
    /// may name others.
    pub(super) destinations: Elements,
    pub(super) frame: Frame,
    pub(super) narrow: Vec<u64>,
    pub(super) wide: Vec<u64>,
}

/// Where the lanes of a copy write, and how many bytes they read, in the kept values of an access.
pub(super) fn targets(wide: &mut [u64]) -> Option<Targets<'_>> {
    let (addresses, rest) = wide.split_first_chunk_mut::<LANES>()?;
    Some(Targets { addresses, wanted: rest.first_chunk_mut::<LANES>()? })
}

impl PendingAccess {
    /// Whether an address of it is in a part of global memory.
    pub(super) fn touches(&self, part: &std::ops::Range<u64>) -> bool {
        lanes_of(self.touched.serviced()).any(|lane| part.contains(&self.access.addresses[lane]))
    }

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
