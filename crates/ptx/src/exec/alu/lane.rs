//! Loops over the lanes of a warp.
//!
//! Every handler reads whole rows, computes all 32 lanes into a local array and stores the lanes of its mask:
//! the loops have no branch, so that they become vector instructions, and a destination may be one of the
//! sources. Operations that are costly for each lane (divisions, exact roundings, transcendental functions)
//! visit active lanes only, and so do all of them where only a few lanes are active: divergent code spends its
//! time there. The loops over all lanes are functions of their own, so that the others need no room for them.

pub(super) use super::super::lanes::{LANE_BITS, lanes_of as active};
use super::super::lanes::{LANES, Lanes, Mask, is_few, merge_u32, merge_u64};
use super::super::{MicroOp, Row};

/// What a row holds for each lane: 32 bits, or 64 in a pair of rows.
pub(super) trait Bits: Copy + Default {
    fn row<'a>(lanes: &'a Lanes<'_>, row: Row) -> &'a [Self; LANES];
    fn store(lanes: &mut Lanes<'_>, row: Row, mask: Mask, values: &[Self; LANES]);
    fn lane(lanes: &Lanes<'_>, row: Row, lane: usize) -> Self;
    fn set_lane(lanes: &mut Lanes<'_>, row: Row, lane: usize, value: Self);
    fn widen(self) -> u64;
    fn truncate(bits: u64) -> Self;
    /// Takes the lanes of `mask` from `others`.
    fn merge(values: &mut [Self; LANES], others: &[Self; LANES], mask: Mask);
}

impl Bits for u32 {
    #[inline(always)]
    fn row<'a>(lanes: &'a Lanes<'_>, row: Row) -> &'a [u32; LANES] {
        lanes.u32(row)
    }
    #[inline(always)]
    fn store(lanes: &mut Lanes<'_>, row: Row, mask: Mask, values: &[u32; LANES]) {
        lanes.set_u32(row, mask, values);
    }
    #[inline(always)]
    fn lane(lanes: &Lanes<'_>, row: Row, lane: usize) -> u32 {
        lanes.lane_u32(row, lane)
    }
    #[inline(always)]
    fn set_lane(lanes: &mut Lanes<'_>, row: Row, lane: usize, value: u32) {
        lanes.set_lane_u32(row, lane, value);
    }
    #[inline(always)]
    fn widen(self) -> u64 {
        u64::from(self)
    }
    #[inline(always)]
    fn truncate(bits: u64) -> u32 {
        bits as u32
    }
    #[inline(always)]
    fn merge(values: &mut [u32; LANES], others: &[u32; LANES], mask: Mask) {
        merge_u32(values, others, mask);
    }
}

impl Bits for u64 {
    #[inline(always)]
    fn row<'a>(lanes: &'a Lanes<'_>, row: Row) -> &'a [u64; LANES] {
        lanes.u64(row)
    }
    #[inline(always)]
    fn store(lanes: &mut Lanes<'_>, row: Row, mask: Mask, values: &[u64; LANES]) {
        lanes.set_u64(row, mask, values);
    }
    #[inline(always)]
    fn lane(lanes: &Lanes<'_>, row: Row, lane: usize) -> u64 {
        lanes.lane_u64(row, lane)
    }
    #[inline(always)]
    fn set_lane(lanes: &mut Lanes<'_>, row: Row, lane: usize, value: u64) {
        lanes.set_lane_u64(row, lane, value);
    }
    #[inline(always)]
    fn widen(self) -> u64 {
        self
    }
    #[inline(always)]
    fn truncate(bits: u64) -> u64 {
        bits
    }
    #[inline(always)]
    fn merge(values: &mut [u64; LANES], others: &[u64; LANES], mask: Mask) {
        merge_u64(values, others, mask);
    }
}

/// A value of a lane, as the host computes with it.
pub(super) trait Value: Copy {
    type Bits: Bits;
    fn of(bits: Self::Bits) -> Self;
    fn bits(self) -> Self::Bits;
}

macro_rules! integer_value {
    ($($native:ty, $unsigned:ty, $bits:ty;)*) => {$(
        impl Value for $native {
            type Bits = $bits;
            #[inline(always)]
            fn of(bits: $bits) -> $native {
                bits as $native
            }
            // Through the unsigned type of the same size: upper bits of narrow registers are zero.
            #[inline(always)]
            fn bits(self) -> $bits {
                <$bits>::from(self as $unsigned)
            }
        }
    )*};
}

integer_value! {
    u16, u16, u32;
    u32, u32, u32;
    u64, u64, u64;
    i16, u16, u32;
    i32, u32, u32;
    i64, u64, u64;
}

impl Value for f32 {
    type Bits = u32;
    #[inline(always)]
    fn of(bits: u32) -> f32 {
        f32::from_bits(bits)
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bits()
    }
}

impl Value for f64 {
    type Bits = u64;
    #[inline(always)]
    fn of(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

#[inline(always)]
pub(super) fn unary<A: Value, D: Value>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask, f: impl Fn(A) -> D) {
    if !is_few(mask) {
        return all_unary(lanes, op, mask, f);
    }
    // A lane's result changes no other lane's sources, so that it can be stored at once.
    for lane in active(mask) {
        let a = A::of(A::Bits::lane(lanes, op.sources[0], lane));
        D::Bits::set_lane(lanes, op.destination, lane, f(a).bits());
    }
}

#[inline(never)]
fn all_unary<A: Value, D: Value>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask, f: impl Fn(A) -> D) {
    let a = A::Bits::row(lanes, op.sources[0]);
    let mut d = [D::Bits::default(); LANES];
    for lane in 0..LANES {
        d[lane] = f(A::of(a[lane])).bits();
    }
    D::Bits::store(lanes, op.destination, mask, &d);
}

#[inline(always)]
pub(super) fn binary<A: Value, B: Value, D: Value>(
    lanes: &mut Lanes<'_>,
    op: &MicroOp,
    mask: Mask,
    f: impl Fn(A, B) -> D,
) {
    if !is_few(mask) {
        return all_binary(lanes, op, mask, f);
    }
    // A lane's result changes no other lane's sources, so that it can be stored at once.
    for lane in active(mask) {
        let a = A::of(A::Bits::lane(lanes, op.sources[0], lane));
        let b = B::of(B::Bits::lane(lanes, op.sources[1], lane));
        D::Bits::set_lane(lanes, op.destination, lane, f(a, b).bits());
    }
}

#[inline(never)]
fn all_binary<A: Value, B: Value, D: Value>(
    lanes: &mut Lanes<'_>,
    op: &MicroOp,
    mask: Mask,
    f: impl Fn(A, B) -> D,
) {
    let a = A::Bits::row(lanes, op.sources[0]);
    let b = B::Bits::row(lanes, op.sources[1]);
    let mut d = [D::Bits::default(); LANES];
    for lane in 0..LANES {
        d[lane] = f(A::of(a[lane]), B::of(b[lane])).bits();
    }
    D::Bits::store(lanes, op.destination, mask, &d);
}

#[inline(always)]
pub(super) fn ternary<A: Value, B: Value, C: Value, D: Value>(
    lanes: &mut Lanes<'_>,
    op: &MicroOp,
    mask: Mask,
    f: impl Fn(A, B, C) -> D,
) {
    if !is_few(mask) {
        return all_ternary(lanes, op, mask, f);
    }
    // A lane's result changes no other lane's sources, so that it can be stored at once.
    for lane in active(mask) {
        let a = A::of(A::Bits::lane(lanes, op.sources[0], lane));
        let b = B::of(B::Bits::lane(lanes, op.sources[1], lane));
        let c = C::of(C::Bits::lane(lanes, op.sources[2], lane));
        D::Bits::set_lane(lanes, op.destination, lane, f(a, b, c).bits());
    }
}

#[inline(never)]
fn all_ternary<A: Value, B: Value, C: Value, D: Value>(
    lanes: &mut Lanes<'_>,
    op: &MicroOp,
    mask: Mask,
    f: impl Fn(A, B, C) -> D,
) {
    let a = A::Bits::row(lanes, op.sources[0]);
    let b = B::Bits::row(lanes, op.sources[1]);
    let c = C::Bits::row(lanes, op.sources[2]);
    let mut d = [D::Bits::default(); LANES];
    for lane in 0..LANES {
        d[lane] = f(A::of(a[lane]), B::of(b[lane]), C::of(c[lane])).bits();
    }
    D::Bits::store(lanes, op.destination, mask, &d);
}

/// Stores `f(sources' bits)` for the lanes of `mask`, and computes no others. `S` holds every source.
#[inline(always)]
pub(super) fn sparse<const N: usize, S: Bits, D: Bits>(
    lanes: &mut Lanes<'_>,
    op: &MicroOp,
    mask: Mask,
    f: impl Fn([S; N]) -> D,
) {
    for lane in active(mask) {
        let sources = std::array::from_fn(|source| S::lane(lanes, op.sources[source], lane));
        D::set_lane(lanes, op.destination, lane, f(sources));
    }
}

/// The lanes of `mask` in which a relation of two sources holds; of other lanes, anything.
#[inline(always)]
pub(super) fn relation<A: Value>(
    lanes: &Lanes<'_>,
    op: &MicroOp,
    mask: Mask,
    f: impl Fn(A, A) -> bool,
) -> Mask {
    if !is_few(mask) {
        return all_relation(lanes, op, f);
    }
    let mut holds = 0;
    for lane in active(mask) {
        let a = A::of(A::Bits::lane(lanes, op.sources[0], lane));
        let b = A::of(A::Bits::lane(lanes, op.sources[1], lane));
        holds |= Mask::from(f(a, b)) << lane;
    }
    holds
}

#[inline(never)]
fn all_relation<A: Value>(lanes: &Lanes<'_>, op: &MicroOp, f: impl Fn(A, A) -> bool) -> Mask {
    let a = A::Bits::row(lanes, op.sources[0]);
    let b = A::Bits::row(lanes, op.sources[1]);
    let mut holds = 0;
    for lane in 0..LANES {
        holds |= Mask::from(f(A::of(a[lane]), A::of(b[lane]))).wrapping_neg() & LANE_BITS[lane];
    }
    holds
}

/// A handler that computes every lane: `lanewise!(|a: u32, b: u32| a.wrapping_add(b))`. The closure's result
/// is the destination's value.
macro_rules! lanewise {
    (|$a:ident: $A:ty| $body:expr) => {{
        let handler: $crate::exec::Handler =
            |lanes, op, mask| $crate::exec::alu::lane::unary(lanes, op, mask, |$a: $A| $body);
        handler
    }};
    (|$a:ident: $A:ty, $b:ident: $B:ty| $body:expr) => {{
        let handler: $crate::exec::Handler =
            |lanes, op, mask| $crate::exec::alu::lane::binary(lanes, op, mask, |$a: $A, $b: $B| $body);
        handler
    }};
    (|$a:ident: $A:ty, $b:ident: $B:ty, $c:ident: $C:ty| $body:expr) => {{
        let handler: $crate::exec::Handler = |lanes, op, mask| {
            $crate::exec::alu::lane::ternary(lanes, op, mask, |$a: $A, $b: $B, $c: $C| $body)
        };
        handler
    }};
}

/// A handler for the integer type among the six of the arithmetic instructions, with the host's type named.
macro_rules! for_integers {
    ($ty:expr, $T:ident => $handler:expr) => {
        match $ty {
            $crate::ir::ScalarType::U16 => Some({
                type $T = u16;
                $handler
            }),
            $crate::ir::ScalarType::U32 => Some({
                type $T = u32;
                $handler
            }),
            $crate::ir::ScalarType::U64 => Some({
                type $T = u64;
                $handler
            }),
            $crate::ir::ScalarType::S16 => Some({
                type $T = i16;
                $handler
            }),
            $crate::ir::ScalarType::S32 => Some({
                type $T = i32;
                $handler
            }),
            $crate::ir::ScalarType::S64 => Some({
                type $T = i64;
                $handler
            }),
            _ => None,
        }
    };
}

pub(super) use for_integers;
pub(super) use lanewise;
