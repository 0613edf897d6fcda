//! `set`: a comparison as a value (PTX ISA 8.5, section 9.7.6.1).
//!
//! True is all ones in an integer and 1.0 in a floating-point result; false is zero.

use super::Pure;
use super::compare::check;
use super::decoder::{Decoder, permit, source, source_predicate};
use super::lane::{Bits, LANE_BITS};
use super::relation::{Comparable, Description, Packed};
use crate::exec::{Handler, LANES, Lanes, Mask, MicroOp, Row};
use crate::ir::{BooleanOperation, Comparison, ScalarType};

pub(super) fn decode(
    d: &mut Decoder<'_>,
    comparison: Comparison,
    result: ScalarType,
    combine: Option<(BooleanOperation, bool)>,
) -> Result<Pure, String> {
    d.permit(permit::FLUSH)?;
    let table = check(comparison, d.ty, d.mode.flush)?;
    let declared = d.operands.ty(d.destination);
    let packed = matches!(d.ty, ScalarType::F16x2 | ScalarType::BF16x2);
    let truth = truth(d.ty, result)
        .ok_or_else(|| d.complaint(&format!("cannot have a result of type .{}", result.name())))?;
    let wide = declared.bytes() == 8;
    if declared == ScalarType::Pred || declared.bytes() < result.bytes() || declared.bytes() > 8 {
        return Err(format!("a register of type .{} cannot hold .{}", declared.name(), result.name()));
    }
    let handler = if wide { handler::<u64>(d.ty) } else { handler::<u32>(d.ty) };
    let handler = handler.ok_or_else(|| d.no_such_type())?;
    let expected = if combine.is_some() { 3 } else { 2 };
    if d.sources.len() != expected {
        return Err(d.complaint(&format!("takes {expected} sources and has {}", d.sources.len())));
    }
    let mut sources = [Row::default(); 4];
    for (row, &operand) in sources.iter_mut().zip(&d.sources[..2]) {
        *row = source(d.operands, operand, d.ty)?;
    }
    if combine.is_some() {
        sources[2] = Row(source_predicate(d.operands, d.sources[2])?);
    }
    // In a register wider than a signed result, true is all ones too.
    let extends = !packed && result.is_signed() && declared.bytes() > result.bytes();
    let truth = if extends && !wide { u32::MAX >> (32 - 8 * declared.bytes()) } else { truth };
    sources[3] = Row(truth);
    let description = Description { table, flush: d.mode.flush, combine }.encode();
    let extra = description | u32::from(packed) << PACKED | u32::from(extends && wide) << EXTENDS;
    Ok(Pure { handler, destination: d.operands.row(d.destination), sources, extra })
}

const PACKED: u32 = Description::BITS;
const EXTENDS: u32 = Description::BITS + 1;

/// The bits of true (of one half, for packed results), if such a result exists.
fn truth(ty: ScalarType, result: ScalarType) -> Option<u32> {
    let half = matches!(ty, ScalarType::F16 | ScalarType::BF16);
    match (ty, result) {
        (ScalarType::F16x2, ScalarType::F16x2) => Some(0x3c00),
        (ScalarType::BF16x2, ScalarType::BF16x2) => Some(0x3f80),
        // Masks of two halves, each all ones or zeros.
        (ScalarType::F16x2 | ScalarType::BF16x2, ScalarType::U32 | ScalarType::S32) => Some(0xffff),
        (ScalarType::F16x2 | ScalarType::BF16x2, _) => None,
        (_, ScalarType::U32 | ScalarType::S32) => Some(u32::MAX),
        (_, ScalarType::F32) => Some(1f32.to_bits()),
        (_, ScalarType::U16 | ScalarType::S16) if half => Some(0xffff),
        (_, ScalarType::F16) => Some(0x3c00),
        (_, ScalarType::BF16) => Some(0x3f80),
        _ => None,
    }
}

fn handler<D: Bits>(ty: ScalarType) -> Option<Handler> {
    Some(match ty {
        ScalarType::U16 | ScalarType::U32 | ScalarType::B16 | ScalarType::B32 => set::<u32, D>,
        ScalarType::S16 => set::<i16, D>,
        ScalarType::S32 => set::<i32, D>,
        ScalarType::U64 | ScalarType::B64 => set::<u64, D>,
        ScalarType::S64 => set::<i64, D>,
        ScalarType::F32 => set::<f32, D>,
        ScalarType::F64 => set::<f64, D>,
        ScalarType::F16 => set::<half::f16, D>,
        ScalarType::BF16 => set::<half::bf16, D>,
        ScalarType::F16x2 => set::<Packed<half::f16>, D>,
        ScalarType::BF16x2 => set::<Packed<half::bf16>, D>,
        _ => return None,
    })
}

fn set<T: Comparable, D: Bits>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    let description = Description::decode(op.extra);
    let (low, high) = T::compare(lanes, op, description);
    let other = if description.combine.is_some() { lanes.predicate(op.sources[2].0) } else { 0 };
    let low = description.combined(low, other);
    let high = high.map_or(0, |high| description.combined(high, other));
    let truth = u64::from(op.sources[3].0);
    let truth = if op.extra >> EXTENDS & 1 != 0 { u64::MAX } else { truth };
    let high = if op.extra >> PACKED & 1 != 0 { high } else { 0 };
    let mut values = [D::default(); LANES];
    for lane in 0..LANES {
        let half = |holds: Mask| if holds & LANE_BITS[lane] != 0 { truth } else { 0 };
        values[lane] = D::truncate(half(low) | half(high) << 16);
    }
    D::store(lanes, op.destination, mask, &values);
}
