//! Functions that PTX has in approximate forms only (PTX ISA 8.5, sections 9.7.3 and 9.7.4).
//!
//! There is one definition of each here: the function of the `libm` crate in double precision, or the quotient
//! and root of IEEE, rounded once to the result's format. It is the same on every host and within the ISA's
//! error bounds. The special cases are the ISA's tables: `lg2(±0)` = -inf, `lg2` of a negative number, `sin`
//! and `cos` of an infinity and `rsqrt` of a negative number are NaN, `ex2(-inf)` = +0, `rsqrt(±0)` = ±inf;
//! with `.ftz` subnormal sources count as zero and subnormal results are zero.

use super::Pure;
use super::decoder::{Decoder, permit};
use super::exact::BF16;
use super::float_mode::FloatMode;
use super::halves::{Half, PACKED, by_halves, kind};
use super::lane::sparse;
use super::{float32, float64};
use crate::exec::{Handler, Lanes, Mask, MicroOp};
use crate::ir::{AluOperation, Rounding, ScalarType};

fn reciprocal_root(x: f64) -> f64 {
    1.0 / x.sqrt()
}

#[inline(always)]
fn single(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask, f: impl Fn(f64) -> f64) {
    let mode = FloatMode::decode(op.extra);
    sparse(lanes, op, mask, |[bits]: [u32; 1]| {
        let x = f32::from_bits(bits);
        let x = if mode.flush { float32::flush(x) } else { x };
        let result = f(f64::from(x)) as f32;
        float32::canonical(if mode.flush { float32::flush(result) } else { result })
    });
}

pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    match d.ty {
        ScalarType::F32 => {}
        ScalarType::F64 => return decode_f64(d),
        _ => return decode_half(d),
    }
    let tanh = d.operation == AluOperation::HyperbolicTangent;
    d.permit(if tanh { permit::APPROXIMATE } else { permit::APPROXIMATE | permit::FLUSH })?;
    let handler: Handler = match d.operation {
        AluOperation::ReciprocalSquareRoot => |lanes, op, mask| single(lanes, op, mask, reciprocal_root),
        AluOperation::Sine => |lanes, op, mask| single(lanes, op, mask, libm::sin),
        AluOperation::Cosine => |lanes, op, mask| single(lanes, op, mask, libm::cos),
        AluOperation::LogarithmBase2 => |lanes, op, mask| single(lanes, op, mask, libm::log2),
        AluOperation::PowerOf2 => |lanes, op, mask| single(lanes, op, mask, libm::exp2),
        AluOperation::HyperbolicTangent => |lanes, op, mask| single(lanes, op, mask, libm::tanh),
        _ => return Err(d.no_such_type()),
    };
    approximate(d)?;
    d.pure(handler, ScalarType::F32, &[ScalarType::F32], FloatMode::encode(d.mode))
}

/// There is no exact form.
fn approximate(d: &Decoder<'_>) -> Result<(), String> {
    if d.mode.approximate { Ok(()) } else { Err(d.complaint("exists as .approx only")) }
}

fn in_halves<H: Half>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask, f: fn(f64) -> f64) {
    let mode = FloatMode::decode(op.extra);
    sparse(lanes, op, mask, |source: [u32; 1]| {
        by_halves(source, op.extra & PACKED != 0, |[bits]| {
            let x = f64::from(H::value(bits, mode.flush));
            let result = H::FORMAT.convert(f(x), Rounding::Nearest) as u16;
            if mode.flush { H::flush(result) } else { result }
        })
    });
}

/// `ex2` and `tanh` of 16-bit formats.
fn decode_half(d: &mut Decoder<'_>) -> Result<Pure, String> {
    let (format, packed) = kind(d.ty).ok_or_else(|| d.no_such_type())?;
    let power = d.operation == AluOperation::PowerOf2;
    d.permit(if power { permit::APPROXIMATE | permit::FLUSH } else { permit::APPROXIMATE })?;
    let handler: Handler = match (d.operation, format == BF16) {
        (AluOperation::PowerOf2, false) => {
            |lanes, op, mask| in_halves::<half::f16>(lanes, op, mask, libm::exp2)
        }
        (AluOperation::PowerOf2, true) => {
            |lanes, op, mask| in_halves::<half::bf16>(lanes, op, mask, libm::exp2)
        }
        (AluOperation::HyperbolicTangent, false) => {
            |lanes, op, mask| in_halves::<half::f16>(lanes, op, mask, libm::tanh)
        }
        (AluOperation::HyperbolicTangent, true) => {
            |lanes, op, mask| in_halves::<half::bf16>(lanes, op, mask, libm::tanh)
        }
        _ => return Err(d.no_such_type()),
    };
    approximate(d)?;
    let ty = d.ty;
    let extra = FloatMode::encode(d.mode) | (u32::from(packed) * PACKED);
    d.pure(handler, ty, &[ty], extra)
}

#[inline(always)]
fn double(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask, f: impl Fn(f64) -> f64) {
    let mode = FloatMode::decode(op.extra);
    sparse(lanes, op, mask, |[bits]: [u64; 1]| {
        let x = f64::from_bits(bits);
        if mode.flush {
            float64::canonical(float64::flush(f(float64::flush(x)))) & 0xffff_ffff_0000_0000
        } else {
            float64::canonical(f(x))
        }
    });
}

/// `rcp.approx.ftz.f64`, `rsqrt.approx.f64`, `rsqrt.approx.ftz.f64`.
pub(super) fn decode_f64(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::APPROXIMATE | permit::FLUSH)?;
    let handler: Handler = match (d.operation, d.mode.flush) {
        (AluOperation::Reciprocal, true) => |lanes, op, mask| double(lanes, op, mask, |x| 1.0 / x),
        (AluOperation::ReciprocalSquareRoot, _) => |lanes, op, mask| double(lanes, op, mask, reciprocal_root),
        _ => return Err(d.complaint("has no .approx form like this")),
    };
    approximate(d)?;
    d.pure(handler, ScalarType::F64, &[ScalarType::F64], FloatMode::encode(d.mode))
}
