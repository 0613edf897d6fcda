//! How much local memory the resident threads of a launch take together.
//!
//! Local memory lies in the device's memory, so that it cannot be more than is free there. A host that simulates
//! thousands of resident threads has less: [`MOST`] is far above what programs need (64 KiB for each of the 30,720
//! threads that a Tesla K40c holds), and keeps a small program from taking all memory of the host.

use super::block::Shape;
use super::engine::Engine;
use super::lanes::LANES;
use super::warp::{host_bytes, kernel_bytes};
use super::{KernelCode, LaunchError};
use heddle_image::NoRoom;

/// The most that the local memory of resident threads takes.
const MOST: u64 = 2 << 30;

/// Local memory that is taken, and how much there is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stacks {
    taken: u64,
    /// Blocks that were resident at once so far.
    blocks: u64,
    limit: u64,
    /// Whether the device's memory is the limit.
    by_device: bool,
}

impl Stacks {
    /// On a device with so much free memory.
    pub(crate) fn new(free: u64) -> Stacks {
        Stacks { taken: 0, blocks: 0, limit: free.min(MOST), by_device: free <= MOST }
    }

    /// Takes bytes, or says how many there are.
    pub(crate) fn take(&mut self, bytes: u64) -> Result<(), String> {
        let taken = self.taken.saturating_add(bytes);
        if taken > self.limit {
            let mib = self.limit >> 20;
            return Err(match self.by_device {
                true => format!("the {mib} MiB of device memory that are free"),
                false => format!("the {mib} MiB that local memory may take of the host"),
            });
        }
        self.taken = taken;
        Ok(())
    }
}

impl Engine<'_> {
    /// Takes the local memory of blocks that become resident.
    pub(crate) fn take_stacks(&mut self, shape: &Shape, blocks: u64) -> Result<(), LaunchError> {
        let warps = shape.block.count().div_ceil(LANES as u64);
        let bytes = kernel_bytes(self.code).saturating_mul(warps).saturating_mul(blocks);
        self.stacks.take(bytes).map_err(|limit| self.too_large(warps, blocks, &limit))?;
        let bytes = host_bytes(self.code).saturating_mul(warps).saturating_add(shape.shared_bytes);
        let asked = self.image.host_room().ask(bytes.saturating_mul(blocks));
        asked.map_err(|NoRoom| self.no_room(self.stacks.blocks + blocks, bytes >> 10))?;
        self.stacks.blocks += blocks;
        Ok(())
    }

    #[cold]
    fn no_room(&self, blocks: u64, kib: u64) -> LaunchError {
        let problem = format!(
            "the host that simulates the device has no room for {blocks} resident blocks: the registers, local and \
             shared memory of each take {kib} KiB"
        );
        LaunchError::Refused { kernel: self.kernel_name().to_owned(), problem }
    }

    #[cold]
    fn too_large(&self, warps: u64, blocks: u64, limit: &str) -> LaunchError {
        let code: &KernelCode = self.code;
        let frame = code.functions.first().map_or(0, |kernel| kernel.frame_bytes);
        let module = &self.program.module;
        let kernel = &module.functions[self.kernel.0 as usize];
        let line = kernel.places.first().map_or(1, |place| place.line);
        let problem = format!(
            "its {frame} bytes of local memory for each of {} resident threads are more than {limit} ({}:{line})",
            warps * LANES as u64 * (self.stacks.blocks + blocks),
            module.file
        );
        LaunchError::Refused { kernel: kernel.name.clone(), problem }
    }

    fn kernel_name(&self) -> &str {
        &self.program.module.functions[self.kernel.0 as usize].name
    }
}
