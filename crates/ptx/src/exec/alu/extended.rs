//! Extended-precision integer arithmetic: `add`, `sub` and `mad` that write or read the carry flag (PTX ISA
//! 8.5, section 9.7.2). After a subtraction the flag is the borrow.
//!
//! The flag is a predicate of the frame: one bit for each lane.

use super::Pure;
use super::decoder::{Decoder, permit};
use super::integer::Integer;
use super::lane::{Bits, LANE_BITS};
use crate::exec::lanes::{CARRY, LANES, Lanes};
use crate::exec::{Handler, Mask, MicroOp};
use crate::ir::{AluOperation, ScalarType};

const CARRY_IN: u32 = 1;
const CARRY_OUT: u32 = 2;

pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::CARRY)?;
    let ty = d.ty;
    let mode = (u32::from(d.mode.carry_in) * CARRY_IN) | (u32::from(d.mode.carry_out) * CARRY_OUT);
    let wide = match ty {
        ScalarType::U32 | ScalarType::S32 => false,
        ScalarType::U64 | ScalarType::S64 => true,
        _ => return Err(d.no_such_type()),
    };
    let handler: Handler = match (d.operation, wide) {
        (AluOperation::Add, false) => |lanes, op, mask| add(lanes, op, mask, sum::<u32>),
        (AluOperation::Add, true) => |lanes, op, mask| add(lanes, op, mask, sum::<u64>),
        (AluOperation::Subtract, false) => |lanes, op, mask| add(lanes, op, mask, difference::<u32>),
        (AluOperation::Subtract, true) => |lanes, op, mask| add(lanes, op, mask, difference::<u64>),
        (AluOperation::MultiplyAdd | AluOperation::MultiplyAddHigh, _) => return multiply_add(d, mode),
        _ => return Err(d.complaint("cannot have a carry")),
    };
    d.pure(handler, ty, &[ty; 2], mode)
}

fn multiply_add(d: &mut Decoder<'_>, mode: u32) -> Result<Pure, String> {
    let ty = d.ty;
    let high = d.operation == AluOperation::MultiplyAddHigh;
    let handler: Handler = match (ty, high) {
        (ScalarType::U32 | ScalarType::S32, false) => {
            |lanes, op, mask| product_and_add(lanes, op, mask, u32::wrapping_mul)
        }
        (ScalarType::U32, true) => |lanes, op, mask| product_and_add(lanes, op, mask, u32::multiply_high),
        (ScalarType::S32, true) => |lanes, op, mask| {
            product_and_add(lanes, op, mask, |a: u32, b: u32| (a as i32).multiply_high(b as i32) as u32)
        },
        (ScalarType::U64 | ScalarType::S64, false) => {
            |lanes, op, mask| product_and_add(lanes, op, mask, u64::wrapping_mul)
        }
        (ScalarType::U64, true) => |lanes, op, mask| product_and_add(lanes, op, mask, u64::multiply_high),
        (ScalarType::S64, true) => |lanes, op, mask| {
            product_and_add(lanes, op, mask, |a: u64, b: u64| (a as i64).multiply_high(b as i64) as u64)
        },
        _ => return Err(d.no_such_type()),
    };
    d.pure(handler, ty, &[ty; 3], mode)
}

/// A word with a carry.
trait Word: Bits {
    fn add_carry(self, other: Self, carry: bool) -> (Self, bool);
    fn subtract_borrow(self, other: Self, borrow: bool) -> (Self, bool);
}

macro_rules! word {
    ($($native:ty)*) => {$(
        impl Word for $native {
            fn add_carry(self, other: $native, carry: bool) -> ($native, bool) {
                let (sum, first) = self.overflowing_add(other);
                let (sum, second) = sum.overflowing_add(<$native>::from(carry));
                (sum, first | second)
            }
            fn subtract_borrow(self, other: $native, borrow: bool) -> ($native, bool) {
                let (difference, first) = self.overflowing_sub(other);
                let (difference, second) = difference.overflowing_sub(<$native>::from(borrow));
                (difference, first | second)
            }
        }
    )*};
}
word!(u32 u64);

fn sum<T: Word>(a: T, b: T, carry: bool) -> (T, bool) {
    a.add_carry(b, carry)
}

fn difference<T: Word>(a: T, b: T, borrow: bool) -> (T, bool) {
    a.subtract_borrow(b, borrow)
}

#[inline(always)]
fn add<T: Word>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask, f: impl Fn(T, T, bool) -> (T, bool)) {
    let a = T::row(lanes, op.sources[0]);
    let b = T::row(lanes, op.sources[1]);
    let carry = if op.extra & CARRY_IN != 0 { lanes.predicate(CARRY) } else { 0 };
    let (values, out) = with_carry(carry, |lane, carry| f(a[lane], b[lane], carry));
    finish(lanes, op, mask, &values, out);
}

#[inline(always)]
fn product_and_add<T: Word>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask, product: impl Fn(T, T) -> T) {
    let a = T::row(lanes, op.sources[0]);
    let b = T::row(lanes, op.sources[1]);
    let c = T::row(lanes, op.sources[2]);
    let carry = if op.extra & CARRY_IN != 0 { lanes.predicate(CARRY) } else { 0 };
    let (values, out) = with_carry(carry, |lane, carry| product(a[lane], b[lane]).add_carry(c[lane], carry));
    finish(lanes, op, mask, &values, out);
}

#[inline(always)]
fn with_carry<T: Word>(carry: Mask, f: impl Fn(usize, bool) -> (T, bool)) -> ([T; LANES], Mask) {
    let mut values = [T::default(); LANES];
    let mut out = 0;
    for lane in 0..LANES {
        let (value, carry) = f(lane, carry & LANE_BITS[lane] != 0);
        values[lane] = value;
        out |= if carry { LANE_BITS[lane] } else { 0 };
    }
    (values, out)
}

#[inline(always)]
fn finish<T: Word>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask, values: &[T; LANES], carry: Mask) {
    T::store(lanes, op.destination, mask, values);
    if op.extra & CARRY_OUT != 0 {
        lanes.set_predicate(CARRY, mask, carry);
    }
}
