//! Shifts and funnel shifts (PTX ISA 8.5, section 9.7.7).
//!
//! The amount is 32 bits without a sign; one that is at least the width shifts everything out. A constant
//! amount, the usual case, is a field of the micro-operation, because a shift of all lanes by one amount is a
//! vector instruction everywhere and a shift by lane is not.

use super::Pure;
use super::decoder::{Decoder, destination, permit, source};
use super::lane::{Value, lanewise, unary};
use crate::exec::{Handler, Row};
use crate::ir::{AluOperation, Operand, ScalarType};

/// A word that can be shifted.
trait Shift: Value {
    fn left(self, amount: u32) -> Self;
    fn right(self, amount: u32) -> Self;
}

macro_rules! shift {
    ($($native:ty, $out:expr;)*) => {$(
        impl Shift for $native {
            #[inline(always)]
            fn left(self, amount: u32) -> $native {
                if amount < <$native>::BITS { self << amount } else { 0 }
            }
            #[inline(always)]
            fn right(self, amount: u32) -> $native {
                let out: fn($native) -> $native = $out;
                if amount < <$native>::BITS { self >> amount } else { out(self) }
            }
        }
    )*};
}

shift! {
    u16, |_| 0;
    u32, |_| 0;
    u64, |_| 0;
    i16, |value| value >> 15;
    i32, |value| value >> 31;
    i64, |value| value >> 63;
}

macro_rules! shifts {
    ($T:ty, $function:ident) => {{
        let uniform: Handler =
            |lanes, op, mask| unary(lanes, op, mask, |a: $T| Shift::$function(a, op.extra));
        (uniform, lanewise!(|a: $T, b: u32| Shift::$function(a, b)))
    }};
}

pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    let ty = d.ty;
    let (uniform, by_lane) = match (d.operation, ty) {
        (AluOperation::ShiftLeft, ScalarType::B16) => shifts!(u16, left),
        (AluOperation::ShiftLeft, ScalarType::B32) => shifts!(u32, left),
        (AluOperation::ShiftLeft, ScalarType::B64) => shifts!(u64, left),
        (AluOperation::ShiftRight, ScalarType::B16 | ScalarType::U16) => shifts!(u16, right),
        (AluOperation::ShiftRight, ScalarType::B32 | ScalarType::U32) => shifts!(u32, right),
        (AluOperation::ShiftRight, ScalarType::B64 | ScalarType::U64) => shifts!(u64, right),
        (AluOperation::ShiftRight, ScalarType::S16) => shifts!(i16, right),
        (AluOperation::ShiftRight, ScalarType::S32) => shifts!(i32, right),
        (AluOperation::ShiftRight, ScalarType::S64) => shifts!(i64, right),
        _ => return Err(d.no_such_type()),
    };
    if let &[value, Operand::Immediate(amount)] = d.sources {
        let mut sources = [Row::default(); 4];
        sources[0] = source(d.operands, value, ty)?;
        let destination = destination(d.operands, d.destination, ty)?;
        return Ok(Pure { handler: uniform, destination, sources, extra: amount as u32 });
    }
    d.pure(by_lane, ty, &[ty, ScalarType::U32], 0)
}

/// `shf`: a window of 32 bits in the pair of the second and the first source.
pub(super) fn decode_funnel(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    if d.ty != ScalarType::B32 {
        return Err(d.no_such_type());
    }
    let handler = match d.operation {
        AluOperation::FunnelLeft { wrap: true } => {
            lanewise!(|a: u32, b: u32, c: u32| (pair(a, b) << (c & 31) >> 32) as u32)
        }
        AluOperation::FunnelLeft { wrap: false } => {
            lanewise!(|a: u32, b: u32, c: u32| (pair(a, b) << c.min(32) >> 32) as u32)
        }
        AluOperation::FunnelRight { wrap: true } => {
            lanewise!(|a: u32, b: u32, c: u32| (pair(a, b) >> (c & 31)) as u32)
        }
        _ => lanewise!(|a: u32, b: u32, c: u32| (pair(a, b) >> c.min(32)) as u32),
    };
    d.pure(handler, ScalarType::B32, &[ScalarType::B32; 3], 0)
}

#[inline(always)]
fn pair(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}
