//! Signs and kinds of floating-point numbers: `abs`, `neg`, `copysign`, `testp` (PTX ISA 8.5, sections 9.7.3
//! and 9.7.4).
//!
//! They work on bits: the payload of a NaN stays as it is.

use super::Pure;
use super::decoder::{Decoder, permit};
use super::halves::{Half, kind};
use super::lane::{LANE_BITS, Value, lanewise};
use crate::exec::{Handler, LANES, Lanes, Mask, MicroOp};
use crate::ir::{AluOperation, FloatProperty, ScalarType};

#[inline(always)]
fn flush32(bits: u32) -> u32 {
    super::float32::flush(f32::from_bits(bits)).to_bits()
}

/// Both halves of packed `f16`; the high one is zero where there is none.
#[inline(always)]
fn flush_halves(bits: u32) -> u32 {
    u32::from(half::f16::flush(bits as u16)) | u32::from(half::f16::flush((bits >> 16) as u16)) << 16
}

/// `abs` and `neg`.
pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    let ty = d.ty;
    let flushable = matches!(ty, ScalarType::F32 | ScalarType::F16 | ScalarType::F16x2);
    d.permit(if flushable { permit::FLUSH } else { permit::NOTHING })?;
    let absolute = d.operation == AluOperation::Absolute;
    let handler: Handler = match (ty, absolute, d.mode.flush) {
        (ScalarType::F32, true, false) => lanewise!(|a: u32| a & 0x7fff_ffff),
        (ScalarType::F32, true, true) => lanewise!(|a: u32| flush32(a) & 0x7fff_ffff),
        (ScalarType::F32, false, false) => lanewise!(|a: u32| a ^ 0x8000_0000),
        (ScalarType::F32, false, true) => lanewise!(|a: u32| flush32(a) ^ 0x8000_0000),
        (ScalarType::F64, true, _) => lanewise!(|a: u64| a & !(1 << 63)),
        (ScalarType::F64, false, _) => lanewise!(|a: u64| a ^ 1 << 63),
        _ => halves(ty, absolute, d.mode.flush).ok_or_else(|| d.no_such_type())?,
    };
    d.pure(handler, ty, &[ty], 0)
}

fn halves(ty: ScalarType, absolute: bool, flush: bool) -> Option<Handler> {
    let (_, packed) = kind(ty)?;
    Some(match (packed, absolute, flush) {
        (false, true, false) => lanewise!(|a: u32| a & 0x7fff),
        (false, false, false) => lanewise!(|a: u32| a ^ 0x8000),
        (false, true, true) => lanewise!(|a: u32| flush_halves(a) & 0x7fff),
        (false, false, true) => lanewise!(|a: u32| flush_halves(a) ^ 0x8000),
        (true, true, false) => lanewise!(|a: u32| a & 0x7fff_7fff),
        (true, false, false) => lanewise!(|a: u32| a ^ 0x8000_8000),
        (true, true, true) => lanewise!(|a: u32| flush_halves(a) & 0x7fff_7fff),
        (true, false, true) => lanewise!(|a: u32| flush_halves(a) ^ 0x8000_8000),
    })
}

/// `copysign`: the sign of the first source, the magnitude of the second.
pub(super) fn decode_copy(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    let ty = d.ty;
    let handler = match ty {
        ScalarType::F32 => lanewise!(|a: u32, b: u32| a & 0x8000_0000 | b & 0x7fff_ffff),
        ScalarType::F64 => lanewise!(|a: u64, b: u64| a & 1 << 63 | b & !(1 << 63)),
        _ => return Err(d.no_such_type()),
    };
    d.pure(handler, ty, &[ty; 2], 0)
}

/// `testp`.
pub(super) fn decode_test(d: &mut Decoder<'_>, property: FloatProperty) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    macro_rules! tests {
        ($T:ty) => {{
            let handler: Handler = match property {
                FloatProperty::Finite => |lanes, op, mask| test(lanes, op, mask, |a: $T| a.is_finite()),
                FloatProperty::Infinite => |lanes, op, mask| test(lanes, op, mask, |a: $T| a.is_infinite()),
                FloatProperty::Number => |lanes, op, mask| test(lanes, op, mask, |a: $T| !a.is_nan()),
                FloatProperty::NotANumber => |lanes, op, mask| test(lanes, op, mask, |a: $T| a.is_nan()),
                FloatProperty::Normal => |lanes, op, mask| test(lanes, op, mask, |a: $T| a.is_normal()),
                FloatProperty::Subnormal => |lanes, op, mask| test(lanes, op, mask, |a: $T| a.is_subnormal()),
            };
            handler
        }};
    }
    let handler = match d.ty {
        ScalarType::F32 => tests!(f32),
        ScalarType::F64 => tests!(f64),
        _ => return Err(d.no_such_type()),
    };
    let ty = d.ty;
    d.pure(handler, ScalarType::Pred, &[ty], 0)
}

#[inline(always)]
fn test<T: Value>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask, f: impl Fn(T) -> bool) {
    let a = <T::Bits as super::lane::Bits>::row(lanes, op.sources[0]);
    let mut holds = 0;
    for lane in 0..LANES {
        holds |= if f(T::of(a[lane])) { LANE_BITS[lane] } else { 0 };
    }
    lanes.set_predicate(op.destination.0, mask, holds);
}
