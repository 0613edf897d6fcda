//! Relations of values: what every comparison is made from.

use super::float32::flush;
use super::halves::Half;
use super::lane::{Value, relation};
use crate::exec::{Lanes, Mask, MicroOp};
use crate::ir::BooleanOperation;

/// The relations that two values can have, as bits of a table.
pub(super) const LESS: u32 = 1;
pub(super) const EQUAL: u32 = 2;
pub(super) const GREATER: u32 = 4;
pub(super) const UNORDERED: u32 = 8;

/// A comparison, as a field of a micro-operation.
#[derive(Clone, Copy)]
pub(super) struct Description {
    /// The relations for which it holds.
    pub(super) table: u32,
    /// `.ftz`.
    pub(super) flush: bool,
    /// How it is combined with a predicate, and whether that is negated.
    pub(super) combine: Option<(BooleanOperation, bool)>,
}

impl Description {
    /// Bits that the field takes.
    pub(super) const BITS: u32 = 8;

    pub(super) fn encode(self) -> u32 {
        let (operation, negated) = match self.combine {
            None => (0, false),
            Some((BooleanOperation::And, negated)) => (1, negated),
            Some((BooleanOperation::Or, negated)) => (2, negated),
            Some((BooleanOperation::Xor, negated)) => (3, negated),
        };
        self.table | u32::from(self.flush) << 4 | operation << 5 | u32::from(negated) << 7
    }

    pub(super) fn decode(bits: u32) -> Description {
        let operation = match bits >> 5 & 3 {
            0 => None,
            1 => Some(BooleanOperation::And),
            2 => Some(BooleanOperation::Or),
            _ => Some(BooleanOperation::Xor),
        };
        let combine = operation.map(|operation| (operation, bits >> 7 & 1 != 0));
        Description { table: bits & 15, flush: bits >> 4 & 1 != 0, combine }
    }

    /// A comparison's lanes, combined with another predicate.
    pub(super) fn combined(self, holds: Mask, other: Mask) -> Mask {
        match self.combine {
            None => holds,
            Some((operation, negated)) => {
                let other = if negated { !other } else { other };
                match operation {
                    BooleanOperation::And => holds & other,
                    BooleanOperation::Or => holds | other,
                    BooleanOperation::Xor => holds ^ other,
                }
            }
        }
    }
}

/// The relation of two values.
#[inline(always)]
fn relate<T: PartialOrd>(a: T, b: T) -> u32 {
    if a < b {
        LESS
    } else if a == b {
        EQUAL
    } else if a > b {
        GREATER
    } else {
        UNORDERED
    }
}

/// A type of values that can be compared.
pub(super) trait Comparable {
    /// The lanes in which the comparison of the two sources holds; for packed values, of the low and of the
    /// high halves.
    fn compare(lanes: &Lanes<'_>, op: &MicroOp, description: Description) -> (Mask, Option<Mask>);
}

#[inline(always)]
fn compare<T: Value, R: PartialOrd>(
    lanes: &Lanes<'_>,
    op: &MicroOp,
    description: Description,
    prepare: impl Fn(T) -> R,
) -> Mask {
    relation(lanes, op, Mask::MAX, |a: T, b: T| relate(prepare(a), prepare(b)) & description.table != 0)
}

macro_rules! comparable {
    ($($native:ty)*) => {$(
        impl Comparable for $native {
            fn compare(lanes: &Lanes<'_>, op: &MicroOp, description: Description) -> (Mask, Option<Mask>) {
                (compare(lanes, op, description, |a: $native| a), None)
            }
        }
    )*};
}
comparable!(u32 u64 i16 i32 i64 f64);

impl Comparable for f32 {
    fn compare(lanes: &Lanes<'_>, op: &MicroOp, description: Description) -> (Mask, Option<Mask>) {
        let holds = if description.flush {
            compare(lanes, op, description, flush)
        } else {
            compare(lanes, op, description, |a: f32| a)
        };
        (holds, None)
    }
}

/// Two values of half the width in one register.
pub(super) struct Packed<H>(std::marker::PhantomData<H>);

fn compare_halves<H: Half>(lanes: &Lanes<'_>, op: &MicroOp, description: Description, shift: u32) -> Mask {
    compare(lanes, op, description, |bits: u32| H::value((bits >> shift) as u16, description.flush))
}

macro_rules! comparable_halves {
    ($($half:ty)*) => {$(
        impl Comparable for $half {
            fn compare(lanes: &Lanes<'_>, op: &MicroOp, description: Description) -> (Mask, Option<Mask>) {
                (compare_halves::<$half>(lanes, op, description, 0), None)
            }
        }
    )*};
}
comparable_halves!(half::f16 half::bf16);

impl<H: Half> Comparable for Packed<H> {
    fn compare(lanes: &Lanes<'_>, op: &MicroOp, description: Description) -> (Mask, Option<Mask>) {
        let halves = [0, 16].map(|shift| compare_halves::<H>(lanes, op, description, shift));
        (halves[0], Some(halves[1]))
    }
}
