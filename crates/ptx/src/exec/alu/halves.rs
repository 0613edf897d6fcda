//! Arithmetic of `f16` and `bf16`, alone and in pairs (PTX ISA 8.5, section 9.7.4).
//!
//! Every result is the exact one, rounded once to nearest ([`super::exact`]). The NaN of every operation is
//! 0x7fff. `.relu` makes negative results zero and a NaN that NaN.

use super::Pure;
use super::decoder::{Decoder, permit};
use super::exact::{BF16, F16, Format};
use super::float_mode::FloatMode;
use super::lane::sparse;
use crate::exec::Handler;
use crate::ir::{AluOperation, Rounding, ScalarType};

/// A format of 16 bits.
pub(super) trait Half {
    const FORMAT: Format;
    fn widen(bits: u16) -> f32;

    /// The number that the bits are; zero for a subnormal one if it is to be flushed.
    #[inline(always)]
    fn value(bits: u16, flush: bool) -> f32 {
        Self::widen(if flush { Self::flush(bits) } else { bits })
    }

    /// Subnormal numbers as zero, with their sign.
    #[inline(always)]
    fn flush(bits: u16) -> u16 {
        if Self::FORMAT.is_subnormal(u64::from(bits)) { bits & 0x8000 } else { bits }
    }
}

impl Half for half::f16 {
    const FORMAT: Format = F16;
    #[inline(always)]
    fn widen(bits: u16) -> f32 {
        half::f16::from_bits(bits).to_f32()
    }
}

impl Half for half::bf16 {
    const FORMAT: Format = BF16;
    #[inline(always)]
    fn widen(bits: u16) -> f32 {
        f32::from_bits(u32::from(bits) << 16)
    }
}

/// `.ftz`, `.sat` and `.relu` of a result.
fn finish<H: Half>(bits: u64, mode: FloatMode) -> u16 {
    let bits = bits as u16;
    let bits = if mode.flush { H::flush(bits) } else { bits };
    let value = H::widen(bits);
    let one = H::FORMAT.convert(1.0, Rounding::Nearest) as u16;
    if mode.saturate {
        return if value >= 1.0 {
            one
        } else if value > 0.0 {
            bits
        } else {
            0
        };
    }
    if mode.relu && value <= 0.0 { 0 } else { bits }
}

/// Applies `f` to the halves of packed sources, or to the low halves alone.
#[inline(always)]
pub(super) fn by_halves<const N: usize>(sources: [u32; N], packed: bool, f: impl Fn([u16; N]) -> u16) -> u32 {
    let low = u32::from(f(sources.map(|bits| bits as u16)));
    if packed { low | u32::from(f(sources.map(|bits| (bits >> 16) as u16))) << 16 } else { low }
}

/// A handler of the arithmetic of a format; the micro-operation says whether values are packed.
macro_rules! arithmetic {
    ($H:ty, |$format:ident, $($x:ident),+| $exact:expr) => {{
        let handler: Handler = |lanes, op, mask| {
            let mode = FloatMode::decode(op.extra);
            let packed = op.extra & PACKED != 0;
            sparse(lanes, op, mask, |sources| {
                by_halves(sources, packed, |halves| {
                    let $format = <$H as Half>::FORMAT;
                    let [$($x),+] = halves.map(|bits| f64::from(<$H as Half>::value(bits, mode.flush)));
                    finish::<$H>($exact, mode)
                })
            })
        };
        handler
    }};
}

/// In a micro-operation: the values are pairs.
pub(super) const PACKED: u32 = 1 << FloatMode::BITS;

/// Format and packing of a type.
pub(super) fn kind(ty: ScalarType) -> Option<(Format, bool)> {
    match ty {
        ScalarType::F16 => Some((F16, false)),
        ScalarType::F16x2 => Some((F16, true)),
        ScalarType::BF16 => Some((BF16, false)),
        ScalarType::BF16x2 => Some((BF16, true)),
        _ => None,
    }
}

pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    let (format, packed) = kind(d.ty).ok_or_else(|| d.no_such_type())?;
    let brain = format == BF16;
    let fused = d.operation == AluOperation::MultiplyAdd;
    let relu = if fused { permit::RELU } else { permit::NOTHING };
    d.permit(if brain { relu } else { permit::FLUSH | permit::SATURATE | relu })?;
    let ([f16, bf16], sources) = match d.operation {
        AluOperation::Add => (
            [
                arithmetic!(half::f16, |format, a, b| format.add(a, b, Rounding::Nearest)),
                arithmetic!(half::bf16, |format, a, b| format.add(a, b, Rounding::Nearest)),
            ],
            2,
        ),
        AluOperation::Subtract => (
            [
                arithmetic!(half::f16, |format, a, b| format.add(a, -b, Rounding::Nearest)),
                arithmetic!(half::bf16, |format, a, b| format.add(a, -b, Rounding::Nearest)),
            ],
            2,
        ),
        AluOperation::Multiply => (
            [
                arithmetic!(half::f16, |format, a, b| format.multiply(a, b, Rounding::Nearest)),
                arithmetic!(half::bf16, |format, a, b| format.multiply(a, b, Rounding::Nearest)),
            ],
            2,
        ),
        AluOperation::MultiplyAdd => (
            [
                arithmetic!(half::f16, |format, a, b, c| format.multiply_add(a, b, c, Rounding::Nearest)),
                arithmetic!(half::bf16, |format, a, b, c| format.multiply_add(a, b, c, Rounding::Nearest)),
            ],
            3,
        ),
        _ => return Err(d.no_such_type()),
    };
    let ty = d.ty;
    let extra = FloatMode::encode(d.mode) | (u32::from(packed) * PACKED);
    d.pure(if brain { bf16 } else { f16 }, ty, &[ty; 3][..sources], extra)
}
