//! Comparison and selection: PTX ISA 8.5, sections 9.7.5 and 9.7.6.

use super::Resolved;
use super::context::Context;
use super::tables::{
    BIT_COMPARISONS, BOOLEAN, FLOAT_COMPARISONS, INTEGER_COMPARISONS, UNSIGNED_COMPARISONS, is_brain,
};
use super::types::{COMPARABLE, MOVABLE};
use super::words::problem;
use crate::ir::ScalarType::{
    B16, B32, B64, BF16, BF16x2, F16, F16x2, F32, F64, Pred, S16, S32, U16, U32, U64,
};
use crate::ir::{
    AluMode, AluOperation, BooleanOperation, Comparison, Operand, Operation, RegisterId, ScalarType,
};
use crate::resolve::scope::Problem;
use crate::syntax;

/// The comparison that a word means for a type.
fn comparison(context: &mut Context<'_>, ty: ScalarType) -> Result<Comparison, Problem> {
    let table = match ty {
        B16 | B32 | B64 => BIT_COMPARISONS,
        _ if ty.is_float() => FLOAT_COMPARISONS,
        _ => INTEGER_COMPARISONS,
    };
    if matches!(ty, U16 | U32 | U64)
        && let Some(unsigned) = context.words.choice(UNSIGNED_COMPARISONS)
    {
        return Ok(unsigned);
    }
    context.words.need("the comparison", table)
}

/// `.ftz`, where the type of the operands has it.
fn flush(context: &mut Context<'_>, ty: ScalarType) -> bool {
    ty.is_float() && ty != F64 && !is_brain(ty) && context.words.flag("ftz")
}

/// `setp`
pub(super) fn set_predicate(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(COMPARABLE)?;
    let comparison = comparison(context, ty)?;
    let flush = flush(context, ty);
    let boolean = context.words.choice(BOOLEAN);
    context.shape(if boolean.is_some() { 4 } else { 3 })?;
    let (destination, second) = predicates(context)?;
    let sources = [context.source(ty)?, context.source(ty)?];
    let combine = combination(context, boolean)?;
    if matches!(ty, F16x2 | BF16x2) {
        return Ok(packed(context, comparison, ty, flush, [destination, second], sources, combine));
    }
    Ok(Operation::SetPredicate { comparison, ty, flush, destination, complement: second, sources, combine })
}

/// `p` or `p|q`
fn predicates(context: &mut Context<'_>) -> Result<(Option<RegisterId>, Option<RegisterId>), Problem> {
    context.destinations_with_predicate(Pred)
}

type Combination = Option<(BooleanOperation, Operand, bool)>;

fn combination(context: &mut Context<'_>, boolean: Option<BooleanOperation>) -> Result<Combination, Problem> {
    let Some(boolean) = boolean else { return Ok(None) };
    let (predicate, negated) = context.predicate()?;
    Ok(Some((boolean, predicate, negated)))
}

/// Packed halves: the first predicate is of the low ones, the second of the high ones, each compared alone.
fn packed(
    context: &mut Context<'_>,
    comparison: Comparison,
    ty: ScalarType,
    flush: bool,
    destinations: [Option<RegisterId>; 2],
    sources: [Operand; 2],
    combine: Combination,
) -> Operation {
    let element = if ty == F16x2 { F16 } else { BF16 };
    let [left, right] = sources.map(|source| halves(context, element, source));
    let compare = |at: usize, destination| Operation::SetPredicate {
        comparison,
        ty: element,
        flush,
        destination,
        complement: None,
        sources: [left[at], right[at]],
        combine,
    };
    // The first predicate goes by way of a temporary, because the second comparison may combine with it.
    let low = destinations[0].map(|_| context.scope.temporary(Pred));
    context.before(compare(0, low));
    context.before(compare(1, destinations[1]));
    match (destinations[0], low) {
        (Some(destination), Some(low)) => Operation::Alu {
            operation: AluOperation::Move,
            ty: Pred,
            mode: AluMode::default(),
            destination,
            sources: vec![Operand::Register(low)],
        },
        _ => Operation::Nothing,
    }
}

/// The low and the high half of a packed operand.
fn halves(context: &mut Context<'_>, element: ScalarType, source: Operand) -> [Operand; 2] {
    let parts = [context.scope.temporary(element), context.scope.temporary(element)];
    context.before(Operation::Unpack { ty: B32, parts: parts.map(Some).to_vec(), source });
    parts.map(Operand::Register)
}

/// `set`
pub(super) fn set(context: &mut Context<'_>) -> Resolved {
    let result = context.words.ty(&[U32, S32, F32, U16, S16, F16, F16x2, BF16, BF16x2])?;
    let ty = context.words.ty(COMPARABLE)?;
    let comparison = comparison(context, ty)?;
    let flush = flush(context, ty);
    let boolean = context.words.choice(BOOLEAN);
    context.shape(if boolean.is_some() { 4 } else { 3 })?;
    let destination = context.destination(result)?;
    let mut sources = vec![context.source(ty)?, context.source(ty)?];
    let combine = combination(context, boolean)?.map(|(boolean, predicate, negated)| {
        sources.push(predicate);
        (boolean, negated)
    });
    let operation = AluOperation::SetValue { comparison, result, combine };
    Ok(Operation::Alu { operation, ty, mode: AluMode { flush, ..AluMode::default() }, destination, sources })
}

/// `selp`
pub(super) fn select(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(MOVABLE)?;
    context.shape(4)?;
    let destination = context.destination(ty)?;
    let mut sources = vec![context.source(ty)?, context.source(ty)?];
    // A negated predicate chooses the other one.
    if matches!(context.peek(), Some(syntax::Operand::Not(..))) {
        sources.swap(0, 1);
    }
    let (predicate, _) = context.predicate()?;
    sources.push(predicate);
    Ok(Operation::Alu { operation: AluOperation::Select, ty, mode: AluMode::default(), destination, sources })
}

/// `slct`
pub(super) fn select_by_sign(context: &mut Context<'_>) -> Resolved {
    let flush = context.words.flag("ftz");
    let ty = context.words.ty(MOVABLE)?;
    let by = context.words.ty(&[S32, F32])?;
    if flush && by != F32 {
        return Err(problem("`.ftz` goes with a third operand of type .f32"));
    }
    let operation = AluOperation::SelectBySign { float: by == F32 };
    context.alu(operation, ty, AluMode { flush, ..AluMode::default() }, ty, &[ty, ty, by])
}
