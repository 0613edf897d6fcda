//! Any conversion of one value, described by a field of a micro-operation.

use super::extend;
use crate::exec::alu::exact::{F32, F64, Format};
use crate::exec::alu::float_mode::FloatMode;
use crate::exec::alu::float32;
use crate::exec::alu::halves::Half;
use crate::ir::{AluMode, Rounding, ScalarType};

/// A conversion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Conversion {
    pub(super) source: ScalarType,
    pub(super) result: ScalarType,
    /// The width of the destination's register.
    pub(super) register_bits: u32,
    pub(super) mode: AluMode,
}

const TYPE_BITS: u32 = 5;
const REGISTER_SHIFT: u32 = 2 * TYPE_BITS;
const MODE_SHIFT: u32 = REGISTER_SHIFT + 7;

/// A conversion, ready to be applied.
#[derive(Clone, Copy)]
pub(super) struct Applied {
    source: ScalarType,
    result: ScalarType,
    register_bits: u32,
    mode: FloatMode,
}

impl Conversion {
    pub(super) fn encode(&self) -> u32 {
        let number = |ty: ScalarType| {
            ScalarType::NAMES.iter().position(|&(_, known)| known == ty).unwrap_or_default() as u32
        };
        number(self.source)
            | number(self.result) << TYPE_BITS
            | self.register_bits << REGISTER_SHIFT
            | FloatMode::encode(self.mode) << MODE_SHIFT
    }

    pub(super) fn decode(bits: u32) -> Applied {
        let ty =
            |number: u32| ScalarType::NAMES.get(number as usize & 31).map_or(ScalarType::U32, |&(_, ty)| ty);
        Applied {
            source: ty(bits),
            result: ty(bits >> TYPE_BITS),
            register_bits: bits >> REGISTER_SHIFT & 0x7f,
            mode: FloatMode::decode(bits >> MODE_SHIFT),
        }
    }
}

/// An `f32`, flushed on demand.
pub(super) fn single(bits: u32, flush: bool) -> f32 {
    let value = f32::from_bits(bits);
    if flush { float32::flush(value) } else { value }
}

impl Applied {
    /// The register's bits that a source's bits become.
    pub(super) fn apply(self, bits: u64) -> u64 {
        let result = match (self.source.is_float(), self.result.is_float()) {
            (false, false) => self.integer_to_integer(bits),
            (false, true) => self.integer_to_float(bits),
            (true, false) => self.float_to_integer(self.float(bits)),
            (true, true) => {
                to_float(integral(self.float(bits), self.mode.rounding), self.format(), self.mode)
            }
        };
        let bits = self.result.bytes() * 8;
        extend(extend(result, bits, self.result.is_signed()), self.register_bits, false)
    }

    /// A source as a number.
    fn float(self, bits: u64) -> f64 {
        match self.source {
            ScalarType::F16 => f64::from(half::f16::widen(bits as u16)),
            ScalarType::BF16 => f64::from(half::bf16::widen(bits as u16)),
            ScalarType::F32 => f64::from(single(bits as u32, self.mode.flush)),
            _ => f64::from_bits(bits),
        }
    }

    fn format(self) -> Format {
        match self.result {
            ScalarType::F32 => F32,
            ScalarType::F64 => F64,
            short => super::short_format(short),
        }
    }

    /// A source as an integer of any type.
    fn integer(self, bits: u64) -> i128 {
        let signed = self.source.is_signed();
        let value = extend(bits, self.source.bytes() * 8, signed);
        if signed { i128::from(value as i64) } else { i128::from(value) }
    }

    fn integer_to_integer(self, bits: u64) -> u64 {
        let value = self.integer(bits);
        if !self.mode.saturate {
            return value as u64;
        }
        let bits = self.result.bytes() * 8;
        let (low, high) = if self.result.is_signed() {
            (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
        } else {
            (0, (1i128 << bits) - 1)
        };
        value.clamp(low, high) as u64
    }

    fn integer_to_float(self, bits: u64) -> u64 {
        let value = self.integer(bits);
        let rounded = self.format().round(value < 0, 0, value.unsigned_abs(), self.mode.rounding);
        finish(rounded, self.format(), self.mode)
    }

    fn float_to_integer(self, value: f64) -> u64 {
        if value.is_nan() {
            let long = self.source == ScalarType::F64 || self.result.bytes() == 8;
            return if long { 1 << (self.result.bytes() * 8 - 1) } else { 0 };
        }
        // The host's conversions clamp.
        let value = integral(value, self.mode.rounding);
        match self.result {
            ScalarType::U8 => u64::from(value as u8),
            ScalarType::U16 => u64::from(value as u16),
            ScalarType::U32 => u64::from(value as u32),
            ScalarType::U64 => value as u64,
            ScalarType::S8 => value as i8 as u64,
            ScalarType::S16 => value as i16 as u64,
            ScalarType::S32 => value as i32 as u64,
            _ => value as i64 as u64,
        }
    }
}

/// Rounded to an integral value, if that is what the mode says. A zero keeps its sign.
pub(super) fn integral(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::IntegerNearest => libm::rint(value),
        Rounding::IntegerZero => libm::trunc(value),
        Rounding::IntegerDown => libm::floor(value),
        Rounding::IntegerUp => libm::ceil(value),
        _ => value,
    }
}

/// A value rounded to a format, with `.ftz`, `.sat` and `.relu`.
pub(super) fn to_float(value: f64, format: Format, mode: FloatMode) -> u64 {
    finish(format.convert(value, mode.rounding), format, mode)
}

fn finish(bits: u64, format: Format, mode: FloatMode) -> u64 {
    // `.ftz` of a conversion is about `f32` alone.
    let negative = format.is_negative(bits);
    let bits =
        if mode.flush && format == F32 && format.is_subnormal(bits) { format.zero(negative) } else { bits };
    let is_nan = format.is_nan(bits);
    if mode.saturate {
        let one = format.convert(1.0, Rounding::Nearest);
        return if negative || is_nan { 0 } else { bits.min(one) };
    }
    if mode.relu && negative && !is_nan { 0 } else { bits }
}
