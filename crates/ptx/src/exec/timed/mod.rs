//! Execution one warp instruction at a time, for machines with a notion of time.
//!
//! The machine asks where a warp stands ([`Execution::standing`]), decides when it goes on, and lets it
//! ([`Execution::step`]). What touches memory is only *formed* by the step: the values to be stored are kept in
//! a [`PendingAccess`], and values are taken and given when the machine says that its memory performs the access
//! ([`Execution::service`]), for as many lanes at a time as it likes.
//!
//! Memory that only its own thread can see (local memory, parameters), textures and asynchronous copies are
//! performed when the access is formed: nobody can tell the difference, except for asynchronous copies, whose
//! source is read at once.

mod command;
mod injected;
mod lower;
mod pending;
mod remapped;
mod service;
mod step;

pub use command::{Answer, Command};
pub use injected::Compared;
pub use pending::{PendingAccess, Touched};
pub use step::Step;

use super::block::{Block, Shape};
use super::conclude::report;
use super::deadlock::deadlock;
use super::engine::Engine;
use super::lanes::Mask;
use super::place::describe;
use super::prepare::prepare;
use super::warp::State;
use super::{Dimensions, InstructionCount, KernelCode, Kind, LaunchError, LaunchReport, LaunchRequest};
use crate::ir::{Function, FunctionId, Module};
use heddle_image::Image;
use lower::Injected;
use remapped::Remapped;

/// A launch that is executed instruction by instruction.
pub struct Execution<'a> {
    engine: Engine<'a>,
    shape: Shape,
    /// By access of the code: the same access on the values that were kept when it was formed.
    remapped: Vec<Remapped>,
    /// Whether the program asks for the time at all.
    reads_clock: bool,
    /// What a mechanism executes beside the program.
    injected: Injected,
}

/// A block that is resident on a core. Its storage serves one block after the other.
#[derive(Debug, Default)]
pub struct ResidentBlock {
    block: Block,
    /// Whether the block has the shape of the launch.
    adapted: bool,
}

/// Where a warp stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Before this instruction, with these lanes.
    At(u32, Mask),
    /// At a barrier of its block.
    Barrier,
    /// At an operation for which lanes of the warp have not come yet.
    Collective,
    /// It has ended.
    Ended,
}

impl<'a> Execution<'a> {
    /// Checks a launch and gets ready; programs are told of so many cores.
    pub fn new(request: LaunchRequest<'a>, cores: u32) -> Result<Execution<'a>, LaunchError> {
        let (mut engine, shape) = prepare(request, cores)?;
        engine.performs_later = true;
        let remapped = engine.code.accesses.iter().map(Remapped::new).collect();
        let reads_clock = engine.code.operations.iter().any(|op| matches!(op.kind, Kind::Timed(_)));
        Ok(Execution { engine, shape, remapped, reads_clock, injected: Injected::default() })
    }

    /// The kernel's code.
    pub fn code(&self) -> &'a KernelCode {
        self.engine.code
    }

    /// The module of the kernel.
    pub fn module(&self) -> &'a Module {
        &self.engine.program.module
    }

    /// The kernel.
    pub fn kernel(&self) -> (FunctionId, &'a Function) {
        let id = self.engine.kernel;
        (id, &self.engine.program.module.functions[id.0 as usize])
    }

    /// Sizes of grid and block.
    pub fn sizes(&self) -> (Dimensions, Dimensions) {
        (self.shape.grid, self.shape.block)
    }

    /// Shared memory of a block in bytes.
    pub fn shared_bytes(&self) -> u64 {
        self.shape.shared_bytes
    }

    /// Global memory.
    pub fn image(&self) -> &Image {
        self.engine.image
    }

    /// Sets what programs read from the clock and from the timer, which counts nanoseconds.
    #[inline(always)]
    pub fn set_clock(&mut self, cycle: u64, nanoseconds: impl Fn() -> u64) {
        if self.reads_clock {
            self.engine.clock = Some([cycle, nanoseconds()]);
        }
    }

    /// Takes the local memory of so many blocks that are resident at once.
    pub fn take_stacks(&mut self, blocks: u64) -> Result<(), LaunchError> {
        self.engine.take_stacks(&self.shape, blocks.min(self.shape.grid.count()))
    }

    /// Gives up memory that the program has freed, except for regions that accesses under way still need.
    pub fn release_freed<'p>(&mut self, under_way: impl Iterator<Item = &'p PendingAccess> + Clone) {
        if self.engine.image.has_retired() {
            self.engine.image.release_retired(|region| {
                let region = region.start()..region.start() + region.length();
                under_way.clone().any(|pending| pending.touches(&region))
            });
        }
    }

    /// Starts a block of the grid on a core.
    pub fn start_block(&self, resident: &mut ResidentBlock, number: u64, core: u32) {
        if !resident.adapted {
            resident.block.adapt(&self.shape);
            resident.adapted = true;
        }
        resident.block.start(&self.shape, self.engine.code, number);
        for warp in &mut resident.block.warps {
            warp.context.core_index = core;
        }
    }

    /// Where a warp stands.
    #[inline(always)]
    pub fn standing(&self, resident: &ResidentBlock, warp: usize) -> Standing {
        let warp = &resident.block.warps[warp];
        match warp.runnable() {
            Some(index) => {
                let place = warp.groups[index].place();
                Standing::At(place.pc, place.mask)
            }
            None if warp.live == 0 => Standing::Ended,
            None if warp.groups.iter().any(|group| group.state == State::Collective) => Standing::Collective,
            None => Standing::Barrier,
        }
    }

    /// `file:line:column`, the source line if it is known, and the mnemonic of an instruction.
    pub fn describe(&self, pc: u32) -> String {
        describe(&self.engine, pc)
    }

    /// The error that says who waits for what, for a machine on which nothing moves any more.
    pub fn stuck(&self, resident: Vec<ResidentBlock>, started: u64) -> LaunchError {
        let blocks: Vec<Block> = resident.into_iter().map(|resident| resident.block).collect();
        deadlock(&self.engine, &self.shape, &blocks, started)
    }

    /// Whether no thread of a block can go on as long as memory stays as it is: all wait for each other or repeat
    /// the same loop.
    pub fn repeats(&self, resident: &ResidentBlock) -> bool {
        let block = &resident.block;
        let changes = self.engine.changes(&block.shared);
        let mut groups = block.warps.iter().flat_map(|warp| &warp.groups);
        groups.all(|group| match group.state {
            State::Ready => false,
            State::Spinning(since) => since == changes,
            State::Barrier(_) | State::Collective => true,
        })
    }

    /// Ends the launch.
    pub fn finish(self) -> LaunchReport {
        report(self.engine, &self.shape)
    }

    /// How often each instruction was executed so far, with one place more than there are instructions.
    pub fn counts(&self) -> &[InstructionCount] {
        &self.engine.counts
    }

    /// Warp instructions executed so far.
    pub fn executed(&self) -> u64 {
        self.engine.executed
    }

    /// Where a warp stands, in words.
    pub fn place_of(&self, resident: &ResidentBlock, warp: usize) -> String {
        let groups = &resident.block.warps[warp].groups;
        groups.first().map_or("its end".to_owned(), |group| self.describe(group.place().pc))
    }
}

impl std::fmt::Debug for Execution<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Execution").field("shape", &self.shape).finish_non_exhaustive()
    }
}

impl ResidentBlock {
    /// The place is for blocks of another launch from now on.
    pub fn renew(&mut self) {
        self.adapted = false;
    }

    /// Warps of the block.
    pub fn warps(&self) -> usize {
        self.block.warps.len()
    }

    /// The block's index in the grid.
    pub fn index(&self) -> [u32; 3] {
        self.block.index
    }

    /// How often a write changed something in the block's shared memory.
    pub fn changes(&self) -> u64 {
        self.block.shared.changes
    }

    /// The block's number in the grid.
    pub fn number(&self) -> u64 {
        self.block.number
    }
}
