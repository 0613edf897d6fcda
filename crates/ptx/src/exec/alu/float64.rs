//! Arithmetic of `f64` (PTX ISA 8.5, section 9.7.3).
//!
//! As for [`super::float32`]; there are no modifiers but the rounding. Every NaN result is 0xfff8000000000000,
//! which is what NVIDIA's hardware gives for an invalid operation. The gross approximations
//! `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64` have zeros in their low 32 bits, as the ISA says; here they
//! are the upper half of the correctly rounded value.

use super::Pure;
use super::decoder::{Decoder, permit};
use super::exact::{F64, Format};
use super::float_mode::FloatMode;
use super::float32::directed;
use super::lane::{lanewise, sparse};
use crate::exec::Handler;
use crate::ir::{AluOperation, Rounding, ScalarType};

/// The NaN of every operation.
const NAN: u64 = 0xfff8_0000_0000_0000;

/// The bits of a number, and of the one NaN for any NaN; see [`super::float32::canonical`].
#[inline(always)]
pub(super) fn canonical(value: f64) -> u64 {
    let nan = u64::from(value.is_nan()).wrapping_neg();
    (value.to_bits() | nan & NAN) & (NAN | !nan)
}

/// Subnormal numbers as zero, with their sign.
#[inline(always)]
pub(super) fn flush(value: f64) -> f64 {
    if value.abs() < f64::MIN_POSITIVE { if value.is_sign_negative() { -0.0 } else { 0.0 } } else { value }
}

/// A handler for the host's arithmetic, or for the exact one.
macro_rules! ways {
    ($mode:expr, |$($x:ident),+| $native:expr, |$format:ident, $rounding:ident| $exact:expr) => {
        if $mode.rounding == Rounding::Nearest {
            lanewise!(|$($x: f64),+| canonical($native))
        } else {
            let handler: Handler = |lanes, op, mask| {
                let mode = FloatMode::decode(op.extra);
                sparse(lanes, op, mask, |sources| {
                    let [$($x),+] = sources.map(f64::from_bits);
                    let ($format, $rounding): (Format, Rounding) = (F64, mode.rounding);
                    $exact
                })
            };
            handler
        }
    };
}

pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    if d.mode.approximate {
        return super::transcendental::decode_f64(d);
    }
    d.permit(permit::ROUNDING)?;
    directed(d)?;
    let mode = d.mode;
    let (handler, sources) = match d.operation {
        AluOperation::Add => (ways!(mode, |a, b| a + b, |format, rounding| format.add(a, b, rounding)), 2),
        AluOperation::Subtract => {
            (ways!(mode, |a, b| a - b, |format, rounding| format.add(a, -b, rounding)), 2)
        }
        AluOperation::Multiply => {
            (ways!(mode, |a, b| a * b, |format, rounding| format.multiply(a, b, rounding)), 2)
        }
        AluOperation::MultiplyAdd if mode.rounding == Rounding::Nearest => {
            let handler: Handler = |lanes, op, mask| {
                sparse(lanes, op, mask, |sources| {
                    let [a, b, c] = sources.map(f64::from_bits);
                    canonical(libm::fma(a, b, c))
                })
            };
            (handler, 3)
        }
        AluOperation::MultiplyAdd => {
            let handler: Handler = |lanes, op, mask| {
                let mode = FloatMode::decode(op.extra);
                sparse(lanes, op, mask, |sources| {
                    let [a, b, c] = sources.map(f64::from_bits);
                    F64.multiply_add(a, b, c, mode.rounding)
                })
            };
            (handler, 3)
        }
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
    let ty = ScalarType::F64;
    d.pure(handler, ty, &[ty; 3][..sources], FloatMode::encode(mode))
}
