//! `mov` in all its forms: PTX ISA 8.5, section 9.7.9.

use super::Resolved;
use super::context::{Context, Value, at, place_of};
use super::special;
use super::types::{MOVABLE, Size, agree, bits_of};
use super::words::problem;
use crate::ir::ScalarType::{self, B16, B32, B64, F32, F64, Pred, U16, U32, U64};
use crate::ir::{AluMode, AluOperation, Operand, Operation, RegisterId};
use crate::resolve::scope::Problem;
use crate::syntax;

const TYPES: &[ScalarType] =
    &[Pred, B16, B32, B64, U16, U32, U64, ScalarType::S16, ScalarType::S32, ScalarType::S64, F32, F64];

/// `mov`
pub(super) fn mov(context: &mut Context<'_>) -> Resolved {
    context.words.refuse(&[("b128", "move its two 64-bit parts one by one")])?;
    if let Some(elements) = context.words.choice(&[("v2", 2), ("v4", 4)]) {
        return vector(context, elements);
    }
    let ty = context.words.ty(TYPES)?;
    context.shape(2)?;
    let target = context.take()?;
    if let Some(parts) = destinations(context, target, ty)? {
        return unpack(context, target, ty, parts);
    }
    let place = place_of(target);
    if super::context::is_sink(target) {
        return Err(at(place, "the result of this instruction cannot be dropped with `_`"));
    }
    let destination = context.register(target, ty, Size::Same)?;
    if let Some(source) = context.peek()
        && let Some(parts) = sources(context, source, ty)?
    {
        return Ok(Operation::Pack { ty, destination, parts });
    }
    let source = source(context, ty)?;
    Ok(moved(ty, destination, source))
}

fn moved(ty: ScalarType, destination: RegisterId, source: Operand) -> Operation {
    let operation = AluOperation::Move;
    Operation::Alu { operation, ty, mode: AluMode::default(), destination, sources: vec![source] }
}

/// What is moved: an address, a special register, or an ordinary source.
fn source(context: &mut Context<'_>, ty: ScalarType) -> Result<Operand, Problem> {
    let operand = context.peek();
    if let Some((symbol, _)) = context.symbol_if_any()? {
        if ty.is_float() || ty == Pred || ty.bytes() < 4 {
            return Err(problem(format!(
                "an address is not of type .{}; move it as .u32 or .u64",
                ty.name()
            )));
        }
        return Ok(symbol);
    }
    if let Some(syntax::Operand::Name(place, name)) = operand
        && name != "_"
        && let Value::Special(special_ty, special) = context.value(*place, name)?
    {
        context.take()?;
        return special_source(context, ty, special_ty, special).ok_or_else(|| {
            at(*place, format!("`{name}` has type .{}, not .{}", special_ty.name(), ty.name()))
        });
    }
    context.source(ty)
}

/// A special register as a value of another type of its size; or the low part of it, as programs of the first
/// PTX versions read 16 bits of an index and 32 bits of the grid's number.
fn special_source(
    context: &mut Context<'_>,
    ty: ScalarType,
    special_ty: ScalarType,
    special: Operand,
) -> Option<Operand> {
    if ty.is_float() {
        return None;
    }
    if agree(ty, special_ty, Size::Same) {
        return Some(special);
    }
    let grid = special == Operand::Special(crate::ir::Special::GridId) && ty.bytes() == 4;
    if !(grid || (ty.bytes() == 2 && special_ty == U32)) {
        return None;
    }
    let whole = context.moved(special_ty, special);
    let narrow = if grid { U32 } else { U16 };
    let destination = context.scope.temporary(narrow);
    context.before(Operation::Alu {
        operation: AluOperation::Convert(narrow),
        ty: special_ty,
        mode: AluMode::default(),
        destination,
        sources: vec![Operand::Register(whole)],
    });
    Some(Operand::Register(destination))
}

/// The type of one of some parts of a whole.
fn part_type(operand: &syntax::Operand, ty: ScalarType, parts: usize) -> Result<ScalarType, Problem> {
    let valid = matches!(ty, B16 | B32 | B64) && matches!(parts, 2 | 4);
    let part = if valid { bits_of(ty.bytes() / parts as u32) } else { None };
    part.ok_or_else(|| {
        let text = format!(
            "a vector of {parts} parts is no value of type .{}; .b32 and .b64 have 2 or 4, .b16 has 2",
            ty.name()
        );
        at(place_of(operand), text)
    })
}

/// The parts of a destination in braces, or of a vector register; none for a single one.
fn destinations(
    context: &Context<'_>,
    operand: &syntax::Operand,
    ty: ScalarType,
) -> Result<Option<Vec<Option<RegisterId>>>, Problem> {
    if let Some(registers) = context.vector_register(operand)? {
        let part = part_type(operand, ty, registers.len())?;
        if registers.iter().any(|&register| !agree(part, context.scope.register_type(register), Size::Same)) {
            let text = format!("the parts of a .{} value are of type .{}", ty.name(), part.name());
            return Err(at(place_of(operand), text));
        }
        return Ok(Some(registers.into_iter().map(Some).collect()));
    }
    let syntax::Operand::Vector(_, parts) = operand else { return Ok(None) };
    let part = part_type(operand, ty, parts.len())?;
    let parts = parts.iter().map(|operand| context.register_or_sink(operand, part, Size::Same));
    parts.collect::<Result<_, _>>().map(Some)
}

/// The parts of a source in braces, or of a vector register; none for a single one.
fn sources(
    context: &mut Context<'_>,
    operand: &syntax::Operand,
    ty: ScalarType,
) -> Result<Option<Vec<Operand>>, Problem> {
    let registers = match operand {
        syntax::Operand::Name(place, name) if name != "_" => match context.value(*place, name)? {
            Value::Other(crate::resolve::scope::Named::Vector(registers)) => registers,
            _ => return Ok(None),
        },
        syntax::Operand::Vector(_, parts) => {
            let part = part_type(operand, ty, parts.len())?;
            let parts = parts.iter().map(|operand| context.source_from(operand, part, Size::Same));
            return parts.collect::<Result<_, _>>().map(Some);
        }
        _ => return Ok(None),
    };
    part_type(operand, ty, registers.len())?;
    Ok(Some(registers.into_iter().map(Operand::Register).collect()))
}

fn unpack(
    context: &mut Context<'_>,
    target: &syntax::Operand,
    ty: ScalarType,
    parts: Vec<Option<RegisterId>>,
) -> Resolved {
    if parts.iter().all(Option::is_none) {
        return Err(at(place_of(target), "at least one part must go to a register"));
    }
    let source = match context.peek() {
        Some(syntax::Operand::Name(place, name))
            if matches!(context.value(*place, name), Ok(Value::Special(..))) =>
        {
            context.source(ty)?
        }
        _ => source(context, ty)?,
    };
    Ok(Operation::Unpack { ty, parts, source })
}

/// `mov.v4.u32 v, %tid` and moves between vector registers: one element after the other.
fn vector(context: &mut Context<'_>, elements: usize) -> Resolved {
    let ty = context.words.ty(MOVABLE)?;
    context.shape(2)?;
    let destinations = context.vector_destinations(elements, ty, Size::Same)?;
    let sources = match context.peek() {
        Some(syntax::Operand::Name(_, name)) if special::element(name, 0).is_some() => {
            context.take()?;
            (0..elements as u8).filter_map(|element| special::element(name, element)).collect()
        }
        _ => context.vector_sources(elements, ty, Size::Same)?,
    };
    // Elements may be exchanged ({a, b} from {b, a}), so all are read before the first is written.
    let values: Vec<Operand> =
        sources.into_iter().map(|source| Operand::Register(context.moved(ty, source))).collect();
    let mut moves: Vec<Operation> = destinations
        .into_iter()
        .zip(values)
        .filter_map(|(destination, value)| Some(moved(ty, destination?, value)))
        .collect();
    let last = moves.pop().unwrap_or(Operation::Nothing);
    for earlier in moves {
        context.before(earlier);
    }
    Ok(last)
}
