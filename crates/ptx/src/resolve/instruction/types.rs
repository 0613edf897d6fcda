//! Which registers an instruction of a type takes.
//!
//! PTX ISA 8.5, section 9.4.1 ("Operand Size Exceeding Instruction-Type Size") and table 26 ("Operand
//! compatibility"): types of one size agree if they are integers, if either is a bit type, or if they are the
//! same floating-point type. Loads, stores and conversions take wider registers too.

use crate::ir::ScalarType::{
    self, B8, B16, B32, B64, B128, BF16, BF16x2, F16, F16x2, F32, F64, Pred, S8, S16, S32, S64, U8, U16, U32,
    U64,
};

/// Integers of 16 to 64 bits.
pub(super) const INTEGERS: &[ScalarType] = &[U16, U32, U64, S16, S32, S64];
/// Signed integers of 16 to 64 bits.
pub(super) const SIGNED: &[ScalarType] = &[S16, S32, S64];
/// Integers of 32 and 64 bits.
pub(super) const WORDS: &[ScalarType] = &[U32, U64, S32, S64];
/// Bit types of 16 to 64 bits.
pub(super) const BITS: &[ScalarType] = &[B16, B32, B64];
/// Bit types of 32 and 64 bits.
pub(super) const BIT_WORDS: &[ScalarType] = &[B32, B64];
/// Single and double precision.
pub(super) const SINGLE_DOUBLE: &[ScalarType] = &[F32, F64];
/// Every floating-point type.
pub(super) const FLOATS: &[ScalarType] = &[F16, F16x2, BF16, BF16x2, F32, F64];
/// What a move or a selection takes.
pub(super) const MOVABLE: &[ScalarType] = &[B16, B32, B64, U16, U32, U64, S16, S32, S64, F32, F64];
/// What a comparison takes.
pub(super) const COMPARABLE: &[ScalarType] =
    &[B16, B32, B64, U16, U32, U64, S16, S32, S64, F16, F16x2, BF16, BF16x2, F32, F64];
/// What memory holds.
pub(super) const IN_MEMORY: &[ScalarType] =
    &[B8, B16, B32, B64, U8, U16, U32, U64, S8, S16, S32, S64, F32, F64];

/// How strictly a register's size is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// It must be that of the instruction's type.
    Same,
    /// It may be larger.
    AtLeast,
}

/// Whether bits without meaning are held: untyped registers, and packed halves, which assemblers treat so.
fn is_bits(ty: ScalarType) -> bool {
    matches!(ty, B8 | B16 | B32 | B64 | B128)
}

fn is_integer(ty: ScalarType) -> bool {
    matches!(ty, U8 | U16 | U32 | U64 | S8 | S16 | S32 | S64)
}

/// Whether a register of type `register` is taken by an instruction of type `instruction`.
pub(super) fn agree(instruction: ScalarType, register: ScalarType, size: Size) -> bool {
    if instruction == Pred || register == Pred {
        return instruction == register;
    }
    if instruction == register {
        return true;
    }
    let (wanted, given) = (instruction.bytes(), register.bytes());
    if given < wanted || (given > wanted && size == Size::Same) {
        return false;
    }
    if is_bits(instruction) || is_bits(register) {
        return true;
    }
    is_integer(instruction) && (is_integer(register) || register == F16x2)
}

/// The type of twice the size, for `.wide`.
pub(super) fn widened(ty: ScalarType) -> ScalarType {
    match ty {
        U16 => U32,
        S16 => S32,
        U32 => U64,
        S32 => S64,
        other => other,
    }
}

/// The untyped register type of this many bytes.
pub(super) fn bits_of(bytes: u32) -> Option<ScalarType> {
    match bytes {
        1 => Some(B8),
        2 => Some(B16),
        4 => Some(B32),
        8 => Some(B64),
        _ => None,
    }
}
