//! What is launched, on what, and what can go wrong.

use super::{LaunchReport, Program};
use crate::Place;
use crate::ir::FunctionId;
use heddle_image::{AccessError, Image};
use thiserror::Error;

/// Sizes of a grid or a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    /// Along x.
    pub x: u32,
    /// Along y.
    pub y: u32,
    /// Along z.
    pub z: u32,
}

impl Dimensions {
    /// How many there are in all.
    pub fn count(self) -> u64 {
        u64::from(self.x) * u64::from(self.y) * u64::from(self.z)
    }
}

/// A linear texture: elements of a buffer, fetched by index; outside of it they are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texture {
    /// First address.
    pub address: u64,
    /// Length in elements.
    pub elements: u64,
    /// What an element is.
    pub format: TextureFormat,
}

/// What an element of a texture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureFormat {
    /// Components: 1, 2 or 4.
    pub components: u8,
    /// Type of a component: U8 … S32, F16, F32.
    pub ty: crate::ir::ScalarType,
    /// Integers are read as floats in [0, 1] or [-1, 1].
    pub normalised: bool,
}

impl TextureFormat {
    /// Whether textures can have such elements; if not, what is expected.
    pub fn check(&self) -> Result<(), String> {
        if !matches!(self.components, 1 | 2 | 4) {
            return Err(format!("components: expected 1, 2 or 4, found {}", self.components));
        }
        if self.ty.bytes() > 4 {
            return Err(format!(
                "type: expected one of at most 32 bits, found one of {}",
                8 * self.ty.bytes()
            ));
        }
        Ok(())
    }
}

/// One launch, complete.
#[derive(Debug)]
pub struct LaunchRequest<'a> {
    /// The memory of the machine.
    pub image: &'a mut Image,
    /// The decoded module.
    pub program: &'a Program,
    /// The kernel.
    pub kernel: FunctionId,
    /// Blocks.
    pub grid: Dimensions,
    /// Threads of a block.
    pub block: Dimensions,
    /// Dynamic shared memory in bytes.
    pub dynamic_shared: u32,
    /// The kernel's parameter buffer.
    pub parameters: &'a [u8],
    /// Textures by handle; a `.texref` variable's handle is its number in the module.
    pub textures: &'a [(u64, Texture)],
    /// Counts up with each launch of the device.
    pub grid_id: u64,
}

/// Something that executes launches: the functional machine here, timing machines elsewhere.
pub trait Machine: std::fmt::Debug {
    /// Executes one launch to its end.
    fn launch(&mut self, request: LaunchRequest<'_>) -> Result<LaunchReport, LaunchError>;

    /// The host has copied something to these addresses.
    fn host_copied(&mut self, _addresses: std::ops::Range<u64>) {}
}

/// Where in a launch something happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadPlace {
    /// The kernel launched.
    pub kernel: String,
    /// The function executed, if another.
    pub function: Option<String>,
    /// Block index.
    pub block: [u32; 3],
    /// Thread index.
    pub thread: [u32; 3],
    /// PTX file.
    pub file: String,
    /// Line and column in it.
    pub place: Place,
    /// `file:line` of the original program, if the PTX says so.
    pub source: Option<String>,
    /// The instruction's text or mnemonic.
    pub instruction: String,
}

impl std::fmt::Display for ThreadPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ThreadPlace { kernel, block: [bx, by, bz], thread: [tx, ty, tz], file, place, .. } = self;
        write!(f, "kernel {kernel}, block ({bx}, {by}, {bz}), thread ({tx}, {ty}, {tz})")?;
        if let Some(function) = &self.function {
            write!(f, ", in function {function}")?;
        }
        write!(f, ", {file}:{}:{}", place.line, place.column)?;
        if let Some(source) = &self.source {
            write!(f, " (from {source})")?;
        }
        write!(f, ": {}", self.instruction)
    }
}

/// Why a launch failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LaunchError {
    /// The launch itself is impossible.
    #[error("kernel {kernel} cannot be launched: {problem}")]
    Refused {
        /// The kernel.
        kernel: String,
        /// Why, with figures.
        problem: String,
    },
    /// An access that no allocation allows.
    #[error("illegal access: {error}\n  at {at}")]
    Access {
        /// Who did it.
        at: Box<ThreadPlace>,
        /// What is wrong with it.
        error: AccessError,
    },
    /// The program gave up: `trap`, a failed assertion.
    #[error("the program stopped itself: {problem}\n  at {at}")]
    Trap {
        /// Who did it.
        at: Box<ThreadPlace>,
        /// Why, if the program says so.
        problem: String,
    },
    /// Something that the ISA leaves undefined and that would make results depend on the machine.
    #[error("{problem}\n  at {at}")]
    Undefined {
        /// Who did it.
        at: Box<ThreadPlace>,
        /// What.
        problem: String,
    },
    /// The program uses up what a machine has of something.
    #[error("{problem}\n  at {at}")]
    Exhausted {
        /// Who did it.
        at: Box<ThreadPlace>,
        /// What, and how much of it there is.
        problem: String,
    },
    /// Nothing will ever change again.
    #[error("kernel {kernel} is stuck: no thread can go on and nothing was written any more\n{waiting}")]
    Deadlock {
        /// The kernel.
        kernel: String,
        /// Who waits for what, a line each.
        waiting: String,
    },
    /// The limit of cycles was reached.
    #[error("kernel {kernel} was stopped at core cycle {cycles}, the limit that was set\n{waiting}")]
    Cycles {
        /// The kernel.
        kernel: String,
        /// The limit.
        cycles: u64,
        /// Who waited for what then, a line each.
        waiting: String,
    },
    /// Whoever watches the run has ended it.
    #[error("kernel {kernel} was interrupted at {at}")]
    Interrupted {
        /// The kernel.
        kernel: String,
        /// How far it had come: `core cycle 4711`, or without time `warp instruction 4711`.
        at: String,
    },
    /// Nothing that others could see has happened for long.
    #[error(
        "kernel {kernel} has written nothing and ended no warp for {cycles} core cycles, more than the watchdog \
         allows\n{waiting}"
    )]
    NoProgress {
        /// The kernel.
        kernel: String,
        /// For how long.
        cycles: u64,
        /// Who waited for what then, a line each.
        waiting: String,
    },
    /// The limit of instructions was reached.
    #[error("kernel {kernel} was stopped after {instructions} warp instructions, the limit that was set")]
    Limit {
        /// The kernel.
        kernel: String,
        /// Warp instructions executed.
        instructions: u64,
    },
}
