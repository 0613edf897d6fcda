//! Integer arithmetic: PTX ISA 8.5, section 9.7.1. `add`, `mul` and the like come here for floating-point
//! types too and go on to [`super::floating`]; carries are in [`super::extended`].

use super::context::Context;
use super::tables::{HALF, HALF_OR_WIDE, Half};
use super::types::{INTEGERS, SIGNED, widened};
use super::words::problem;
use super::{Resolved, extended, floating, packed};
use crate::ir::ScalarType::{S32, U16, U32};
use crate::ir::{AluMode, AluOperation, ScalarType};

fn is_float(context: &Context<'_>) -> bool {
    context.words.peek_type().is_some_and(ScalarType::is_float)
}

/// `add`
pub(super) fn add(context: &mut Context<'_>) -> Resolved {
    sum(context, AluOperation::Add)
}

/// `sub`
pub(super) fn subtract(context: &mut Context<'_>) -> Resolved {
    sum(context, AluOperation::Subtract)
}

fn sum(context: &mut Context<'_>, operation: AluOperation) -> Resolved {
    if let Some(packed) = packed::take(context) {
        return packed::sum(context, operation, packed);
    }
    if context.words.has("cc") {
        return extended::sum(context, operation, false);
    }
    if is_float(context) {
        return floating::sum(context, operation);
    }
    let saturate = context.words.flag("sat");
    let ty = context.words.ty(if saturate { &[S32] } else { INTEGERS })?;
    context.alu(operation, ty, AluMode { saturate, ..AluMode::default() }, ty, &[ty, ty])
}

/// `mul`
pub(super) fn multiply(context: &mut Context<'_>) -> Resolved {
    if let Some(packed) = packed::take(context) {
        return packed::sum(context, AluOperation::Multiply, packed);
    }
    if is_float(context) {
        return floating::sum(context, AluOperation::Multiply);
    }
    let half = context.words.need("the part of the product", HALF_OR_WIDE)?;
    let mode = AluMode::default();
    if half == Half::Wide {
        let ty = context.words.ty(NARROW)?;
        return context.alu(AluOperation::MultiplyWide, ty, mode, widened(ty), &[ty, ty]);
    }
    let ty = context.words.ty(INTEGERS)?;
    let operation = if half == Half::Low { AluOperation::Multiply } else { AluOperation::MultiplyHigh };
    context.alu(operation, ty, mode, ty, &[ty, ty])
}

const NARROW: &[ScalarType] = &[U16, U32, ScalarType::S16, S32];

/// `mad`
pub(super) fn multiply_add(context: &mut Context<'_>) -> Resolved {
    if context.words.has("cc") {
        return extended::multiply_add(context, false);
    }
    if is_float(context) {
        return floating::multiply_add(context);
    }
    let half = context.words.need("the part of the product", HALF_OR_WIDE)?;
    if half == Half::Wide {
        let ty = context.words.ty(NARROW)?;
        let wide = widened(ty);
        return context.plain(AluOperation::MultiplyAddWide, ty, wide, &[ty, ty, wide]);
    }
    let saturate = half == Half::High && context.words.flag("sat");
    let ty = context.words.ty(if saturate { &[S32] } else { INTEGERS })?;
    let operation = if half == Half::Low { AluOperation::MultiplyAdd } else { AluOperation::MultiplyAddHigh };
    context.alu(operation, ty, AluMode { saturate, ..AluMode::default() }, ty, &[ty, ty, ty])
}

/// `mul24`
pub(super) fn multiply24(context: &mut Context<'_>) -> Resolved {
    let half = context.words.need("the part of the product", HALF)?;
    let ty = context.words.ty(&[U32, S32])?;
    let operation = if half == Half::Low { AluOperation::Multiply24 } else { AluOperation::Multiply24High };
    context.plain(operation, ty, ty, &[ty, ty])
}

/// `mad24`
pub(super) fn multiply_add24(context: &mut Context<'_>) -> Resolved {
    let half = context.words.need("the part of the product", HALF)?;
    let saturate = half == Half::High && context.words.flag("sat");
    let ty = context.words.ty(if saturate { &[S32] } else { &[U32, S32] })?;
    let operation =
        if half == Half::Low { AluOperation::MultiplyAdd24 } else { AluOperation::MultiplyAdd24High };
    context.alu(operation, ty, AluMode { saturate, ..AluMode::default() }, ty, &[ty, ty, ty])
}

/// `sad`
pub(super) fn sum_of_differences(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(INTEGERS)?;
    context.plain(AluOperation::SumOfDifferences, ty, ty, &[ty, ty, ty])
}

/// `div`
pub(super) fn divide(context: &mut Context<'_>) -> Resolved {
    if is_float(context) {
        return floating::divide(context);
    }
    let ty = context.words.ty(INTEGERS)?;
    context.plain(AluOperation::Divide, ty, ty, &[ty, ty])
}

/// `rem`
pub(super) fn remainder(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(INTEGERS)?;
    context.plain(AluOperation::Remainder, ty, ty, &[ty, ty])
}

/// `abs`
pub(super) fn absolute(context: &mut Context<'_>) -> Resolved {
    sign(context, AluOperation::Absolute)
}

/// `neg`
pub(super) fn negate(context: &mut Context<'_>) -> Resolved {
    sign(context, AluOperation::Negate)
}

fn sign(context: &mut Context<'_>, operation: AluOperation) -> Resolved {
    if is_float(context) {
        return floating::sign(context, operation);
    }
    let ty = context.words.ty(SIGNED)?;
    context.plain(operation, ty, ty, &[ty])
}

/// `min`
pub(super) fn minimum(context: &mut Context<'_>) -> Resolved {
    extreme(context, AluOperation::Minimum)
}

/// `max`
pub(super) fn maximum(context: &mut Context<'_>) -> Resolved {
    extreme(context, AluOperation::Maximum)
}

fn extreme(context: &mut Context<'_>, operation: AluOperation) -> Resolved {
    if let Some(packed) = packed::take(context) {
        return packed::extreme(context, operation, packed);
    }
    if is_float(context) {
        return floating::extreme(context, operation);
    }
    let relu = context.words.flag("relu");
    let ty = context.words.ty(if relu { &[S32] } else { INTEGERS })?;
    context.alu(operation, ty, AluMode { relu, ..AluMode::default() }, ty, &[ty, ty])
}

/// `dp4a`
pub(super) fn dot_product4(context: &mut Context<'_>) -> Resolved {
    let types = [context.words.ty(&[U32, S32])?, context.words.ty(&[U32, S32])?];
    let operation = AluOperation::DotProduct4 { signed: types.map(ScalarType::is_signed) };
    dot_product(context, operation, types)
}

/// `dp2a`
pub(super) fn dot_product2(context: &mut Context<'_>) -> Resolved {
    let high = context.words.need("the half of the second source", HALF)? == Half::High;
    let types = [context.words.ty(&[U32, S32])?, context.words.ty(&[U32, S32])?];
    let operation = AluOperation::DotProduct2 { signed: types.map(ScalarType::is_signed), high };
    dot_product(context, operation, types)
}

fn dot_product(context: &mut Context<'_>, operation: AluOperation, types: [ScalarType; 2]) -> Resolved {
    let result = if types.contains(&S32) { S32 } else { U32 };
    context.plain(operation, result, result, &[types[0], types[1], result])
}

/// `addc`, `subc`, `madc`: the forms that read the carry.
pub(super) fn with_carry(context: &mut Context<'_>) -> Resolved {
    match context.words.opcode() {
        "addc" => extended::sum(context, AluOperation::Add, true),
        "subc" => extended::sum(context, AluOperation::Subtract, true),
        "madc" => extended::multiply_add(context, true),
        other => Err(problem(format!("unknown instruction `{other}`"))),
    }
}
