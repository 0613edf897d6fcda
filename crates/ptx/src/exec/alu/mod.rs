//! Pure operations over lanes: each is a function chosen once, by opcode and type.
//!
//! [`decode`] turns an instruction into a handler with the rows of its operands. There is one file for each
//! family of instructions; `lane` has the loops, `decoder` what the families share, `exact` the
//! floating-point arithmetic that hosts do not have.
//!
//! **Values.** Integers wrap; shifts by the width or more and divisions by zero have defined results
//! (`integer`, `shifts`). Floating-point results are those of IEEE 754 for the rounding mode named, on every
//! host; a NaN that an operation gives is one fixed NaN (0x7fffffff for `f32`, 0xfff8000000000000 for `f64`,
//! 0x7fff for 16-bit formats), while what only moves bits or changes a sign leaves payloads alone. The
//! `.approx` and `.full` forms have one definition (`transcendental`, `float32`).
//!
//! **Registers.** Only the lanes of the mask are written. The upper bits of a register narrower than 32 bits
//! are zero, and stay so.
//!
//! **Left out**: 128-bit registers, `tf32` and the 8-bit and smaller floating-point formats, packed integers.

mod address;
mod bits;
mod compare;
mod convert;
mod decoder;
mod exact;
mod extended;
mod extremes;
mod fields;
mod float32;
mod float64;
mod float_mode;
mod halves;
mod integer;
mod lane;
mod logic;
mod moves;
mod packing;
mod relation;
mod select;
mod set;
mod shifts;
mod sign;
#[cfg(test)]
mod tests;
mod transcendental;
mod wide;

use super::{Handler, Row};
use crate::ir::{self, AluOperation, ScalarType};
use compare::SetPredicate;
use decoder::Decoder;

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
    fn ty(&self, register: ir::RegisterId) -> ScalarType;
    /// A constant in every lane: a row for up to 4 bytes, two rows for 8.
    fn constant(&mut self, bits: u64, bytes: u32) -> Row;
    /// The address of a symbol in its own state space, plus an addend.
    fn address(&mut self, symbol: ir::Symbol, addend: i64) -> u64;
}

/// Decodes `Alu`, `SetPredicate`, `Pack` and `Unpack`; none for every other operation. An error says that this
/// combination of operation, type and mode does not exist or is not supported.
pub fn decode(operation: &ir::Operation, operands: &mut dyn Operands) -> Result<Option<Pure>, String> {
    let pure = match operation {
        ir::Operation::Alu { operation, ty, mode, destination, sources } => decode_alu(Decoder {
            operation: *operation,
            ty: *ty,
            mode: *mode,
            destination: *destination,
            sources,
            operands,
        }),
        ir::Operation::SetPredicate { comparison, ty, flush, destination, complement, sources, combine } => {
            let set = SetPredicate {
                comparison: *comparison,
                ty: *ty,
                flush: *flush,
                destination: *destination,
                complement: *complement,
                sources: *sources,
                combine: *combine,
            };
            compare::decode(&set, operands)
        }
        ir::Operation::Pack { ty, destination, parts } => {
            packing::decode_pack(*ty, *destination, parts, operands)
        }
        ir::Operation::Unpack { ty, parts, source } => packing::decode_unpack(*ty, parts, *source, operands),
        _ => return Ok(None),
    };
    pure.map(Some)
}

fn decode_alu(mut decoder: Decoder<'_>) -> Result<Pure, String> {
    let d = &mut decoder;
    match d.operation {
        AluOperation::Move => moves::decode(d),
        AluOperation::Add
        | AluOperation::Subtract
        | AluOperation::Multiply
        | AluOperation::MultiplyHigh
        | AluOperation::MultiplyAdd
        | AluOperation::MultiplyAddHigh
        | AluOperation::SumOfDifferences
        | AluOperation::Divide
        | AluOperation::Remainder => arithmetic(d),
        AluOperation::MultiplyWide | AluOperation::MultiplyAddWide => wide::decode(d),
        AluOperation::Multiply24
        | AluOperation::Multiply24High
        | AluOperation::MultiplyAdd24
        | AluOperation::MultiplyAdd24High => wide::decode24(d),
        AluOperation::Absolute | AluOperation::Negate if d.ty.is_float() => sign::decode(d),
        AluOperation::Minimum | AluOperation::Maximum if d.ty.is_float() => extremes::decode(d),
        AluOperation::Absolute | AluOperation::Negate | AluOperation::Minimum | AluOperation::Maximum => {
            integer::decode(d)
        }
        AluOperation::PopulationCount
        | AluOperation::LeadingZeros
        | AluOperation::FindLeading { .. }
        | AluOperation::ReverseBits => bits::decode(d),
        AluOperation::FindNthSet | AluOperation::ExtendSign { .. } | AluOperation::MakeMask { .. } => {
            bits::decode_masks(d)
        }
        AluOperation::ExtractField
        | AluOperation::InsertField
        | AluOperation::DotProduct4 { .. }
        | AluOperation::DotProduct2 { .. }
        | AluOperation::Permute(_) => fields::decode(d),
        AluOperation::And
        | AluOperation::Or
        | AluOperation::Xor
        | AluOperation::Not
        | AluOperation::LogicalNot => logic::decode(d),
        AluOperation::Lookup3(table) => logic::decode_lookup(d, table),
        AluOperation::ShiftLeft | AluOperation::ShiftRight => shifts::decode(d),
        AluOperation::FunnelLeft { .. } | AluOperation::FunnelRight { .. } => shifts::decode_funnel(d),
        other => decode_other(d, other),
    }
}

fn decode_other(d: &mut Decoder<'_>, operation: AluOperation) -> Result<Pure, String> {
    match operation {
        AluOperation::Select => select::decode(d),
        AluOperation::SelectBySign { float } => select::decode_by_sign(d, float),
        AluOperation::SetValue { comparison, result, combine } => set::decode(d, comparison, result, combine),
        AluOperation::Convert(result) => convert::decode(d, result),
        AluOperation::ToGeneric(_) | AluOperation::FromGeneric(_) => address::decode(d),
        AluOperation::IsInSpace(space) => address::decode_test(d, space),
        AluOperation::TestProperty(property) => sign::decode_test(d, property),
        AluOperation::CopySign => sign::decode_copy(d),
        AluOperation::Reciprocal | AluOperation::SquareRoot => arithmetic(d),
        AluOperation::ReciprocalSquareRoot
        | AluOperation::Sine
        | AluOperation::Cosine
        | AluOperation::LogarithmBase2
        | AluOperation::PowerOf2
        | AluOperation::HyperbolicTangent => transcendental::decode(d),
        _ => Err(d.no_such_type()),
    }
}

/// Arithmetic, by the kind of its type.
fn arithmetic(d: &mut Decoder<'_>) -> Result<Pure, String> {
    match d.ty {
        ScalarType::F32 => float32::decode(d),
        ScalarType::F64 => float64::decode(d),
        _ if d.ty.is_float() => halves::decode(d),
        _ if d.mode.carry_in || d.mode.carry_out => extended::decode(d),
        _ => integer::decode(d),
    }
}
