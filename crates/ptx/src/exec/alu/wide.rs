//! Products wider than their factors, and products of 24-bit numbers (PTX ISA 8.5, section 9.7.1).

use super::Pure;
use super::decoder::{Decoder, permit};
use super::lane::lanewise;
use crate::ir::{AluOperation, ScalarType};

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
    if add { d.pure(multiply_add, wide, &[ty, ty, wide], 0) } else { d.pure(multiply, wide, &[ty, ty], 0) }
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
