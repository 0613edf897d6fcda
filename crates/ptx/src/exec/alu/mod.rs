//! Pure operations over lanes: each is a function chosen once, by opcode and type.

use super::{Handler, Row};
use crate::ir;

/// A decoded pure operation.
#[derive(Clone, Copy, Debug)]
pub struct Pure {
    /// What executes it.
    pub handler: Handler,
    /// As in [`super::MicroOp`].
    pub destination: Row,
    /// As in [`super::MicroOp`].
    pub sources: [Row; 4],
    /// As in [`super::MicroOp`].
    pub extra: u32,
}

/// Where operands are; the decoder of a function answers.
pub trait Operands {
    /// The row of a register that is not a predicate.
    fn row(&mut self, register: ir::RegisterId) -> Row;
    /// The number of a predicate register.
    fn predicate(&mut self, register: ir::RegisterId) -> u32;
    /// The declared type of a register.
    fn ty(&self, register: ir::RegisterId) -> ir::ScalarType;
    /// A constant in every lane: a row for up to 4 bytes, two rows for 8.
    fn constant(&mut self, bits: u64, bytes: u32) -> Row;
    /// The address of a symbol in its own state space, plus an addend.
    fn address(&mut self, symbol: ir::Symbol, addend: i64) -> u64;
}

/// Decodes `Alu`, `SetPredicate`, `Pack` and `Unpack`; none for every other operation. An error says that this
/// combination of operation, type and mode does not exist or is not supported.
pub fn decode(operation: &ir::Operation, operands: &mut dyn Operands) -> Result<Option<Pure>, String> {
    let _ = (operation, operands);
    Ok(None)
}
