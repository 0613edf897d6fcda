//! `cvt` (PTX ISA 8.5, section 9.7.9.21).
//!
//! ```text
//! source bits ─ value ─┬─ integer: wraps, or clamps with .sat ─┬─ extended to the destination register
//!                      └─ float: rounded, .ftz .sat .relu      ┘
//! ```
//!
//! The frequent conversions have handlers of their own ([`fast`]); every other one is described in a field of
//! the micro-operation and done lane by lane ([`value`]). Registers may be wider than the types: the low bits
//! are read, and a result is extended by its sign or by zeros to the width of its register.
//!
//! A float beyond an integer type becomes the nearest value of the type; a NaN becomes 0, or, where one of the
//! two types has 64 bits, the value with the top bit alone, as the ISA says.

mod fast;
mod value;

use super::Pure;
use super::decoder::{Decoder, constant, permit, source};
use super::exact::{BF16, F16};
use super::float_mode::FloatMode;
use super::halves::Half;
use super::lane::{Bits, sparse};
use crate::exec::{Handler, Lanes, Mask, MicroOp, Row};
use crate::ir::{Operand, Rounding, ScalarType};
use value::Conversion;

/// The low bits of a word, extended to 64.
#[inline(always)]
pub(super) fn extend(value: u64, bits: u32, signed: bool) -> u64 {
    let unused = 64 - bits.clamp(1, 64);
    if signed { ((value << unused) as i64 >> unused) as u64 } else { value << unused >> unused }
}

pub(super) fn decode(d: &mut Decoder<'_>, result: ScalarType) -> Result<Pure, String> {
    if matches!(result, ScalarType::F16x2 | ScalarType::BF16x2) {
        return decode_packed(d, result);
    }
    check(d, result)?;
    let &[operand] = d.sources else {
        return Err(d.complaint(&format!("takes 1 source and has {}", d.sources.len())));
    };
    let declared = d.operands.ty(d.destination);
    let holds = |register: ScalarType, ty: ScalarType| {
        register != ScalarType::Pred && register.bytes() >= ty.bytes() && register.bytes() <= 8
    };
    if !holds(declared, result) {
        return Err(format!("a register of type .{} cannot hold .{}", declared.name(), result.name()));
    }
    if let Operand::Special(special) = operand {
        if d.ty.is_float() || result.is_float() || d.mode.saturate {
            return Err("a special register is converted between integer types only".into());
        }
        return super::moves::decode_special(d, special, d.ty.bytes() * 8, d.ty.is_signed(), declared);
    }
    let (row, source_wide) = match operand {
        Operand::Register(register) => {
            let register_ty = d.operands.ty(register);
            if !holds(register_ty, d.ty) {
                return Err(format!(
                    "a register of type .{} does not hold .{}",
                    register_ty.name(),
                    d.ty.name()
                ));
            }
            (d.operands.row(register), register_ty.bytes() == 8)
        }
        other => (constant(d.operands, other, d.ty)?, d.ty.bytes() == 8),
    };
    let register_bits = declared.bytes() * 8;
    let conversion = Conversion { source: d.ty, result, register_bits, mode: d.mode };
    let handler =
        fast::handler(&conversion, source_wide).unwrap_or(match (source_wide, register_bits == 64) {
            (false, false) => any::<u32, u32>,
            (false, true) => any::<u32, u64>,
            (true, false) => any::<u64, u32>,
            (true, true) => any::<u64, u64>,
        });
    let sources = [row, Row::default(), Row::default(), Row::default()];
    let destination = d.operands.row(d.destination);
    Ok(Pure { handler, destination, sources, extra: conversion.encode() })
}

fn any<S: Bits, D: Bits>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    let conversion = Conversion::decode(op.extra);
    sparse(lanes, op, mask, |[bits]: [S; 1]| D::truncate(conversion.apply(bits.widen())));
}

/// Whether the type is one of `cvt`.
fn is_scalar(ty: ScalarType) -> bool {
    !matches!(
        ty,
        ScalarType::Pred
            | ScalarType::B8
            | ScalarType::B16
            | ScalarType::B32
            | ScalarType::B64
            | ScalarType::B128
            | ScalarType::F16x2
            | ScalarType::BF16x2
    )
}

/// Refuses types, modifiers and roundings that do not exist together.
fn check(d: &Decoder<'_>, result: ScalarType) -> Result<(), String> {
    let (from, to) = (d.ty, result);
    let short = |ty: ScalarType| matches!(ty, ScalarType::F16 | ScalarType::BF16);
    if !is_scalar(from) || !is_scalar(to) {
        return Err(format!("there is no conversion from .{} to .{}", from.name(), to.name()));
    }
    let single = from == ScalarType::F32 || to == ScalarType::F32;
    let flush = if single { permit::FLUSH } else { permit::NOTHING };
    let relu = if short(to) && from.is_float() { permit::RELU } else { permit::NOTHING };
    d.permit(permit::ROUNDING | permit::SATURATE | flush | relu)?;
    let integral = matches!(
        d.mode.rounding,
        Rounding::IntegerNearest | Rounding::IntegerZero | Rounding::IntegerDown | Rounding::IntegerUp
    );
    let nearest = d.mode.rounding == Rounding::Nearest;
    let rounding_fits = match (from.is_float(), to.is_float()) {
        _ if d.mode.rounding == Rounding::NearestAway => false,
        (false, false) => nearest,
        (true, false) => integral,
        (false, true) => !integral,
        (true, true) if integral => from == to,
        (true, true) => nearest || from.bytes() > to.bytes() || from.bytes() == to.bytes() && from != to,
    };
    if rounding_fits {
        return Ok(());
    }
    let (from, to) = (from.name(), to.name());
    Err(format!("a conversion from .{from} to .{to} cannot round {:?}", d.mode.rounding))
}

/// `cvt.f16x2.f32` and `cvt.bf16x2.f32`: the first source becomes the high half, the second the low one.
fn decode_packed(d: &mut Decoder<'_>, result: ScalarType) -> Result<Pure, String> {
    d.permit(permit::ROUNDING | permit::RELU | permit::SATURATE | permit::FLUSH)?;
    if d.ty != ScalarType::F32 {
        return Err(d.complaint(&format!("cannot become .{}", result.name())));
    }
    if !matches!(d.mode.rounding, Rounding::Nearest | Rounding::Zero) {
        return Err(d.complaint(&format!("cannot round {:?}", d.mode.rounding)));
    }
    let handler: Handler = if result == ScalarType::F16x2 { pack::<half::f16> } else { pack::<half::bf16> };
    if d.sources.len() != 2 {
        return Err(d.complaint(&format!("takes 2 sources and has {}", d.sources.len())));
    }
    let mut sources = [Row::default(); 4];
    for (row, &operand) in sources.iter_mut().zip(d.sources) {
        *row = source(d.operands, operand, ScalarType::F32)?;
    }
    let destination = super::decoder::destination(d.operands, d.destination, result)?;
    Ok(Pure { handler, destination, sources, extra: FloatMode::encode(d.mode) })
}

fn pack<H: Half>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    let mode = FloatMode::decode(op.extra);
    sparse(lanes, op, mask, |[high, low]: [u32; 2]| {
        let convert =
            |bits: u32| value::to_float(f64::from(value::single(bits, mode.flush)), H::FORMAT, mode);
        (convert(high) << 16 | convert(low)) as u32
    });
}

/// The format of a 16-bit type.
fn short_format(ty: ScalarType) -> super::exact::Format {
    if ty == ScalarType::BF16 { BF16 } else { F16 }
}
