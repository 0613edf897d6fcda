//! Extended-precision arithmetic, with the carry flag: PTX ISA 8.5, section 9.7.2.

use super::Resolved;
use super::context::Context;
use super::tables::{HALF, Half};
use super::types::WORDS;
use crate::ir::{AluMode, AluOperation};

fn mode(context: &mut Context<'_>, carry_in: bool) -> AluMode {
    let carry_out = context.words.flag("cc");
    AluMode { carry_in, carry_out, ..AluMode::default() }
}

/// `add.cc`, `addc`, `sub.cc`, `subc`
pub(super) fn sum(context: &mut Context<'_>, operation: AluOperation, carry_in: bool) -> Resolved {
    let mode = mode(context, carry_in);
    let ty = context.words.ty(WORDS)?;
    context.alu(operation, ty, mode, ty, &[ty, ty])
}

/// `mad.cc`, `madc`
pub(super) fn multiply_add(context: &mut Context<'_>, carry_in: bool) -> Resolved {
    let half = context.words.need("the part of the product", HALF)?;
    let mode = mode(context, carry_in);
    let ty = context.words.ty(WORDS)?;
    let operation = if half == Half::Low { AluOperation::MultiplyAdd } else { AluOperation::MultiplyAddHigh };
    context.alu(operation, ty, mode, ty, &[ty, ty, ty])
}
