//! Packed arithmetic on types that no register has as its type (`.f32x2`, `.u16x2`, `.s16x2`): the parts are
//! taken apart, computed one by one, and put together again.

use super::Resolved;
use super::context::Context;
use super::tables::ROUNDING;
use super::words::{Table, problem};
use crate::ir::ScalarType::{B32, B64, F32, S16, U16};
use crate::ir::{AluMode, AluOperation, Operand, Operation, ScalarType};

/// A packed type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Packed {
    element: ScalarType,
    whole: ScalarType,
}

const PACKED: Table<Packed> = &[
    ("f32x2", Packed { element: F32, whole: B64 }),
    ("u16x2", Packed { element: U16, whole: B32 }),
    ("s16x2", Packed { element: S16, whole: B32 }),
];

/// Takes a packed type, if the instruction has one.
pub(super) fn take(context: &mut Context<'_>) -> Option<Packed> {
    // Asked for without noise: most instructions have no packed form to propose.
    PACKED.iter().any(|(word, _)| context.words.has(word)).then(|| context.words.choice(PACKED)).flatten()
}

/// `add`, `sub`, `mul`
pub(super) fn sum(context: &mut Context<'_>, operation: AluOperation, packed: Packed) -> Resolved {
    if packed.element != F32 {
        if operation != AluOperation::Add {
            return Err(problem("packed 16-bit integers have add, min and max alone"));
        }
        return by_parts(context, operation, packed, AluMode::default(), 2);
    }
    let rounding = context.words.choice(ROUNDING).unwrap_or_default();
    let flush = context.words.flag("ftz");
    by_parts(context, operation, packed, AluMode { rounding, flush, ..AluMode::default() }, 2)
}

/// `fma`
pub(super) fn fused(context: &mut Context<'_>, packed: Packed) -> Resolved {
    if packed.element != F32 {
        return Err(problem("packed 16-bit integers have add, min and max alone"));
    }
    let rounding = context.words.need("the rounding mode", ROUNDING)?;
    let flush = context.words.flag("ftz");
    let mode = AluMode { rounding, flush, ..AluMode::default() };
    by_parts(context, AluOperation::MultiplyAdd, packed, mode, 3)
}

/// `min`, `max`
pub(super) fn extreme(context: &mut Context<'_>, operation: AluOperation, packed: Packed) -> Resolved {
    if packed.element == F32 {
        return Err(problem("the type `.f32x2` has add, sub, mul and fma alone"));
    }
    let relu = packed.element == S16 && context.words.flag("relu");
    by_parts(context, operation, packed, AluMode { relu, ..AluMode::default() }, 2)
}

fn by_parts(
    context: &mut Context<'_>,
    operation: AluOperation,
    packed: Packed,
    mode: AluMode,
    sources: usize,
) -> Resolved {
    context.shape(1 + sources)?;
    let destination = context.destination(packed.whole)?;
    let mut parts = [Vec::new(), Vec::new()];
    for _ in 0..sources {
        let source = context.source(packed.whole)?;
        let halves = [context.scope.temporary(packed.element), context.scope.temporary(packed.element)];
        let unpacked = halves.iter().map(|&half| Some(half)).collect();
        context.before(Operation::Unpack { ty: packed.whole, parts: unpacked, source });
        for (part, half) in parts.iter_mut().zip(halves) {
            part.push(Operand::Register(half));
        }
    }
    let mut results = Vec::new();
    for sources in parts {
        let destination = context.scope.temporary(packed.element);
        context.before(Operation::Alu { operation, ty: packed.element, mode, destination, sources });
        results.push(Operand::Register(destination));
    }
    Ok(Operation::Pack { ty: packed.whole, destination, parts: results })
}
