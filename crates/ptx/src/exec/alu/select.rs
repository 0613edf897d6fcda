//! `selp` and `slct` (PTX ISA 8.5, section 9.7.6).

use super::Pure;
use super::decoder::{Decoder, permit};
use super::lane::{Bits, LANE_BITS};
use crate::exec::lanes::{LANES, Lanes, Mask};
use crate::exec::{Handler, MicroOp};
use crate::ir::ScalarType;

/// Whether values of this type can be selected: all of 16 bits and more.
fn selectable(ty: ScalarType) -> bool {
    !matches!(ty, ScalarType::Pred | ScalarType::B8 | ScalarType::U8 | ScalarType::S8 | ScalarType::B128)
}

/// `selp`.
pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    let ty = d.ty;
    if !selectable(ty) {
        return Err(d.no_such_type());
    }
    let handler: Handler = if ty.bytes() == 8 {
        |lanes, op, mask| {
            let choice = lanes.predicate(op.sources[2].0);
            select::<u64>(lanes, op, mask, choice);
        }
    } else {
        |lanes, op, mask| {
            let choice = lanes.predicate(op.sources[2].0);
            select::<u32>(lanes, op, mask, choice);
        }
    };
    d.pure(handler, ty, &[ty, ty, ScalarType::Pred], 0)
}

/// The first source in the lanes of `choice`, the second in the others.
#[inline(always)]
fn select<T: Bits>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask, choice: Mask) {
    let mut values = *T::row(lanes, op.sources[1]);
    T::merge(&mut values, T::row(lanes, op.sources[0]), choice);
    T::store(lanes, op.destination, mask, &values);
}

/// `slct`: the first source where the third is not negative. A NaN is not, and minus zero is not negative.
pub(super) fn decode_by_sign(d: &mut Decoder<'_>, float: bool) -> Result<Pure, String> {
    d.permit(if float { permit::FLUSH } else { permit::NOTHING })?;
    let ty = d.ty;
    if !selectable(ty) {
        return Err(d.no_such_type());
    }
    let flush = d.mode.flush;
    let handler: Handler = match (ty.bytes() == 8, float) {
        (false, false) => |lanes, op, mask| by_sign::<u32>(lanes, op, mask, |c| c as i32 >= 0),
        (true, false) => |lanes, op, mask| by_sign::<u64>(lanes, op, mask, |c| c as i32 >= 0),
        (false, true) if !flush => {
            |lanes, op, mask| by_sign::<u32>(lanes, op, mask, |c| f32::from_bits(c) >= 0.0)
        }
        (true, true) if !flush => {
            |lanes, op, mask| by_sign::<u64>(lanes, op, mask, |c| f32::from_bits(c) >= 0.0)
        }
        (false, true) => |lanes, op, mask| by_sign::<u32>(lanes, op, mask, not_negative_flushed),
        (true, true) => |lanes, op, mask| by_sign::<u64>(lanes, op, mask, not_negative_flushed),
    };
    let third = if float { ScalarType::F32 } else { ScalarType::S32 };
    d.pure(handler, ty, &[ty, ty, third], 0)
}

fn not_negative_flushed(bits: u32) -> bool {
    f32::from_bits(bits) > -f32::MIN_POSITIVE
}

#[inline(always)]
fn by_sign<T: Bits>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask, keeps_first: impl Fn(u32) -> bool) {
    let c = lanes.u32(op.sources[2]);
    let mut choice = 0;
    for lane in 0..LANES {
        choice |= if keeps_first(c[lane]) { LANE_BITS[lane] } else { 0 };
    }
    select::<T>(lanes, op, mask, choice);
}
