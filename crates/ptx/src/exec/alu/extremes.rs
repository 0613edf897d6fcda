//! `min` and `max` of floating-point numbers (PTX ISA 8.5, sections 9.7.3 and 9.7.4).
//!
//! A NaN loses against a number, two NaN give the one NaN, and minus zero is less than plus zero. With `.NaN`
//! any NaN gives that NaN. With `.xorsign.abs` magnitudes are compared and the result's sign is the product
//! of the sources' signs.

use super::Pure;
use super::decoder::{Decoder, permit};
use super::exact::BF16;
use super::float_mode::FloatMode;
use super::halves::{Half, PACKED, by_halves, kind};
use super::lane::{lanewise, sparse};
use super::{float32, float64};
use crate::exec::{Handler, Lanes, Mask, MicroOp};
use crate::ir::{AluOperation, ScalarType};

/// Bits of a floating-point number that can be compared.
trait Bits: Copy {
    type Word;
    /// Less, and more than that: minus zero before plus zero.
    fn before(self, other: Self) -> bool;
    fn is_nan(self) -> bool;
    fn flush(self) -> Self;
    /// The bits, and those of the one NaN for any NaN.
    fn canonical(self) -> Self::Word;
    fn magnitude(self) -> Self;
    /// This number with the sign changed if `a` and `b` differ in theirs.
    fn signed_by(self, a: Self, b: Self) -> Self;
    /// Zero for a number that is not above it.
    fn rectified(self) -> Self;
}

macro_rules! float_bits {
    ($($native:ty, $word:ty, $module:ident, $sign:expr;)*) => {$(
        impl Bits for $native {
            type Word = $word;
            #[inline(always)]
            fn before(self, other: $native) -> bool {
                // Of equal numbers only zeros differ, by their sign.
                (self < other) | (self == other) & self.is_sign_negative()
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                <$native>::is_nan(self)
            }
            #[inline(always)]
            fn flush(self) -> $native {
                $module::flush(self)
            }
            #[inline(always)]
            fn canonical(self) -> $word {
                $module::canonical(self)
            }
            #[inline(always)]
            fn magnitude(self) -> $native {
                self.abs()
            }
            #[inline(always)]
            fn signed_by(self, a: $native, b: $native) -> $native {
                <$native>::from_bits(self.to_bits() | (a.to_bits() ^ b.to_bits()) & $sign)
            }
            #[inline(always)]
            fn rectified(self) -> $native {
                if self <= 0.0 { 0.0 } else { self }
            }
        }
    )*};
}
float_bits! {
    f32, u32, float32, 1 << 31;
    f64, u64, float64, 1 << 63;
}

/// A 16-bit number, by its bits.
struct HalfBits<H>(u16, std::marker::PhantomData<H>);

impl<H> Clone for HalfBits<H> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<H> Copy for HalfBits<H> {}

fn half_bits<H>(bits: u16) -> HalfBits<H> {
    HalfBits(bits, std::marker::PhantomData)
}

impl<H: Half> Bits for HalfBits<H> {
    type Word = u16;
    fn before(self, other: Self) -> bool {
        H::widen(self.0).before(H::widen(other.0))
    }
    fn is_nan(self) -> bool {
        H::widen(self.0).is_nan()
    }
    fn flush(self) -> Self {
        half_bits(H::flush(self.0))
    }
    fn canonical(self) -> u16 {
        if self.is_nan() { H::FORMAT.nan as u16 } else { self.0 }
    }
    fn magnitude(self) -> Self {
        half_bits(self.0 & 0x7fff)
    }
    fn signed_by(self, a: Self, b: Self) -> Self {
        half_bits(self.0 | (a.0 ^ b.0) & 0x8000)
    }
    fn rectified(self) -> Self {
        half_bits(if H::widen(self.0) <= 0.0 { 0 } else { self.0 })
    }
}

/// The smaller or the larger of two numbers; a NaN loses, and two give some NaN.
#[inline(always)]
fn extreme<T: Bits>(a: T, b: T, largest: bool) -> T {
    let first = if largest { b.before(a) } else { a.before(b) };
    if first | b.is_nan() { a } else { b }
}

/// [`extreme`] with its modifiers.
fn modified<T: Bits>(a: T, b: T, largest: bool, mode: FloatMode) -> T {
    let (a, b) = if mode.flush { (a.flush(), b.flush()) } else { (a, b) };
    if mode.propagate_nan && (a.is_nan() || b.is_nan()) {
        return if a.is_nan() { a } else { b };
    }
    let result = if mode.xor_sign {
        extreme(a.magnitude(), b.magnitude(), largest).signed_by(a, b)
    } else {
        extreme(a, b, largest)
    };
    if mode.relu { result.rectified() } else { result }
}

/// In a micro-operation: the largest rather than the smallest.
const LARGEST: u32 = PACKED << 1;

pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    let ty = d.ty;
    let largest = d.operation == AluOperation::Maximum;
    let half = kind(ty);
    d.permit(match ty {
        ScalarType::F32 => permit::FLUSH | permit::NAN | permit::XOR_SIGN,
        ScalarType::F64 => permit::NOTHING,
        _ if half.is_some_and(|(format, _)| format == BF16) => permit::NAN | permit::XOR_SIGN | permit::RELU,
        _ => permit::FLUSH | permit::NAN | permit::XOR_SIGN | permit::RELU,
    })?;
    let extra = FloatMode::encode(d.mode) | (u32::from(largest) * LARGEST);
    let plain = !d.mode.propagate_nan && !d.mode.xor_sign;
    if let Some((format, packed)) = half {
        let handler: Handler = if format == BF16 { halves::<half::bf16> } else { halves::<half::f16> };
        return d.pure(handler, ty, &[ty; 2], extra | (u32::from(packed) * PACKED));
    }
    let handler: Handler = match (ty, plain && !d.mode.flush, largest) {
        (ScalarType::F64, _, false) => lanewise!(|a: f64, b: f64| extreme(a, b, false).canonical()),
        (ScalarType::F64, _, true) => lanewise!(|a: f64, b: f64| extreme(a, b, true).canonical()),
        (ScalarType::F32, _, _) if d.sources.len() == 3 => return d.pure(of_three, ty, &[ty; 3], extra),
        (ScalarType::F32, true, false) => lanewise!(|a: f32, b: f32| extreme(a, b, false).canonical()),
        (ScalarType::F32, true, true) => lanewise!(|a: f32, b: f32| extreme(a, b, true).canonical()),
        (ScalarType::F32, false, _) => of_two,
        _ => return Err(d.no_such_type()),
    };
    d.pure(handler, ty, &[ty; 2], extra)
}

fn of_two(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    let (mode, largest) = (FloatMode::decode(op.extra), op.extra & LARGEST != 0);
    sparse(lanes, op, mask, |sources: [u32; 2]| {
        let [a, b] = sources.map(f32::from_bits);
        modified(a, b, largest, mode).canonical()
    });
}

fn of_three(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    let (mode, largest) = (FloatMode::decode(op.extra), op.extra & LARGEST != 0);
    sparse(lanes, op, mask, |sources: [u32; 3]| {
        let [a, b, c] = sources.map(f32::from_bits);
        modified(modified(a, b, largest, mode), c, largest, mode).canonical()
    });
}

fn halves<H: Half>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    let (mode, largest) = (FloatMode::decode(op.extra), op.extra & LARGEST != 0);
    let packed = op.extra & PACKED != 0;
    sparse(lanes, op, mask, |sources: [u32; 2]| {
        by_halves(sources, packed, |[a, b]| {
            modified(half_bits::<H>(a), half_bits::<H>(b), largest, mode).canonical()
        })
    });
}
