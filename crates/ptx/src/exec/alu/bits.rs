//! Counting, finding and reversing bits, and masks of bits (PTX ISA 8.5, section 9.7.1).

use super::Pure;
use super::decoder::{Decoder, permit};
use super::lane::lanewise;
use crate::exec::Handler;
use crate::ir::{AluOperation, ScalarType};

pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    let ty = d.ty;
    let handler = match d.operation {
        AluOperation::PopulationCount => {
            untyped(ty, lanewise!(|a: u32| a.count_ones()), lanewise!(|a: u64| a.count_ones()))
        }
        AluOperation::LeadingZeros => {
            untyped(ty, lanewise!(|a: u32| a.leading_zeros()), lanewise!(|a: u64| a.leading_zeros()))
        }
        AluOperation::ReverseBits => {
            let handler =
                untyped(ty, lanewise!(|a: u32| a.reverse_bits()), lanewise!(|a: u64| a.reverse_bits()));
            let handler = handler.ok_or_else(|| d.no_such_type())?;
            return d.pure(handler, ty, &[ty], 0);
        }
        AluOperation::FindLeading { shift } => find_leading(ty, shift),
        _ => None,
    };
    let handler = handler.ok_or_else(|| d.no_such_type())?;
    d.pure(handler, ScalarType::U32, &[ty], 0)
}

fn untyped(ty: ScalarType, narrow: Handler, wide: Handler) -> Option<Handler> {
    match ty {
        ScalarType::B32 => Some(narrow),
        ScalarType::B64 => Some(wide),
        _ => None,
    }
}

/// `bfind`: the highest bit that differs from the sign (or is set, for unsigned types); all ones if none is.
fn find_leading(ty: ScalarType, shift: bool) -> Option<Handler> {
    Some(match (ty, shift) {
        (ScalarType::U32, false) => lanewise!(|a: u32| 31u32.wrapping_sub(a.leading_zeros())),
        (ScalarType::U32, true) => lanewise!(|a: u32| distance(a.leading_zeros(), 32)),
        (ScalarType::S32, false) => lanewise!(|a: i32| 31u32.wrapping_sub((a ^ a >> 31).leading_zeros())),
        (ScalarType::S32, true) => lanewise!(|a: i32| distance((a ^ a >> 31).leading_zeros(), 32)),
        (ScalarType::U64, false) => lanewise!(|a: u64| 63u32.wrapping_sub(a.leading_zeros())),
        (ScalarType::U64, true) => lanewise!(|a: u64| distance(a.leading_zeros(), 64)),
        (ScalarType::S64, false) => lanewise!(|a: i64| 63u32.wrapping_sub((a ^ a >> 63).leading_zeros())),
        (ScalarType::S64, true) => lanewise!(|a: i64| distance((a ^ a >> 63).leading_zeros(), 64)),
        _ => return None,
    })
}

/// How far the leading bit must be shifted to the top.
#[inline(always)]
fn distance(zeros: u32, bits: u32) -> u32 {
    if zeros == bits { u32::MAX } else { zeros }
}

/// `fns`, `szext`, `bmsk`.
pub(super) fn decode_masks(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    let (u32_, s32) = (ScalarType::U32, ScalarType::S32);
    match (d.operation, d.ty) {
        (AluOperation::FindNthSet, ScalarType::B32) => {
            d.pure(lanewise!(|a: u32, b: u32, c: i32| nth_set(a, b, c)), u32_, &[u32_, u32_, s32], 0)
        }
        (AluOperation::ExtendSign { wrap }, ScalarType::U32 | ScalarType::S32) => {
            let handler = match (wrap, d.ty) {
                (false, ScalarType::U32) => lanewise!(|a: u32, b: u32| extend(a, b, true, false)),
                (true, ScalarType::U32) => lanewise!(|a: u32, b: u32| extend(a, b, false, false)),
                (false, _) => lanewise!(|a: u32, b: u32| extend(a, b, true, true)),
                (true, _) => lanewise!(|a: u32, b: u32| extend(a, b, false, true)),
            };
            d.pure(handler, u32_, &[u32_; 2], 0)
        }
        (AluOperation::MakeMask { wrap }, ScalarType::B32) => {
            let handler = if wrap {
                lanewise!(|a: u32, b: u32| make_mask(a & 31, b & 31))
            } else {
                lanewise!(|a: u32, b: u32| make_mask(a, b))
            };
            d.pure(handler, u32_, &[u32_; 2], 0)
        }
        _ => Err(d.no_such_type()),
    }
}

/// The `offset`-th set bit from `base` upwards (downwards if negative; the bit itself if 0), or all ones.
fn nth_set(mask: u32, base: u32, offset: i32) -> u32 {
    if base > 31 {
        return u32::MAX;
    }
    let skipped = offset.unsigned_abs().saturating_sub(1);
    if offset == 0 {
        return if mask >> base & 1 != 0 { base } else { u32::MAX };
    }
    let mut candidates = if offset > 0 { mask & u32::MAX << base } else { mask & u32::MAX >> (31 - base) };
    if skipped >= candidates.count_ones() {
        return u32::MAX;
    }
    for _ in 0..skipped {
        let farthest_first =
            if offset > 0 { candidates.trailing_zeros() } else { 31 - candidates.leading_zeros() };
        candidates &= !(1 << farthest_first);
    }
    if offset > 0 { candidates.trailing_zeros() } else { 31 - candidates.leading_zeros() }
}

/// The low `bits` of a value, extended to 32 by zeros or by sign. More than 31 bits are all of it where they
/// are clamped, and as many modulo 32 where they wrap.
#[inline(always)]
fn extend(value: u32, bits: u32, clamp: bool, signed: bool) -> u32 {
    let kept = bits & 31;
    if clamp && bits >= 32 {
        value
    } else if kept == 0 {
        0
    } else if signed {
        ((value << (32 - kept)) as i32 >> (32 - kept)) as u32
    } else {
        value & !(u32::MAX << kept)
    }
}

/// `width` ones from bit `start` upwards, as many of them as there are bits.
#[inline(always)]
fn make_mask(start: u32, width: u32) -> u32 {
    let ones = if width >= 32 { u32::MAX } else { (1 << width) - 1 };
    if start >= 32 { 0 } else { ones << start }
}
