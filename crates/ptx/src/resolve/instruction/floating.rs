//! Floating-point arithmetic in every precision: PTX ISA 8.5, sections 9.7.3 and 9.7.4.

use super::Resolved;
use super::context::Context;
use super::tables::{ROUNDING, is_brain, is_half};
use super::types::{FLOATS, SINGLE_DOUBLE};
use super::words::{Table, problem, problem_with};
use crate::ir::ScalarType::{BF16, BF16x2, F16, F16x2, F32, F64};
use crate::ir::{AluMode, AluOperation, FloatProperty, Operand, Operation, Rounding, ScalarType};
use crate::resolve::scope::Problem;

/// Rounding of half-precision results.
const NEAREST: Table<Rounding> = &[("rn", Rounding::Nearest)];

const ROUNDING_MISSING: &str = "the rounding mode";

fn rounding_of(ty: ScalarType) -> Table<Rounding> {
    if is_half(ty) { NEAREST } else { ROUNDING }
}

/// The type, which stands last and decides which modifiers there are.
fn peek(context: &Context<'_>) -> ScalarType {
    context.words.peek_type().unwrap_or(F32)
}

/// `.ftz`, where the type has it.
fn flush(context: &mut Context<'_>, ty: ScalarType) -> bool {
    ty != F64 && !is_brain(ty) && context.words.flag("ftz")
}

/// `.sat`, where the type has it.
fn saturate(context: &mut Context<'_>, ty: ScalarType) -> bool {
    ty != F64 && !is_brain(ty) && context.words.flag("sat")
}

/// `add`, `sub`, `mul`
pub(super) fn sum(context: &mut Context<'_>, operation: AluOperation) -> Resolved {
    let ty = peek(context);
    let rounding = context.words.choice(rounding_of(ty)).unwrap_or_default();
    let flush = flush(context, ty);
    let saturate = saturate(context, ty);
    let ty = context.words.ty(FLOATS)?;
    let mode = AluMode { rounding, flush, saturate, ..AluMode::default() };
    if ty == F32
        && operation != AluOperation::Multiply
        && let Some(narrow) = context.words.ty_if_any(&[F16, BF16])?
    {
        return mixed(context, operation, mode, &[narrow, F32]);
    }
    context.alu(operation, ty, mode, ty, &[ty, ty])
}

/// `fma`
pub(super) fn fused(context: &mut Context<'_>) -> Resolved {
    if let Some(packed) = super::packed::take(context) {
        return super::packed::fused(context, packed);
    }
    context.words.refuse(&[("oob", "out-of-bounds marking is not modelled")])?;
    let ty = peek(context);
    let rounding = context.words.need(ROUNDING_MISSING, rounding_of(ty))?;
    let flush = flush(context, ty);
    let saturate = saturate(context, ty);
    let relu = is_half(ty) && !saturate && context.words.flag("relu");
    let ty = context.words.ty(FLOATS)?;
    let mode = AluMode { rounding, flush, saturate, relu, ..AluMode::default() };
    if ty == F32
        && let Some(narrow) = context.words.ty_if_any(&[F16, BF16])?
    {
        return mixed(context, AluOperation::MultiplyAdd, mode, &[narrow, narrow, F32]);
    }
    context.alu(AluOperation::MultiplyAdd, ty, mode, ty, &[ty, ty, ty])
}

/// `mad` of floats. Without a rounding mode it is the form of the first machines (sm_1x); it is done as `.rn`.
pub(super) fn multiply_add(context: &mut Context<'_>) -> Resolved {
    let ty = peek(context);
    let rounding = match ty {
        F32 => context.words.choice(ROUNDING).unwrap_or_default(),
        _ => context.words.need(ROUNDING_MISSING, ROUNDING)?,
    };
    let flush = flush(context, ty);
    let saturate = saturate(context, ty);
    let ty = context.words.ty(SINGLE_DOUBLE)?;
    let mode = AluMode { rounding, flush, saturate, ..AluMode::default() };
    context.alu(AluOperation::MultiplyAdd, ty, mode, ty, &[ty, ty, ty])
}

/// Mixed precision: narrow sources are converted first, which is exact.
fn mixed(
    context: &mut Context<'_>,
    operation: AluOperation,
    mode: AluMode,
    types: &[ScalarType],
) -> Resolved {
    context.shape(1 + types.len())?;
    let destination = context.destination(F32)?;
    let mut sources = Vec::new();
    for &ty in types {
        let source = context.source(ty)?;
        sources.push(if ty == F32 { source } else { widen(context, ty, source) });
    }
    Ok(Operation::Alu { operation, ty: F32, mode, destination, sources })
}

fn widen(context: &mut Context<'_>, ty: ScalarType, source: Operand) -> Operand {
    let destination = context.scope.temporary(F32);
    let operation = AluOperation::Convert(F32);
    let mode = AluMode::default();
    context.before(Operation::Alu { operation, ty, mode, destination, sources: vec![source] });
    Operand::Register(destination)
}

/// `div`
pub(super) fn divide(context: &mut Context<'_>) -> Resolved {
    let ty = peek(context);
    let approximate = ty == F32 && (context.words.flag("approx") || context.words.flag("full"));
    let mode = rounded_or_approximate(context, ty, approximate)?;
    let ty = context.words.ty(SINGLE_DOUBLE)?;
    context.alu(AluOperation::Divide, ty, mode, ty, &[ty, ty])
}

fn rounded_or_approximate(
    context: &mut Context<'_>,
    ty: ScalarType,
    approximate: bool,
) -> Result<AluMode, Problem> {
    let rounding = match (approximate, context.words.choice(ROUNDING)) {
        (false, None) => {
            let also = if ty == F32 { ", or .approx" } else { "" };
            return Err(problem(format!("{ROUNDING_MISSING} is missing; expected .rn, .rz, .rm, .rp{also}")));
        }
        (true, Some(_)) => return Err(problem("an approximation takes no rounding mode")),
        (_, rounding) => rounding.unwrap_or_default(),
    };
    Ok(AluMode { rounding, approximate, flush: flush(context, ty), ..AluMode::default() })
}

/// `rcp`
pub(super) fn reciprocal(context: &mut Context<'_>) -> Resolved {
    if context.words.has("approx") && peek(context) == F64 {
        return double_approximation(context, AluOperation::Reciprocal, true);
    }
    root(context, AluOperation::Reciprocal)
}

/// `sqrt`
pub(super) fn square_root(context: &mut Context<'_>) -> Resolved {
    root(context, AluOperation::SquareRoot)
}

fn root(context: &mut Context<'_>, operation: AluOperation) -> Resolved {
    let ty = peek(context);
    let approximate = ty == F32 && context.words.flag("approx");
    let mode = rounded_or_approximate(context, ty, approximate)?;
    let ty = context.words.ty(SINGLE_DOUBLE)?;
    context.alu(operation, ty, mode, ty, &[ty])
}

/// `rcp.approx.ftz.f64`, `rsqrt.approx{.ftz}.f64`
fn double_approximation(context: &mut Context<'_>, operation: AluOperation, needs_flush: bool) -> Resolved {
    context.words.need_flag("approx")?;
    if needs_flush {
        context.words.need_flag("ftz")?;
    }
    let flush = needs_flush || context.words.flag("ftz");
    let ty = context.words.ty(&[F64])?;
    context.alu(operation, ty, AluMode { flush, approximate: true, ..AluMode::default() }, ty, &[ty])
}

/// `rsqrt`
pub(super) fn reciprocal_square_root(context: &mut Context<'_>) -> Resolved {
    if peek(context) == F64 {
        return double_approximation(context, AluOperation::ReciprocalSquareRoot, false);
    }
    approximation(context, AluOperation::ReciprocalSquareRoot, &[F32])
}

/// `sin`, `cos`, `lg2`
pub(super) fn transcendental(context: &mut Context<'_>) -> Resolved {
    let operation = match context.words.opcode() {
        "sin" => AluOperation::Sine,
        "cos" => AluOperation::Cosine,
        _ => AluOperation::LogarithmBase2,
    };
    approximation(context, operation, &[F32])
}

fn approximation(context: &mut Context<'_>, operation: AluOperation, types: &[ScalarType]) -> Resolved {
    context.words.need_flag("approx")?;
    let flush = context.words.flag("ftz");
    let ty = context.words.ty(types)?;
    context.alu(operation, ty, AluMode { flush, approximate: true, ..AluMode::default() }, ty, &[ty])
}

/// `ex2`; `.ftz` is a choice for single precision, forbidden for halves and required for bfloat16.
pub(super) fn power_of_two(context: &mut Context<'_>) -> Resolved {
    let ty = peek(context);
    if ty == F32 {
        return approximation(context, AluOperation::PowerOf2, &[F32]);
    }
    context.words.need_flag("approx")?;
    if is_brain(ty) {
        context.words.need_flag("ftz")?;
    }
    let ty = context.words.ty(&[F32, F16, F16x2, BF16, BF16x2])?;
    let mode = AluMode { flush: is_brain(ty), approximate: true, ..AluMode::default() };
    context.alu(AluOperation::PowerOf2, ty, mode, ty, &[ty])
}

/// `tanh`
pub(super) fn hyperbolic_tangent(context: &mut Context<'_>) -> Resolved {
    context.words.need_flag("approx")?;
    let ty = context.words.ty(&[F32, F16, F16x2, BF16, BF16x2])?;
    let mode = AluMode { approximate: true, ..AluMode::default() };
    context.alu(AluOperation::HyperbolicTangent, ty, mode, ty, &[ty])
}

/// `abs`, `neg`
pub(super) fn sign(context: &mut Context<'_>, operation: AluOperation) -> Resolved {
    let ty = peek(context);
    let flush = flush(context, ty);
    let ty = context.words.ty(FLOATS)?;
    context.alu(operation, ty, AluMode { flush, ..AluMode::default() }, ty, &[ty])
}

/// `min`, `max`; single precision has a form with three sources, which is done two by two.
pub(super) fn extreme(context: &mut Context<'_>, operation: AluOperation) -> Resolved {
    let ty = peek(context);
    let flush = flush(context, ty);
    let propagate_nan = ty != F64 && context.words.flag("NaN");
    let xor_sign = ty != F64 && context.words.flag("xorsign");
    if (ty != F64 && context.words.flag("abs")) != xor_sign {
        return Err(problem_with("`.xorsign` and `.abs` go together", "write .xorsign.abs"));
    }
    let ty = context.words.ty(FLOATS)?;
    let mode = AluMode { flush, propagate_nan, xor_sign, ..AluMode::default() };
    if ty != F32 || context.left() != 4 {
        return context.alu(operation, ty, mode, ty, &[ty, ty]);
    }
    context.shape(4)?;
    if xor_sign {
        return Err(problem("`.xorsign.abs` goes with two sources"));
    }
    let destination = context.destination(ty)?;
    let pair = vec![context.source(ty)?, context.source(ty)?];
    let third = context.source(ty)?;
    let partial = context.scope.temporary(ty);
    context.before(Operation::Alu { operation, ty, mode, destination: partial, sources: pair });
    Ok(Operation::Alu { operation, ty, mode, destination, sources: vec![Operand::Register(partial), third] })
}

const PROPERTIES: Table<FloatProperty> = &[
    ("finite", FloatProperty::Finite),
    ("infinite", FloatProperty::Infinite),
    ("number", FloatProperty::Number),
    ("notanumber", FloatProperty::NotANumber),
    ("normal", FloatProperty::Normal),
    ("subnormal", FloatProperty::Subnormal),
];

/// `testp`
pub(super) fn test_property(context: &mut Context<'_>) -> Resolved {
    let property = context.words.need("the property", PROPERTIES)?;
    let ty = context.words.ty(SINGLE_DOUBLE)?;
    let operation = AluOperation::TestProperty(property);
    context.plain(operation, ty, ScalarType::Pred, &[ty])
}

/// `copysign`
pub(super) fn copy_sign(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(SINGLE_DOUBLE)?;
    context.plain(AluOperation::CopySign, ty, ty, &[ty, ty])
}
