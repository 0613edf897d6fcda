//! Conversions of values and of addresses: PTX ISA 8.5, section 9.7.9, `cvt`, `cvta`, `isspacep`.

use super::Resolved;
use super::address::space_name;
use super::context::{Context, Value, at, place_of};
use super::tables::{INTEGER_ROUNDING, ROUNDING, is_brain, is_half};
use super::types::Size;
use super::words::{Table, problem, problem_with};
use crate::ir::ScalarType::{
    self, BF16, BF16x2, F16, F16x2, F32, F64, Pred, S8, S16, S32, S64, U8, U16, U32, U64,
};
use crate::ir::{AluMode, AluOperation, Operand, Operation, Rounding, StateSpace};
use crate::resolve::scope::{Named, Problem};
use crate::syntax::{self, Expression};

const CONVERTIBLE: &[ScalarType] =
    &[U8, U16, U32, U64, S8, S16, S32, S64, F16, F16x2, BF16, BF16x2, F32, F64];

const NARROW_FORMATS: Table<&str> = &[
    ("e4m3x2", NARROW),
    ("e5m2x2", NARROW),
    ("e2m3x2", NARROW),
    ("e3m2x2", NARROW),
    ("e2m1x2", NARROW),
    ("e4m3x4", NARROW),
    ("e5m2x4", NARROW),
    ("e2m3x4", NARROW),
    ("e3m2x4", NARROW),
    ("e2m1x4", NARROW),
    ("ue8m0x2", NARROW),
    ("s2f6x2", NARROW),
    ("tf32", NARROW),
    ("rs", "stochastic rounding needs a source of random bits that is not modelled"),
    ("satfinite", NARROW),
    ("pack", "convert the parts with cvt.sat and combine them with prmt or bfi"),
    ("scaled::n2::ue8m0", NARROW),
];
const NARROW: &str = "formats of tensor units are not modelled; convert to .f16, .bf16 or .f32";

/// `cvt`
pub(super) fn convert(context: &mut Context<'_>) -> Resolved {
    context.words.refuse(NARROW_FORMATS)?;
    let to = context.words.ty(CONVERTIBLE)?;
    let from = context.words.ty(CONVERTIBLE)?;
    if !is_possible(to, from) {
        return Err(problem(format!("there is no conversion from .{} to .{}", from.name(), to.name())));
    }
    let packed = is_packed(to);
    let rounding = rounding(context, to, from)?;
    let flush = (to == F32 || from == F32) && !packed && context.words.flag("ftz");
    let relu = is_half(to) && from == F32 && context.words.flag("relu");
    let saturate = may_saturate(to, from) && !relu && context.words.flag("sat");
    let mode = AluMode { rounding, flush, saturate, relu, ..AluMode::default() };
    context.shape(if packed { 3 } else { 2 })?;
    let size_of = |ty| if is_brain(ty) || packed { Size::Same } else { Size::AtLeast };
    let destination = context.destination_of(to, size_of(to))?;
    let mut sources = vec![context.source_of(from, size_of(from))?];
    if packed {
        sources.push(context.source(from)?);
    }
    let operation = AluOperation::Convert(to);
    Ok(Operation::Alu { operation, ty: from, mode, destination, sources })
}

fn is_packed(ty: ScalarType) -> bool {
    matches!(ty, F16x2 | BF16x2)
}

/// Packed halves come from single precision, bfloat16 from everything but bytes.
fn is_possible(to: ScalarType, from: ScalarType) -> bool {
    let byte = |ty| matches!(ty, U8 | S8);
    if is_packed(to) {
        return from == F32;
    }
    let brain_and_byte = (is_brain(to) && byte(from)) || (is_brain(from) && byte(to));
    !(is_packed(from) || brain_and_byte)
}

/// `.sat` stands where the result's range does not hold all values of the source.
fn may_saturate(to: ScalarType, from: ScalarType) -> bool {
    if to.is_float() || from.is_float() {
        return !is_brain(to) && !is_brain(from) && !is_packed(to);
    }
    let holds = match (to.is_signed(), from.is_signed()) {
        (true, false) => to.bytes() > from.bytes(),
        (false, true) => false,
        _ => to.bytes() >= from.bytes(),
    };
    !holds
}

/// Rounding is named exactly where the result may be inexact, by the kind of conversion; conversions of
/// bfloat16 that are exact may name one too.
fn rounding(context: &mut Context<'_>, to: ScalarType, from: ScalarType) -> Result<Rounding, Problem> {
    const PACKED: Table<Rounding> = &[("rn", Rounding::Nearest), ("rz", Rounding::Zero)];
    match (to.is_float(), from.is_float()) {
        (false, false) => return Ok(Rounding::default()),
        (false, true) => return context.words.need("the rounding mode", INTEGER_ROUNDING),
        (true, false) => return context.words.need("the rounding mode", ROUNDING),
        (true, true) => {}
    }
    if is_packed(to) {
        context.words.need("the rounding mode", PACKED)
    } else if to == from {
        Ok(context.words.choice(INTEGER_ROUNDING).unwrap_or_default())
    } else if to.bytes() < from.bytes() {
        context.words.need("the rounding mode", ROUNDING)
    } else if is_brain(to) || is_brain(from) {
        Ok(context.words.choice(ROUNDING).unwrap_or_default())
    } else {
        Ok(Rounding::default())
    }
}

const SPACES: Table<StateSpace> = &[
    ("const", StateSpace::Constant),
    ("global", StateSpace::Global),
    ("local", StateSpace::Local),
    ("shared", StateSpace::Shared),
    ("shared::cta", StateSpace::Shared),
    ("shared::cluster", StateSpace::Shared),
    ("param", StateSpace::Parameter),
    ("param::entry", StateSpace::Parameter),
];

/// `cvta`, `cvta.to`
pub(super) fn convert_address(context: &mut Context<'_>) -> Resolved {
    let from_generic = context.words.flag("to");
    let space = context.words.need("the state space", SPACES)?;
    let ty = context.words.ty(&[U32, U64])?;
    context.shape(2)?;
    let destination = context.destination(ty)?;
    if from_generic {
        let source = context.source(ty)?;
        let operation = AluOperation::FromGeneric(space);
        let mode = AluMode::default();
        return Ok(Operation::Alu { operation, ty, mode, destination, sources: vec![source] });
    }
    let source = match context.symbol_if_any()? {
        Some((_, own)) if own != Some(space) => {
            let own = own.map_or("no", space_name);
            return Err(problem_with(
                format!("the variable is in {own} space, not in {} space", space_name(space)),
                "name the space that the variable is declared in",
            ));
        }
        Some((operand, _)) => operand,
        None => context.source(ty)?,
    };
    let operation = AluOperation::ToGeneric(space);
    Ok(Operation::Alu { operation, ty, mode: AluMode::default(), destination, sources: vec![source] })
}

/// `isspacep`
pub(super) fn is_in_space(context: &mut Context<'_>) -> Resolved {
    let space = context.words.need("the state space", SPACES)?;
    context.shape(2)?;
    let destination = context.destination(Pred)?;
    let operand = context.take()?;
    let ty = match operand {
        syntax::Operand::Name(place, name) => match context.value(*place, name)? {
            Value::Register(register) if context.scope.register_type(register).bytes() == 4 => U32,
            _ => U64,
        },
        other => return Err(at(place_of(other), "a register with a generic address is expected here")),
    };
    let source = Operand::Register(context.register(operand, ty, Size::Same)?);
    let operation = AluOperation::IsInSpace(space);
    Ok(Operation::Alu { operation, ty, mode: AluMode::default(), destination, sources: vec![source] })
}

impl Context<'_> {
    /// Takes the next operand if it is the address of a variable, parameter or function (`x`, `x+4`).
    pub(super) fn symbol_if_any(&mut self) -> Result<Option<(Operand, Option<StateSpace>)>, Problem> {
        let (place, name, addend) = match self.peek() {
            Some(syntax::Operand::Name(place, name)) if name != "_" => (*place, name, 0),
            Some(syntax::Operand::Constant(place, Expression::Symbol { name, addend, generic })) => {
                if *generic {
                    return Err(at(*place, "generic() stands in initial values alone; use cvta"));
                }
                (*place, name, *addend)
            }
            _ => return Ok(None),
        };
        let found = match self.value(place, name)? {
            Value::Other(Named::Function(id)) => (crate::ir::Symbol::Function(id), None),
            Value::Other(Named::External(_)) => {
                return Err(at(
                    place,
                    format!("the address of the external function `{name}` is not supported"),
                ));
            }
            Value::Other(Named::Vector(_))
            | Value::Register(_)
            | Value::Special(..)
            | Value::Workspace(_) => return Ok(None),
            Value::Other(_) => self.symbol(place, name)?,
        };
        self.take()?;
        Ok(Some((Operand::Symbol(found.0, addend), found.1)))
    }
}
