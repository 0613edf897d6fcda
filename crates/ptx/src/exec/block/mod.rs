//! A block: its warps, their barriers, their shared memory.

mod barrier;
mod turn;

pub(crate) use barrier::Barriers;
pub(crate) use turn::{FaultIn, Turn};

use super::access::Shared;
use super::lanes::{LANES, Mask, ThreadContext};
use super::warp::Warp;
use super::{Dimensions, KernelCode};

/// A block that is being executed. Its storage serves one block after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// Its number in the grid.
    pub(crate) number: u64,
    pub(crate) index: [u32; 3],
    pub(crate) warps: Vec<Warp>,
    pub(crate) shared: Shared,
    pub(crate) barriers: Barriers,
    /// Warps that have live lanes.
    live_warps: u32,
    /// The count of changes of memory when the last turn ended with nothing to do.
    pub(crate) stuck_at: Option<u64>,
}

/// What all blocks of a launch have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) grid: Dimensions,
    pub(crate) block: Dimensions,
    pub(crate) grid_id: u64,
    /// Shared memory, static and dynamic.
    pub(crate) shared_bytes: u64,
    /// Dynamic shared memory alone.
    pub(crate) dynamic_shared: u32,
    /// Rows of each register file that a mechanism has to spare in every warp.
    pub(crate) spare_rows: u32,
    /// Blocks that are resident at once, as cores are told of.
    pub(crate) cores: u32,
}

impl Block {
    /// Storage for the blocks of a launch.
    pub(crate) fn new(shape: &Shape) -> Block {
        let mut block = Block::default();
        block.adapt(shape);
        block
    }

    /// Makes a block of this shape of one that has ended, whatever launch it was of: the storage of its warps is kept.
    pub(crate) fn adapt(&mut self, shape: &Shape) {
        let threads = shape.block.count();
        let warps = threads.div_ceil(LANES as u64);
        let Dimensions { x, y, .. } = shape.block;
        self.warps.resize_with(warps as usize, Warp::default);
        for (number, warp) in self.warps.iter_mut().enumerate() {
            warp.forget_what_is_large();
            warp.context = ThreadContext::default();
            let context = &mut warp.context;
            context.block_size = [shape.block.x, shape.block.y, shape.block.z];
            context.grid_size = [shape.grid.x, shape.grid.y, shape.grid.z];
            context.warp_index = number as u32;
            context.warp_count = warps as u32;
            context.core_count = shape.cores;
            context.grid_id = shape.grid_id;
            context.shared_bytes = [shape.dynamic_shared, shape.shared_bytes as u32];
            for lane in 0..LANES {
                let thread = (number * LANES + lane) as u64;
                let (row, x_size, y_size) = (thread / u64::from(x), u64::from(x), u64::from(y));
                context.thread_index[0][lane] = (thread % x_size) as u32;
                context.thread_index[1][lane] = (row % y_size) as u32;
                context.thread_index[2][lane] = (row / y_size) as u32;
            }
        }
    }

    /// Starts a block of the grid.
    pub(crate) fn start(&mut self, shape: &Shape, code: &KernelCode, number: u64) {
        let (x, y) = (u64::from(shape.grid.x), u64::from(shape.grid.y));
        self.number = number;
        self.index = [(number % x) as u32, (number / x % y) as u32, (number / x / y) as u32];
        self.shared.reset(shape.shared_bytes as usize);
        self.barriers.reset();
        self.stuck_at = None;
        self.live_warps = self.warps.len() as u32;
        let mut threads = shape.block.count();
        for warp in &mut self.warps {
            let lanes = if threads >= LANES as u64 { Mask::MAX } else { (1 << threads) - 1 };
            threads = threads.saturating_sub(LANES as u64);
            warp.context.block_index = self.index;
            warp.context.core_index = (number % u64::from(shape.cores.max(1))) as u32;
            warp.start(code, lanes, shape.spare_rows);
        }
    }

    /// Whether all threads have ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.live_warps == 0
    }
}
