//! What all warps of a launch share.

use super::access::{Local, Memory, Shared, UninitialisedRead, WarpAccess};
use super::stacks::Stacks;
use super::{Action, InstructionCount, KernelCode, Program, Space, Texture};
use crate::ir::FunctionId;
use heddle_image::{FIRST_ADDRESS, Hint, Image};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Most bytes of output that are kept of one launch.
const PRINTED_LIMIT: usize = 16 << 20;

/// A launch that is being executed.
pub(crate) struct Engine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) kernel: FunctionId,
    pub(crate) code: &'a KernelCode,
    pub(crate) image: &'a mut Image,
    pub(crate) parameters: &'a [u8],
    pub(crate) textures: &'a [(u64, Texture)],
    /// By access of the code.
    pub(crate) hints: Vec<Hint>,
    /// By micro-operation of the code, with one place more; differences until the launch has ended.
    pub(crate) counts: Vec<InstructionCount>,
    /// By access of the code: see [`Memory::generic_counts`].
    pub(crate) generic_counts: Vec<[[u64; 2]; 3]>,
    pub(crate) uninitialised: Option<UninitialisedRead>,
    /// Reads of bytes that nobody had written, before the launch.
    pub(crate) uninitialised_before: u64,
    /// The access that is being performed.
    pub(crate) access: WarpAccess,
    pub(crate) printed: Printed,
    pub(crate) count_sectors: bool,
    /// Whether accesses are performed some time after their instruction, so that memory that is freed may still be
    /// in use.
    pub(crate) performs_later: bool,
    /// What the frames of resident threads take.
    pub(crate) stacks: Stacks,
    /// Warp instructions executed.
    pub(crate) executed: u64,
    /// Warp instructions after which to stop.
    pub(crate) limit: u64,
    /// Raised by whoever wants the launch to end where it is.
    pub(crate) interrupt: Option<Arc<AtomicBool>>,
    /// The cycle that programs read from the clock, and the nanoseconds of the timer; the warp's instructions where
    /// there is no time.
    pub(crate) clock: Option<[u64; 2]>,
}

/// What programs printed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Printed {
    pub(crate) text: String,
    /// Bytes that were not kept.
    pub(crate) dropped: u64,
}

impl Printed {
    /// Adds a text, whole or not at all.
    pub(crate) fn push(&mut self, text: &str) {
        let fits = self.text.len() + text.len() <= PRINTED_LIMIT;
        if self.dropped == 0 && fits && self.text.try_reserve(text.len()).is_ok() {
            self.text.push_str(text);
        } else {
            self.dropped += text.len() as u64;
        }
    }
}

impl Engine<'_> {
    /// All memories that a warp reaches.
    #[inline(always)]
    pub(crate) fn memory<'m>(
        &'m mut self,
        shared: &'m mut Shared,
        local: &'m mut Local,
        local_end: u64,
    ) -> (Memory<'m>, &'m mut [InstructionCount], &'m mut WarpAccess) {
        let memory = Memory {
            image: self.image,
            hints: &mut self.hints,
            shared,
            local,
            local_end,
            parameters: self.parameters,
            textures: self.textures,
            uninitialised: &mut self.uninitialised,
            generic_counts: &mut self.generic_counts,
        };
        (memory, &mut self.counts, &mut self.access)
    }

    /// The first address that the last access read, if it was one to global memory.
    pub(crate) fn last_read(&self) -> Option<u64> {
        let WarpAccess { access, mask, addresses } = &self.access;
        let code = self.code.accesses.get(*access as usize)?;
        let reads = matches!(code.action, Action::Load { .. } | Action::Atomic { .. });
        let address = *addresses.get(mask.trailing_zeros() as usize)?;
        let global = match code.space {
            Space::Global => true,
            Space::Generic => address >= FIRST_ADDRESS,
            _ => false,
        };
        (reads && global).then_some(address)
    }

    /// How often memory changed that warps of a block with this shared memory can see.
    pub(crate) fn changes(&self, shared: &Shared) -> u64 {
        self.image.changes().wrapping_add(shared.changes)
    }
}
