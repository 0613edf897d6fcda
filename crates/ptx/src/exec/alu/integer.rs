//! Integer arithmetic (PTX ISA 8.5, section 9.7.1), except wide, 24-bit and extended-precision forms.
//!
//! Everything wraps. A division by zero gives all ones and its remainder the dividend, as NVIDIA's hardware
//! does where the ISA leaves the value unspecified; the smallest number divided by -1 is itself.

use super::Pure;
use super::decoder::{Decoder, permit};
use super::lane::{Value, for_integers, lanewise, sparse};
use crate::exec::Handler;
use crate::ir::{AluOperation, ScalarType};

/// What the operations need of an integer beside its wrapping arithmetic.
pub(super) trait Integer: Value + Ord {
    fn multiply_high(self, other: Self) -> Self;
    fn divide(self, other: Self) -> Self;
    fn remainder(self, other: Self) -> Self;
    fn difference(self, other: Self) -> Self;
}

macro_rules! integer {
    ($($native:ty, $wide:ty;)*) => {$(
        impl Integer for $native {
            #[inline(always)]
            fn multiply_high(self, other: $native) -> $native {
                ((self as $wide).wrapping_mul(other as $wide) >> <$native>::BITS) as $native
            }
            #[inline(always)]
            fn divide(self, other: $native) -> $native {
                if other == 0 { !0 } else { self.wrapping_div(other) }
            }
            #[inline(always)]
            fn remainder(self, other: $native) -> $native {
                if other == 0 { self } else { self.wrapping_rem(other) }
            }
            #[inline(always)]
            fn difference(self, other: $native) -> $native {
                self.max(other).wrapping_sub(self.min(other))
            }
        }
    )*};
}

integer! {
    u16, u32;
    u32, u64;
    u64, u128;
    i16, i32;
    i32, i64;
    i64, i128;
}

/// A handler of two sources that computes active lanes only.
macro_rules! costly {
    ($T:ty, $function:ident) => {{
        let handler: Handler = |lanes, op, mask| {
            sparse(lanes, op, mask, |[a, b]: [<$T as Value>::Bits; 2]| {
                <$T>::of(a).$function(<$T>::of(b)).bits()
            })
        };
        handler
    }};
}

pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    let ty = d.ty;
    if d.mode.saturate {
        return saturating(d);
    }
    if d.mode.relu {
        return rectified(d);
    }
    d.permit(permit::NOTHING)?;
    let handler = match d.operation {
        AluOperation::Add => for_integers!(ty, T => lanewise!(|a: T, b: T| a.wrapping_add(b))),
        AluOperation::Subtract => for_integers!(ty, T => lanewise!(|a: T, b: T| a.wrapping_sub(b))),
        AluOperation::Multiply => for_integers!(ty, T => lanewise!(|a: T, b: T| a.wrapping_mul(b))),
        AluOperation::MultiplyHigh => for_integers!(ty, T => lanewise!(|a: T, b: T| a.multiply_high(b))),
        AluOperation::MultiplyAdd => {
            for_integers!(ty, T => lanewise!(|a: T, b: T, c: T| a.wrapping_mul(b).wrapping_add(c)))
        }
        AluOperation::MultiplyAddHigh => {
            for_integers!(ty, T => lanewise!(|a: T, b: T, c: T| a.multiply_high(b).wrapping_add(c)))
        }
        AluOperation::SumOfDifferences => {
            for_integers!(ty, T => lanewise!(|a: T, b: T, c: T| c.wrapping_add(a.difference(b))))
        }
        AluOperation::Minimum => for_integers!(ty, T => lanewise!(|a: T, b: T| a.min(b))),
        AluOperation::Maximum => for_integers!(ty, T => lanewise!(|a: T, b: T| a.max(b))),
        AluOperation::Divide => for_integers!(ty, T => costly!(T, divide)),
        AluOperation::Remainder => for_integers!(ty, T => costly!(T, remainder)),
        AluOperation::Absolute => signed(
            ty,
            [
                lanewise!(|a: i16| a.wrapping_abs()),
                lanewise!(|a: i32| a.wrapping_abs()),
                lanewise!(|a: i64| a.wrapping_abs()),
            ],
        ),
        AluOperation::Negate => signed(
            ty,
            [
                lanewise!(|a: i16| a.wrapping_neg()),
                lanewise!(|a: i32| a.wrapping_neg()),
                lanewise!(|a: i64| a.wrapping_neg()),
            ],
        ),
        _ => None,
    };
    let handler = handler.ok_or_else(|| d.no_such_type())?;
    let sources = [ty; 3];
    let count = match d.operation {
        AluOperation::Absolute | AluOperation::Negate => 1,
        AluOperation::MultiplyAdd | AluOperation::MultiplyAddHigh | AluOperation::SumOfDifferences => 3,
        _ => 2,
    };
    d.pure(handler, ty, &sources[..count], 0)
}

fn signed(ty: ScalarType, [s16, s32, s64]: [Handler; 3]) -> Option<Handler> {
    match ty {
        ScalarType::S16 => Some(s16),
        ScalarType::S32 => Some(s32),
        ScalarType::S64 => Some(s64),
        _ => None,
    }
}

/// `add.sat.s32`, `sub.sat.s32`, `mad.hi.sat.s32`.
fn saturating(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::SATURATE)?;
    let ty = ScalarType::S32;
    match (d.operation, d.ty) {
        (AluOperation::Add, ScalarType::S32) => {
            d.pure(lanewise!(|a: i32, b: i32| a.saturating_add(b)), ty, &[ty; 2], 0)
        }
        (AluOperation::Subtract, ScalarType::S32) => {
            d.pure(lanewise!(|a: i32, b: i32| a.saturating_sub(b)), ty, &[ty; 2], 0)
        }
        (AluOperation::MultiplyAddHigh, ScalarType::S32) => {
            let handler = lanewise!(|a: i32, b: i32, c: i32| a.multiply_high(b).saturating_add(c));
            d.pure(handler, ty, &[ty; 3], 0)
        }
        _ => Err(d.complaint("cannot have .sat")),
    }
}

/// `min.relu.s32`, `max.relu.s32`.
fn rectified(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::RELU)?;
    let ty = ScalarType::S32;
    match (d.operation, d.ty) {
        (AluOperation::Minimum, ScalarType::S32) => {
            d.pure(lanewise!(|a: i32, b: i32| a.min(b).max(0)), ty, &[ty; 2], 0)
        }
        (AluOperation::Maximum, ScalarType::S32) => {
            d.pure(lanewise!(|a: i32, b: i32| a.max(b).max(0)), ty, &[ty; 2], 0)
        }
        _ => Err(d.complaint("cannot have .relu")),
    }
}
