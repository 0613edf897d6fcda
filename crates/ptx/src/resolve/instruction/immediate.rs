//! Constants as operands, as the bits of the operation's type.
//!
//! PTX ISA 8.5, section 4.5: integers are 64 bits wide and are cut to the operand's size; a floating-point
//! constant goes where a floating-point operand goes, and an exact one (`0f…`, `0d…`) also where untyped bits
//! of its size go. There are no half-precision constants.

use super::words::{problem, problem_with};
use crate::ir::ScalarType;
use crate::resolve::scope::Problem;
use crate::syntax::Expression;

/// The bits of a constant where an operand of type `ty` is expected.
pub(super) fn immediate(constant: &Expression, ty: ScalarType) -> Result<u64, Problem> {
    match (constant, ty) {
        (Expression::Symbol { name, .. }, _) => Err(problem_with(
            format!("`{name}` is an address, and only mov, cvta and addresses in brackets take one"),
            "move it to a register first",
        )),
        (_, ScalarType::F16 | ScalarType::F16x2 | ScalarType::BF16 | ScalarType::BF16x2) => {
            Err(problem_with(
                format!("a constant cannot be an operand of type .{}", ty.name()),
                "move its bits to a register first, with mov.b16 or mov.b32",
            ))
        }
        (&Expression::Integer(value, _), ScalarType::F32 | ScalarType::F64) => Err(problem_with(
            format!("the integer {} is not an operand of type .{}", value.cast_signed(), ty.name()),
            "write a floating-point constant: 1.0, 0f3F800000 or 0d3FF0000000000000",
        )),
        (&Expression::Integer(value, _), ScalarType::Pred) => Ok(u64::from(value != 0)),
        (&Expression::Integer(value, _), _) => Ok(sign_extended(value, ty.bytes())),
        (&Expression::Single(bits), ScalarType::F32 | ScalarType::B32) => Ok(u64::from(bits)),
        (&Expression::Single(bits), ScalarType::F64) => Ok(f64::from(f32::from_bits(bits)).to_bits()),
        (&Expression::Double(bits), ScalarType::F64 | ScalarType::B64) => Ok(bits),
        (&Expression::Double(bits), ScalarType::F32) => {
            Ok(u64::from((f64::from_bits(bits) as f32).to_bits()))
        }
        _ => Err(problem(format!("a floating-point constant is not an operand of type .{}", ty.name()))),
    }
}

/// The low `bytes` of a value, sign-extended.
fn sign_extended(value: u64, bytes: u32) -> u64 {
    let unused = 64 - 8 * bytes.clamp(1, 8);
    ((value << unused).cast_signed() >> unused).cast_unsigned()
}
