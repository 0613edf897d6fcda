//! Arithmetic of `f32` (PTX ISA 8.5, section 9.7.3).
//!
//! Rounding to nearest is the host's arithmetic, which is the same on every host but for the NaN that it gives:
//! every NaN result here is 0x7fffffff, as on NVIDIA's hardware. The other roundings go through
//! [`super::exact`]. `.ftz` makes subnormal sources and results zero with their sign; `.sat` clamps to [0, 1]
//! and makes a NaN +0. The approximate forms of `div`, `rcp` and `sqrt` are the correctly rounded ones.

use super::Pure;
use super::decoder::{Decoder, permit};
use super::exact::{F32, Format};
use super::float_mode::FloatMode;
use super::lane::{lanewise, sparse};
use crate::exec::Handler;
use crate::ir::{AluOperation, Rounding, ScalarType};

/// The NaN of every operation.
const NAN: u32 = 0x7fff_ffff;

/// Subnormal numbers as zero, with their sign.
#[inline(always)]
pub(super) fn flush(value: f32) -> f32 {
    let bits = value.to_bits();
    f32::from_bits(if value.abs() < f32::MIN_POSITIVE { bits & 0x8000_0000 } else { bits })
}

/// The bits of a number, and of the one NaN for any NaN.
///
/// The choice is one of integers: compilers take the payload of a floating-point NaN for unimportant and may
/// leave out a choice between two of them.
#[inline(always)]
pub(super) fn canonical(value: f32) -> u32 {
    let nan = u32::from(value.is_nan()).wrapping_neg();
    (value.to_bits() | nan & NAN) & (NAN | !nan)
}

/// Clamped to [0, 1]; a NaN and minus zero become plus zero.
#[inline(always)]
pub(super) fn saturate(value: f32) -> f32 {
    if value > 0.0 { if value < 1.0 { value } else { 1.0 } } else { 0.0 }
}

/// `a`·`b` + `c`, rounded once to nearest.
///
/// The product is exact in `f64`. The sum is rounded there to odd (its last bit is set whenever it is not
/// exact), so that the second rounding, which has far fewer digits, cannot see a tie that is none.
#[inline(always)]
pub(super) fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    add_to_odd(f64::from(a) * f64::from(b), f64::from(c)) as f32
}

#[inline(always)]
fn add_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // The error of the sum, exactly (Knuth's TwoSum).
    let b_part = sum - a;
    let error = (a - (sum - b_part)) + (b - b_part);
    // An even last bit moves one step towards the exact sum: away from zero if the error has the sum's sign.
    // (An infinite or undefined sum has an undefined error and stays.)
    let inexact = (error > 0.0) | (error < 0.0);
    let bits = sum.to_bits();
    let towards_zero = (bits ^ error.to_bits()) >> 63;
    let adjusted = (bits - towards_zero) | 1;
    let odd = bits & 1 != 0;
    f64::from_bits(if inexact && !odd { adjusted } else { bits })
}

/// A handler for each way of an operation: the host's arithmetic, with or without `.ftz`, or the exact one.
macro_rules! ways {
    ($mode:expr, |$($x:ident),+| $native:expr, |$format:ident, $rounding:ident| $exact:expr) => {
        match ($mode.rounding == Rounding::Nearest && !$mode.saturate, $mode.flush) {
            (true, false) => lanewise!(|$($x: f32),+| canonical($native)),
            (true, true) => lanewise!(|$($x: f32),+| {
                $(let $x = flush($x);)+
                canonical(flush($native))
            }),
            (false, _) => {
                let handler: Handler = |lanes, op, mask| {
                    let mode = FloatMode::decode(op.extra);
                    sparse(lanes, op, mask, |sources| {
                        let [$($x),+] = sources.map(|bits: u32| {
                            let value = f32::from_bits(bits);
                            f64::from(if mode.flush { flush(value) } else { value })
                        });
                        let ($format, $rounding): (Format, Rounding) = (F32, mode.rounding);
                        finish($exact, mode)
                    })
                };
                handler
            }
        }
    };
}

fn finish(bits: u64, mode: FloatMode) -> u32 {
    let value = f32::from_bits(bits as u32);
    let value = if mode.flush { flush(value) } else { value };
    if mode.saturate { saturate(value).to_bits() } else { value.to_bits() }
}

pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    let mode = d.mode;
    let approximate =
        matches!(d.operation, AluOperation::Divide | AluOperation::Reciprocal | AluOperation::SquareRoot);
    if approximate {
        d.permit(permit::FLUSH | permit::ROUNDING | permit::APPROXIMATE)?;
    } else {
        d.permit(permit::FLUSH | permit::ROUNDING | permit::SATURATE)?;
    }
    directed(d)?;
    let (handler, sources) = match d.operation {
        AluOperation::Add => (ways!(mode, |a, b| a + b, |format, rounding| format.add(a, b, rounding)), 2),
        AluOperation::Subtract => {
            (ways!(mode, |a, b| a - b, |format, rounding| format.add(a, -b, rounding)), 2)
        }
        AluOperation::Multiply => {
            (ways!(mode, |a, b| a * b, |format, rounding| format.multiply(a, b, rounding)), 2)
        }
        AluOperation::MultiplyAdd => (
            ways!(mode, |a, b, c| multiply_add(a, b, c), |format, rounding| {
                format.multiply_add(a, b, c, rounding)
            }),
            3,
        ),
        AluOperation::Divide => {
            (ways!(mode, |a, b| a / b, |format, rounding| format.divide(a, b, rounding)), 2)
        }
        AluOperation::Reciprocal => {
            (ways!(mode, |a| 1.0 / a, |format, rounding| format.divide(1.0, a, rounding)), 1)
        }
        AluOperation::SquareRoot => {
            (ways!(mode, |a| a.sqrt(), |format, rounding| format.square_root(a, rounding)), 1)
        }
        _ => return Err(d.no_such_type()),
    };
    let ty = ScalarType::F32;
    d.pure(handler, ty, &[ty; 3][..sources], FloatMode::encode(mode))
}

/// Refuses rounding modes that belong to conversions only.
pub(super) fn directed(d: &Decoder<'_>) -> Result<(), String> {
    match d.mode.rounding {
        Rounding::Nearest | Rounding::Zero | Rounding::Down | Rounding::Up => Ok(()),
        other => Err(d.complaint(&format!("cannot round {other:?}"))),
    }
}
