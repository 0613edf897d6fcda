//! Floating-point arithmetic by integers: exact values, rounded once.
//!
//! A result is computed as a sign, an integer significand and an exponent of two; where it has more digits than
//! 128 bits hold, the lowest bit says whether anything non-zero was left out, which is all that rounding needs
//! to know. Operands are `f64`, which holds every `f32`, `f16` and `bf16`; the result is rounded to any of the
//! formats, in any mode. It serves the rounding modes that hosts do not have and the formats that they do not
//! compute in; the usual case of `f32` and `f64` is the host's own arithmetic.

use crate::ir::Rounding;

/// A binary format of IEEE 754, or bfloat16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    /// Bits of the significand, with the leading one.
    precision: u32,
    /// Exponents of the smallest and the largest normal number.
    exponent_min: i32,
    exponent_max: i32,
    /// The sign's place.
    sign_bit: u32,
    /// What an operation gives that has no number as its result.
    pub(super) nan: u64,
}

pub(super) const F16: Format =
    Format { precision: 11, exponent_min: -14, exponent_max: 15, sign_bit: 15, nan: 0x7fff };
pub(super) const BF16: Format =
    Format { precision: 8, exponent_min: -126, exponent_max: 127, sign_bit: 15, nan: 0x7fff };
pub(super) const F32: Format =
    Format { precision: 24, exponent_min: -126, exponent_max: 127, sign_bit: 31, nan: 0x7fff_ffff };
pub(super) const F64: Format = Format {
    precision: 53,
    exponent_min: -1022,
    exponent_max: 1023,
    sign_bit: 63,
    nan: 0xfff8_0000_0000_0000,
};

impl Format {
    pub(super) fn zero(self, negative: bool) -> u64 {
        u64::from(negative) << self.sign_bit
    }

    pub(super) fn infinity(self, negative: bool) -> u64 {
        self.infinity_magnitude() | self.zero(negative)
    }

    fn infinity_magnitude(self) -> u64 {
        ((self.exponent_max - self.exponent_min + 2) as u64) << (self.precision - 1)
    }

    pub(super) fn is_negative(self, bits: u64) -> bool {
        bits >> self.sign_bit & 1 != 0
    }

    pub(super) fn is_nan(self, bits: u64) -> bool {
        bits & !(1 << self.sign_bit) > self.infinity_magnitude()
    }

    /// Whether these bits are a subnormal number.
    pub(super) fn is_subnormal(self, bits: u64) -> bool {
        let magnitude = bits & !(1 << self.sign_bit);
        magnitude != 0 && magnitude < 1 << (self.precision - 1)
    }

    /// ±`significand`·2^`exponent`, rounded. The significand is below 2^126.
    pub(super) fn round(self, negative: bool, exponent: i32, significand: u128, rounding: Rounding) -> u64 {
        if significand == 0 {
            return self.zero(negative);
        }
        let leading = exponent + (127 - significand.leading_zeros()) as i32;
        let leading = leading.max(self.exponent_min);
        let shift = leading - (self.precision as i32 - 1) - exponent;
        let (kept, rest, half) = if shift <= 0 {
            (significand << -shift, 0, 1)
        } else if shift < 128 {
            let rest = significand & ((1 << shift) - 1);
            (significand >> shift, rest, 1 << (shift - 1))
        } else {
            // Far below half of the smallest number; the exact distance does not matter.
            (0, 1, 2)
        };
        let up = match rounding {
            Rounding::Nearest | Rounding::IntegerNearest => rest > half || rest == half && kept & 1 != 0,
            Rounding::NearestAway => rest >= half,
            Rounding::Zero | Rounding::IntegerZero => false,
            Rounding::Down | Rounding::IntegerDown => negative && rest != 0,
            Rounding::Up | Rounding::IntegerUp => !negative && rest != 0,
        };
        // The leading one carries into the exponent field, as does a significand that rounds up to a power.
        let field = ((leading - self.exponent_min) as u64) << (self.precision - 1);
        let magnitude = field + kept as u64 + u64::from(up);
        if magnitude < self.infinity_magnitude() {
            return magnitude | self.zero(negative);
        }
        let overflows_to_infinity = match rounding {
            Rounding::Zero | Rounding::IntegerZero => false,
            Rounding::Down | Rounding::IntegerDown => negative,
            Rounding::Up | Rounding::IntegerUp => !negative,
            Rounding::Nearest | Rounding::NearestAway | Rounding::IntegerNearest => true,
        };
        self.infinity(negative) - u64::from(!overflows_to_infinity)
    }

    /// A value of any format, rounded to this one.
    pub(super) fn convert(self, value: f64, rounding: Rounding) -> u64 {
        if value.is_nan() {
            return self.nan;
        }
        let negative = value.is_sign_negative();
        if value.is_infinite() {
            return self.infinity(negative);
        }
        let (exponent, significand) = parts(value);
        self.round(negative, exponent, u128::from(significand), rounding)
    }

    /// `a`·`b` + `c`, rounded once.
    pub(super) fn multiply_add(self, a: f64, b: f64, c: f64, rounding: Rounding) -> u64 {
        let negative = a.is_sign_negative() != b.is_sign_negative();
        let factor_infinite = a.is_infinite() || b.is_infinite();
        let invalid =
            factor_infinite && (a == 0.0 || b == 0.0 || c.is_infinite() && negative != c.is_sign_negative());
        if a.is_nan() || b.is_nan() || c.is_nan() || invalid {
            return self.nan;
        }
        if factor_infinite {
            return self.infinity(negative);
        }
        if c.is_infinite() {
            return self.infinity(c.is_sign_negative());
        }
        let ((a_exponent, a), (b_exponent, b)) = (parts(a), parts(b));
        let product = (negative, a_exponent + b_exponent, u128::from(a) * u128::from(b));
        let (c_exponent, c_significand) = parts(c);
        let addend = (c.is_sign_negative(), c_exponent, u128::from(c_significand));
        self.sum(product, addend, rounding)
    }

    /// The sum of two numbers (sign, exponent, significand of at most 106 bits), rounded.
    fn sum(self, a: (bool, i32, u128), b: (bool, i32, u128), rounding: Rounding) -> u64 {
        if a.2 == 0 && b.2 == 0 {
            let negative = if a.0 == b.0 { a.0 } else { rounding == Rounding::Down };
            return self.zero(negative);
        }
        if a.2 == 0 || b.2 == 0 {
            let (negative, exponent, significand) = if a.2 == 0 { b } else { a };
            return self.round(negative, exponent, significand, rounding);
        }
        // Both with their leading one in bit 124: the sum has room above, and below the shorter of the two
        // shifts into bits that matter only as "not zero".
        let align = |(negative, exponent, significand): (bool, i32, u128)| {
            let shift = significand.leading_zeros() as i32 - 3;
            (negative, exponent - shift, significand << shift)
        };
        let (a, b) = (align(a), align(b));
        let (large, small) = if (a.1, a.2) >= (b.1, b.2) { (a, b) } else { (b, a) };
        let shifted = shift_right_sticky(small.2, large.1.wrapping_sub(small.1) as u32);
        if large.0 == small.0 {
            return self.round(large.0, large.1, large.2 + shifted, rounding);
        }
        match large.2 - shifted {
            0 => self.zero(rounding == Rounding::Down),
            difference => self.round(large.0, large.1, difference, rounding),
        }
    }

    pub(super) fn add(self, a: f64, b: f64, rounding: Rounding) -> u64 {
        self.multiply_add(a, 1.0, b, rounding)
    }

    pub(super) fn multiply(self, a: f64, b: f64, rounding: Rounding) -> u64 {
        // A zero of the product's sign leaves the sign of a product that is zero alone.
        let negative = a.is_sign_negative() != b.is_sign_negative();
        self.multiply_add(a, b, if negative { -0.0 } else { 0.0 }, rounding)
    }

    pub(super) fn divide(self, a: f64, b: f64, rounding: Rounding) -> u64 {
        let negative = a.is_sign_negative() != b.is_sign_negative();
        let invalid = a == 0.0 && b == 0.0 || a.is_infinite() && b.is_infinite();
        if a.is_nan() || b.is_nan() || invalid {
            return self.nan;
        }
        if a.is_infinite() || b == 0.0 {
            return self.infinity(negative);
        }
        if a == 0.0 || b.is_infinite() {
            return self.zero(negative);
        }
        let (a_exponent, a) = normal_parts(a);
        let (b_exponent, b) = normal_parts(b);
        // At least 59 bits of quotient, then one bit for the remainder.
        let dividend = u128::from(a) << 60;
        let (quotient, remainder) = (dividend / u128::from(b), dividend % u128::from(b));
        let significand = quotient << 1 | u128::from(remainder != 0);
        self.round(negative, a_exponent - b_exponent - 61, significand, rounding)
    }

    pub(super) fn square_root(self, a: f64, rounding: Rounding) -> u64 {
        if a == 0.0 {
            return self.zero(a.is_sign_negative());
        }
        if a.is_nan() || a < 0.0 {
            return self.nan;
        }
        if a.is_infinite() {
            return self.infinity(false);
        }
        let (exponent, significand) = normal_parts(a);
        // An even exponent, and 60 bits of root, then one bit for the remainder.
        let shift = if exponent & 1 == 0 { 68 } else { 69 };
        let square = u128::from(significand) << shift;
        let root = square.isqrt();
        let significand = root << 1 | u128::from(root * root != square);
        self.round(false, (exponent - shift) / 2 - 1, significand, rounding)
    }
}

/// Exponent and significand of a finite number: |value| = significand·2^exponent.
fn parts(value: f64) -> (i32, u64) {
    let bits = value.to_bits();
    let field = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if field == 0 { (-1074, fraction) } else { (field - 1075, fraction | 1 << 52) }
}

/// As [`parts`], with a significand of exactly 53 bits. The number is not zero.
fn normal_parts(value: f64) -> (i32, u64) {
    let (exponent, significand) = parts(value);
    let shift = significand.leading_zeros() as i32 - 11;
    (exponent - shift, significand << shift)
}

/// Shifts right; the lowest bit stays set if anything was lost.
fn shift_right_sticky(value: u128, amount: u32) -> u128 {
    if amount > 127 {
        return u128::from(value != 0);
    }
    let lost = value & ((1 << amount) - 1);
    value >> amount | u128::from(lost != 0)
}
