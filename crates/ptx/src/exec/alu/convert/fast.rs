//! Conversions that programs use all the time, as loops that become vector instructions.

use super::value::Conversion;
use crate::exec::Handler;
use crate::exec::alu::float32::canonical as canonical32;
use crate::exec::alu::float64::canonical as canonical64;
use crate::exec::alu::lane::lanewise;
use crate::ir::{Rounding, ScalarType};

/// The handler for a conversion, if it is one of these. `source_wide` is whether the source's register has
/// 64 bits.
pub(super) fn handler(conversion: &Conversion, source_wide: bool) -> Option<Handler> {
    let Conversion { source, result, register_bits, mode } = *conversion;
    if mode.saturate || mode.relu || mode.flush {
        return None;
    }
    let natural = source_wide == (source.bytes() == 8) && register_bits == result.bytes() * 8;
    match (source.is_float(), result.is_float()) {
        (false, false) => integers(conversion, source_wide),
        (false, true) if natural && mode.rounding == Rounding::Nearest => integer_to_float(source, result),
        (true, false) if natural => float_to_integer(source, result, mode.rounding),
        (true, true) if natural && mode.rounding == Rounding::Nearest => floats(source, result),
        _ => None,
    }
}

/// Between integers: the low bits that both types have, extended as the source is where the result is the
/// wider one and as the result is where its register is wider still.
fn integers(conversion: &Conversion, source_wide: bool) -> Option<Handler> {
    let Conversion { source, result, register_bits, .. } = *conversion;
    let (from, to) = (source.bytes() * 8, result.bytes() * 8);
    if !source_wide && from == 32 && to == 64 {
        return Some(if source.is_signed() {
            lanewise!(|a: i32| i64::from(a))
        } else {
            lanewise!(|a: u32| u64::from(a))
        });
    }
    // Of the two extensions only one is left when the result's own sign does not come into it.
    let (kept, signed) = if to <= from {
        (to, result.is_signed())
    } else if to == register_bits || !source.is_signed() {
        (from, source.is_signed())
    } else {
        return None;
    };
    let container = if register_bits == 64 { 64 } else { 32 };
    let masked = signed && register_bits < 32;
    Some(match (source_wide, container, kept, signed && kept < register_bits) {
        (false, 32, 32, _) => lanewise!(|a: u32| a),
        (false, 32, 16, false) => lanewise!(|a: u32| a & 0xffff),
        (false, 32, 8, false) => lanewise!(|a: u32| a & 0xff),
        (false, 32, 16, true) if !masked => lanewise!(|a: u32| a as i16 as u32),
        (false, 32, 8, true) if !masked => lanewise!(|a: u32| a as i8 as u32),
        (false, 32, 8, true) => lanewise!(|a: u32| u32::from(a as i8 as u16)),
        (true, 32, 32, _) => lanewise!(|a: u64| a as u32),
        (true, 32, 16, false) => lanewise!(|a: u64| a as u32 & 0xffff),
        (true, 32, 8, false) => lanewise!(|a: u64| a as u32 & 0xff),
        (true, 64, 64, _) => lanewise!(|a: u64| a),
        (false, 64, 16, false) => lanewise!(|a: u32| u64::from(a & 0xffff)),
        (false, 64, 8, false) => lanewise!(|a: u32| u64::from(a & 0xff)),
        (true, 64, 32, false) => lanewise!(|a: u64| a & 0xffff_ffff),
        _ => return None,
    })
}

fn integer_to_float(source: ScalarType, result: ScalarType) -> Option<Handler> {
    Some(match (source, result) {
        (ScalarType::U32, ScalarType::F32) => lanewise!(|a: u32| a as f32),
        (ScalarType::S32, ScalarType::F32) => lanewise!(|a: i32| a as f32),
        (ScalarType::U64, ScalarType::F32) => lanewise!(|a: u64| a as f32),
        (ScalarType::S64, ScalarType::F32) => lanewise!(|a: i64| a as f32),
        (ScalarType::U32, ScalarType::F64) => lanewise!(|a: u32| f64::from(a)),
        (ScalarType::S32, ScalarType::F64) => lanewise!(|a: i32| f64::from(a)),
        (ScalarType::U64, ScalarType::F64) => lanewise!(|a: u64| a as f64),
        (ScalarType::S64, ScalarType::F64) => lanewise!(|a: i64| a as f64),
        _ => return None,
    })
}

/// Towards zero, by the host's conversion, which clamps; its 0 for NaN is right between 32-bit types.
fn float_to_integer(source: ScalarType, result: ScalarType, rounding: Rounding) -> Option<Handler> {
    match (source, result, rounding) {
        (ScalarType::F32, ScalarType::S32, Rounding::IntegerZero) => Some(lanewise!(|a: f32| a as i32)),
        (ScalarType::F32, ScalarType::U32, Rounding::IntegerZero) => Some(lanewise!(|a: f32| a as u32)),
        _ => None,
    }
}

fn floats(source: ScalarType, result: ScalarType) -> Option<Handler> {
    match (source, result) {
        (ScalarType::F32, ScalarType::F64) => Some(lanewise!(|a: f32| canonical64(f64::from(a)))),
        (ScalarType::F64, ScalarType::F32) => Some(lanewise!(|a: f64| canonical32(a as f32))),
        _ => None,
    }
}
