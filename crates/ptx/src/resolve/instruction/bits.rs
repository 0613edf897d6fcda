//! Bits: counting, fields, logic, shifts, permutation. PTX ISA 8.5, sections 9.7.1 and 9.7.7, and `prmt` of
//! section 9.7.9.

use super::Resolved;
use super::context::{Context, at, place_of};
use super::types::{BIT_WORDS, BITS, WORDS};
use super::words::Table;
use crate::ir::ScalarType::{B16, B32, B64, Pred, S16, S32, S64, U16, U32, U64};
use crate::ir::{AluMode, AluOperation, BooleanOperation, Comparison, Operand, Operation, PermuteMode};

/// `popc`, `clz`
pub(super) fn count(context: &mut Context<'_>) -> Resolved {
    let operation = match context.words.opcode() {
        "popc" => AluOperation::PopulationCount,
        _ => AluOperation::LeadingZeros,
    };
    let ty = context.words.ty(BIT_WORDS)?;
    context.plain(operation, ty, U32, &[ty])
}

/// `bfind`
pub(super) fn find_leading(context: &mut Context<'_>) -> Resolved {
    let shift = context.words.flag("shiftamt");
    let ty = context.words.ty(WORDS)?;
    context.plain(AluOperation::FindLeading { shift }, ty, U32, &[ty])
}

/// `fns`
pub(super) fn find_nth_set(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(&[B32])?;
    context.plain(AluOperation::FindNthSet, ty, B32, &[B32, B32, S32])
}

/// `brev`
pub(super) fn reverse(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(BIT_WORDS)?;
    context.plain(AluOperation::ReverseBits, ty, ty, &[ty])
}

/// `bfe`
pub(super) fn extract_field(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(WORDS)?;
    context.plain(AluOperation::ExtractField, ty, ty, &[ty, U32, U32])
}

/// `bfi`
pub(super) fn insert_field(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(BIT_WORDS)?;
    context.plain(AluOperation::InsertField, ty, ty, &[ty, ty, U32, U32])
}

const CLAMP: Table<bool> = &[("clamp", false), ("wrap", true)];

/// `szext`
pub(super) fn extend_sign(context: &mut Context<'_>) -> Resolved {
    let wrap = context.words.need("the mode", CLAMP)?;
    let ty = context.words.ty(&[U32, S32])?;
    context.plain(AluOperation::ExtendSign { wrap }, ty, ty, &[ty, U32])
}

/// `bmsk`
pub(super) fn make_mask(context: &mut Context<'_>) -> Resolved {
    let wrap = context.words.need("the mode", CLAMP)?;
    let ty = context.words.ty(&[B32])?;
    context.plain(AluOperation::MakeMask { wrap }, ty, ty, &[ty, ty])
}

/// `and`, `or`, `xor`
pub(super) fn logic(context: &mut Context<'_>) -> Resolved {
    let operation = match context.words.opcode() {
        "and" => AluOperation::And,
        "or" => AluOperation::Or,
        _ => AluOperation::Xor,
    };
    let ty = context.words.ty(&[Pred, B16, B32, B64])?;
    context.plain(operation, ty, ty, &[ty, ty])
}

/// `not`
pub(super) fn not(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(&[Pred, B16, B32, B64])?;
    context.plain(AluOperation::Not, ty, ty, &[ty])
}

/// `cnot`
pub(super) fn logical_not(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(BITS)?;
    context.plain(AluOperation::LogicalNot, ty, ty, &[ty])
}

/// `shl`
pub(super) fn shift_left(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(BITS)?;
    context.plain(AluOperation::ShiftLeft, ty, ty, &[ty, U32])
}

/// `shr`
pub(super) fn shift_right(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(&[B16, B32, B64, U16, U32, U64, S16, S32, S64])?;
    context.plain(AluOperation::ShiftRight, ty, ty, &[ty, U32])
}

/// `shf`
pub(super) fn funnel_shift(context: &mut Context<'_>) -> Resolved {
    let left = context.words.need("the direction", &[("l", true), ("r", false)])?;
    let wrap = context.words.need("the mode", CLAMP)?;
    let ty = context.words.ty(&[B32])?;
    let operation = if left { AluOperation::FunnelLeft { wrap } } else { AluOperation::FunnelRight { wrap } };
    context.plain(operation, ty, ty, &[ty, ty, U32])
}

const PERMUTATIONS: Table<PermuteMode> = &[
    ("f4e", PermuteMode::Forward4),
    ("b4e", PermuteMode::Backward4),
    ("rc8", PermuteMode::Replicate8),
    ("ecl", PermuteMode::EdgeClampLeft),
    ("ecr", PermuteMode::EdgeClampRight),
    ("rc16", PermuteMode::Replicate16),
];

/// `prmt`
pub(super) fn permute(context: &mut Context<'_>) -> Resolved {
    let ty = context.words.ty(&[B32])?;
    let mode = context.words.choice(PERMUTATIONS).unwrap_or(PermuteMode::Default);
    context.plain(AluOperation::Permute(mode), ty, ty, &[ty, ty, U32])
}

/// `lop3`, and `lop3.or`/`lop3.and`, whose predicate asks whether the result combined with another predicate
/// is not zero. Of the constant table the low eight bits count.
pub(super) fn lookup(context: &mut Context<'_>) -> Resolved {
    let combine = context.words.choice(&[("or", BooleanOperation::Or), ("and", BooleanOperation::And)]);
    context.words.refuse(&[("xor", "the ISA has .or and .and here")])?;
    let ty = context.words.ty(&[B32])?;
    let Some(boolean) = combine else {
        context.shape(5)?;
        let destination = context.destination(ty)?;
        let sources = vec![context.source(ty)?, context.source(ty)?, context.source(ty)?];
        let operation = AluOperation::Lookup3((context.constant()? & 0xff) as u8);
        return Ok(Operation::Alu { operation, ty, mode: AluMode::default(), destination, sources });
    };
    context.shape(6)?;
    let place = context.peek().map(place_of).unwrap_or_default();
    let (destination, predicate) = context.destinations_with_predicate(ty)?;
    let Some(predicate) = predicate else {
        return Err(at(place, "a result and a predicate are expected here, as d|p"));
    };
    let destination = destination.unwrap_or_else(|| context.scope.temporary(ty));
    let sources = vec![context.source(ty)?, context.source(ty)?, context.source(ty)?];
    let operation = AluOperation::Lookup3((context.constant()? & 0xff) as u8);
    let (combined, negated) = context.predicate()?;
    context.before(Operation::Alu { operation, ty, mode: AluMode::default(), destination, sources });
    Ok(Operation::SetPredicate {
        comparison: Comparison::NotEqual,
        ty,
        flush: false,
        destination: Some(predicate),
        complement: None,
        sources: [Operand::Register(destination), Operand::Immediate(0)],
        combine: Some((boolean, combined, negated)),
    })
}
