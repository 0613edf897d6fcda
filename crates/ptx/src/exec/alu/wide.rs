//! Products wider than their factors, and products of 24-bit numbers (PTX ISA 8.5, section 9.7.1).

use super::Pure;
use super::decoder::{Decoder, destination, permit, source};
use super::lane::{binary, lanewise, unary};
use crate::exec::{Handler, Lanes, Mask, MicroOp, Row};
use crate::ir::{AluOperation, Operand, ScalarType};

/// `mul.wide` and `mad.wide`.
pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    let add = d.operation == AluOperation::MultiplyAddWide;
    let ty = d.ty;
    let (wide, multiply, multiply_add) = match ty {
        ScalarType::U16 => (
            ScalarType::U32,
            lanewise!(|a: u16, b: u16| u32::from(a).wrapping_mul(u32::from(b))),
            lanewise!(|a: u16, b: u16, c: u32| u32::from(a).wrapping_mul(u32::from(b)).wrapping_add(c)),
        ),
        ScalarType::S16 => (
            ScalarType::S32,
            lanewise!(|a: i16, b: i16| i32::from(a).wrapping_mul(i32::from(b))),
            lanewise!(|a: i16, b: i16, c: i32| i32::from(a).wrapping_mul(i32::from(b)).wrapping_add(c)),
        ),
        ScalarType::U32 => (
            ScalarType::U64,
            lanewise!(|a: u32, b: u32| u64::from(a).wrapping_mul(u64::from(b))),
            lanewise!(|a: u32, b: u32, c: u64| u64::from(a).wrapping_mul(u64::from(b)).wrapping_add(c)),
        ),
        ScalarType::S32 => (
            ScalarType::S64,
            lanewise!(|a: i32, b: i32| i64::from(a).wrapping_mul(i64::from(b))),
            lanewise!(|a: i32, b: i32, c: i64| i64::from(a).wrapping_mul(i64::from(b)).wrapping_add(c)),
        ),
        _ => return Err(d.no_such_type()),
    };
    if let Some(pure) = by_power(d, wide)? {
        return Ok(pure);
    }
    if add { d.pure(multiply_add, wide, &[ty, ty, wide], 0) } else { d.pure(multiply, wide, &[ty, ty], 0) }
}

/// A 32-bit index times a constant power of two, as programs compute addresses: a shift, which is a vector
/// instruction on every host where the wide product is not.
fn by_power(d: &mut Decoder<'_>, wide: ScalarType) -> Result<Option<Pure>, String> {
    let &[value, Operand::Immediate(factor), ref addend @ ..] = d.sources else {
        return Ok(None);
    };
    if d.ty.bytes() != 4 || !factor.is_power_of_two() || factor >= 1 << 31 {
        return Ok(None);
    }
    let mut sources = [source(d.operands, value, d.ty)?, Row::default(), Row::default(), Row::default()];
    let handler: Handler = match (d.operation, d.ty.is_signed(), addend) {
        (AluOperation::MultiplyWide, false, []) => {
            |lanes, op, mask| unary(lanes, op, mask, |a: u32| shifted(a, op.extra & 31, false))
        }
        (AluOperation::MultiplyWide, true, []) => {
            |lanes, op, mask| unary(lanes, op, mask, |a: u32| shifted(a, op.extra & 31, true))
        }
        (AluOperation::MultiplyAddWide, signed, &[addend]) => {
            sources[1] = source(d.operands, addend, wide)?;
            if signed { add_power::<true> } else { add_power::<false> }
        }
        _ => return Ok(None),
    };
    let destination = destination(d.operands, d.destination, wide)?;
    Ok(Some(Pure { handler, destination, sources, extra: factor.trailing_zeros() }))
}

fn add_power<const SIGNED: bool>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    binary(lanes, op, mask, |a: u32, c: u64| shifted(a, op.extra & 31, SIGNED).wrapping_add(c));
}

/// A value widened and shifted by 0 to 31, made from two words: extending a sign to 64 bits is no vector
/// instruction on every host.
#[inline(always)]
fn shifted(value: u32, amount: u32, signed: bool) -> u64 {
    if !signed {
        return u64::from(value) << amount;
    }
    let high = value as i32 >> 1 >> (31 - amount);
    u64::from(value << amount) | u64::from(high as u32) << 32
}

/// The product of the low 24 bits of two numbers, with their sign: 48 bits.
#[inline(always)]
fn product24(a: i32, b: i32) -> i64 {
    i64::from(a << 8 >> 8) * i64::from(b << 8 >> 8)
}

/// The product of the low 24 bits of two numbers, without a sign: 48 bits.
#[inline(always)]
fn product24u(a: u32, b: u32) -> u64 {
    u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff)
}

/// `mul24` and `mad24`.
pub(super) fn decode24(d: &mut Decoder<'_>) -> Result<Pure, String> {
    let ty = d.ty;
    if d.mode.saturate {
        return saturating24(d);
    }
    d.permit(permit::NOTHING)?;
    let [low, high, add_low, add_high] = match ty {
        ScalarType::U32 => [
            lanewise!(|a: u32, b: u32| product24u(a, b) as u32),
            lanewise!(|a: u32, b: u32| (product24u(a, b) >> 16) as u32),
            lanewise!(|a: u32, b: u32, c: u32| (product24u(a, b) as u32).wrapping_add(c)),
            lanewise!(|a: u32, b: u32, c: u32| ((product24u(a, b) >> 16) as u32).wrapping_add(c)),
        ],
        ScalarType::S32 => [
            lanewise!(|a: i32, b: i32| product24(a, b) as i32),
            lanewise!(|a: i32, b: i32| (product24(a, b) >> 16) as i32),
            lanewise!(|a: i32, b: i32, c: i32| (product24(a, b) as i32).wrapping_add(c)),
            lanewise!(|a: i32, b: i32, c: i32| ((product24(a, b) >> 16) as i32).wrapping_add(c)),
        ],
        _ => return Err(d.no_such_type()),
    };
    match d.operation {
        AluOperation::Multiply24 => d.pure(low, ty, &[ty; 2], 0),
        AluOperation::Multiply24High => d.pure(high, ty, &[ty; 2], 0),
        AluOperation::MultiplyAdd24 => d.pure(add_low, ty, &[ty; 3], 0),
        _ => d.pure(add_high, ty, &[ty; 3], 0),
    }
}

/// `mad24.hi.sat.s32`.
fn saturating24(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::SATURATE)?;
    if (d.operation, d.ty) != (AluOperation::MultiplyAdd24High, ScalarType::S32) {
        return Err(d.complaint("cannot have .sat"));
    }
    let handler = lanewise!(|a: i32, b: i32, c: i32| ((product24(a, b) >> 16) as i32).saturating_add(c));
    d.pure(handler, ScalarType::S32, &[ScalarType::S32; 3], 0)
}
