//! Loads that are made early: the instructions that do so, and the registers that they take. Who finds the loads, a
//! compiler's analysis or a machine while a program runs, gives the slices of their addresses.
//!
//! A *head* has an address that follows from registers that each iteration advances by a step and from what the loop
//! does not change; a *tail* has one that needs in addition what a head brought. A load is made early by its
//! *sequence*: the loop's own address slice again, with those registers advanced by as many steps as the distance has
//! iterations, into spare registers, which are numbered behind the registers of the kernel.
//!
//! - [`count`](LoopTest): how many iterations a loop has to go;
//! - [`sequence`](mod@sequence): the instructions;
//! - [`budget`](mod@budget): which loads get the spare registers that there are, and how far ahead.

pub mod budget;
mod count;
pub mod sequence;

pub use budget::{EarlyLoad, PrefetchBudget};
pub use count::{LoopTest, is_counting, mirrored, opposite};

use crate::ir::{RegisterId, ScalarType};

/// A register that a slice reads and that each iteration advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advance {
    /// The register.
    pub register: RegisterId,
    /// By how much.
    pub step: Step,
    /// The type in which it is added.
    pub ty: ScalarType,
}

/// What a register is advanced by in an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A constant.
    Constant(i64),
    /// A register that the loop does not change.
    Register(RegisterId),
}

/// A load that can be made early.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The load.
    pub load: usize,
    /// Of a tail: its head, among the candidates.
    pub head: Option<usize>,
    /// Where iterations may leave it out: the instructions before which lanes can wait meanwhile and have the values in
    /// the registers of `advances` that it would be executed with.
    pub conditional: Option<(usize, usize)>,
    /// What computes its address, each instruction behind those whose results it reads.
    pub slice: Vec<usize>,
    /// The registers that it reads and that iterations advance.
    pub advances: Vec<Advance>,
}
