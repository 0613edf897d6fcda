//! Atomic operations and reductions: PTX ISA 8.5, section 9.7.13, `atom` and `red`.

use super::Resolved;
use super::access::policy;
use super::context::{Context, at, place_of};
use super::tables::{ATOMIC_SPACES, SCOPES, VECTORS, is_half};
use super::types::Size;
use super::words::{Table, problem, problem_with};
use crate::ir::ScalarType::{self, B16, B32, B64, BF16, BF16x2, F16, F16x2, F32, F64, S32, S64, U32, U64};
use crate::ir::{Atomic, Operation, Ordering, RegisterId, Scope, StateSpace};
use crate::resolve::scope::Problem;
use crate::syntax;
use heddle_image::atomic::{AtomicOperation, AtomicType};

const REDUCTIONS: Table<AtomicOperation> = &[
    ("add", AtomicOperation::Add),
    ("min", AtomicOperation::Minimum),
    ("max", AtomicOperation::Maximum),
    ("inc", AtomicOperation::Increment),
    ("dec", AtomicOperation::Decrement),
    ("and", AtomicOperation::And),
    ("or", AtomicOperation::Or),
    ("xor", AtomicOperation::Xor),
];

const ATOMICS: Table<AtomicOperation> = &[
    ("add", AtomicOperation::Add),
    ("min", AtomicOperation::Minimum),
    ("max", AtomicOperation::Maximum),
    ("inc", AtomicOperation::Increment),
    ("dec", AtomicOperation::Decrement),
    ("and", AtomicOperation::And),
    ("or", AtomicOperation::Or),
    ("xor", AtomicOperation::Xor),
    ("exch", AtomicOperation::Exchange),
    ("cas", AtomicOperation::CompareAndSwap),
];

const ORDERINGS: Table<Ordering> = &[
    ("relaxed", Ordering::Relaxed),
    ("acquire", Ordering::Acquire),
    ("release", Ordering::Release),
    ("acq_rel", Ordering::AcquireRelease),
];

const REDUCTION_ORDERINGS: Table<Ordering> =
    &[("relaxed", Ordering::Relaxed), ("release", Ordering::Release)];

/// The types that an operation has.
fn types(operation: AtomicOperation, vector: u8) -> &'static [ScalarType] {
    use AtomicOperation as Op;
    match operation {
        Op::Add if vector > 1 => &[F32, F16, F16x2, BF16, BF16x2],
        Op::Minimum | Op::Maximum if vector > 1 => &[F16, F16x2, BF16, BF16x2],
        _ if vector > 1 => &[],
        Op::Add => &[U32, S32, U64, F32, F64, F16, F16x2, BF16, BF16x2],
        Op::Minimum | Op::Maximum => &[U32, S32, U64, S64],
        Op::Increment | Op::Decrement => &[U32],
        Op::CompareAndSwap => &[B16, B32, B64],
        Op::And | Op::Or | Op::Xor | Op::Exchange => &[B32, B64],
    }
}

fn atomic_type(ty: ScalarType) -> Option<AtomicType> {
    Some(match ty {
        B16 => AtomicType::Bits16,
        B32 | U32 => AtomicType::Unsigned32,
        S32 => AtomicType::Signed32,
        B64 | U64 => AtomicType::Unsigned64,
        S64 => AtomicType::Signed64,
        F32 => AtomicType::Float32,
        F64 => AtomicType::Float64,
        F16 => AtomicType::Float16,
        F16x2 => AtomicType::Float16x2,
        BF16 => AtomicType::Brain16,
        BF16x2 => AtomicType::Brain16x2,
        _ => return None,
    })
}

/// The operation and the type of the registers.
fn atomic(
    context: &mut Context<'_>,
    operations: Table<AtomicOperation>,
    orderings: Table<Ordering>,
) -> Result<(Atomic, ScalarType), Problem> {
    context.words.refuse(&[
        ("b128", "there are no 128-bit registers; use two 64-bit words and a lock"),
        ("async", "asynchronous reductions signal an mbarrier, which is not modelled"),
    ])?;
    let ordering = context.words.choice(orderings).unwrap_or(Ordering::Relaxed);
    let scope = context.words.choice(SCOPES).unwrap_or(Scope::Gpu);
    let space = context.words.choice(ATOMIC_SPACES).unwrap_or(StateSpace::Generic);
    let operation = context.words.need("the operation", operations)?;
    let vector = context.words.choice(VECTORS).unwrap_or(1);
    let allowed = types(operation, vector);
    if allowed.is_empty() {
        return Err(problem("vectors go with add, min and max of floating-point types alone"));
    }
    if vector > 1 && space != StateSpace::Global {
        return Err(problem("vectors go with global memory alone"));
    }
    let ty = context.words.ty(allowed)?;
    let without_flush = (is_half(ty) || ty == F32) && context.words.flag("noftz");
    if is_half(ty) && !without_flush {
        return Err(problem_with(
            format!("`.noftz` is missing, which the type .{} needs", ty.name()),
            format!("write {}….noftz.{}", context.words.opcode(), ty.name()),
        ));
    }
    if ty.bytes() * u32::from(vector) > 16 {
        return Err(problem(format!("a vector of {vector} elements of type .{} is too wide", ty.name())));
    }
    let unknown = || problem(format!("there are no atomic operations on the type .{}", ty.name()));
    let atomic_ty = atomic_type(ty).ok_or_else(unknown)?;
    Ok((Atomic { operation, ty: atomic_ty, space, ordering, scope, vector }, ty))
}

/// `atom`
pub(super) fn atom(context: &mut Context<'_>) -> Resolved {
    let (atomic, ty) = atomic(context, ATOMICS, ORDERINGS)?;
    let swaps = atomic.operation == AtomicOperation::CompareAndSwap;
    let hint = context.words.flag("L2::cache_hint");
    context.shape(3 + usize::from(swaps) + usize::from(hint))?;
    let destinations = old_values(context, usize::from(atomic.vector), ty)?;
    let address = context.address(atomic.space)?;
    let operands = context.vector_sources(usize::from(atomic.vector), ty, Size::Same)?;
    let swap = if swaps { Some(context.source(ty)?) } else { None };
    policy(context, hint)?;
    Ok(Operation::Atomic { atomic, destinations, address, operands, swap })
}

/// The destinations; a single `_` drops them all.
fn old_values(
    context: &mut Context<'_>,
    elements: usize,
    ty: ScalarType,
) -> Result<Vec<Option<RegisterId>>, Problem> {
    match context.peek() {
        Some(syntax::Operand::Name(place, name)) if name == "_" => {
            if elements > 1 {
                return Err(at(*place, "write one `_` per element, in braces"));
            }
            context.take()?;
            Ok(vec![None])
        }
        Some(syntax::Operand::Vector(..)) if elements == 1 => {
            let place = context.peek().map(place_of).unwrap_or_default();
            Err(at(place, "a single register is expected here"))
        }
        _ => context.vector_destinations(elements, ty, Size::Same),
    }
}

/// `red`
pub(super) fn red(context: &mut Context<'_>) -> Resolved {
    let (atomic, ty) = atomic(context, REDUCTIONS, REDUCTION_ORDERINGS)?;
    let hint = context.words.flag("L2::cache_hint");
    context.shape(2 + usize::from(hint))?;
    let address = context.address(atomic.space)?;
    let operands = context.vector_sources(usize::from(atomic.vector), ty, Size::Same)?;
    policy(context, hint)?;
    Ok(Operation::Atomic { atomic, destinations: Vec::new(), address, operands, swap: None })
}
