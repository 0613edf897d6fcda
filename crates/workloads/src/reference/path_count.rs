//! Numbers of shortest paths, which outgrow every machine number: a ladder of 1100 diamonds has 2^1100.
//!
//! A count is `mantissa · 2^(512·exponent)`. Counts below 2^512 have exponent 0 and are plain `f64`s,
//! rounded just as those would be.

/// A positive number without an upper bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PathCount {
    /// At least 1 and below 2^513.
    mantissa: f64,
    exponent: u32,
}

/// 2^512 and 2^-512, by their bits: an exponent of 512 with the bias of 1023.
const STEP: f64 = f64::from_bits((1023 + 512) << 52);
const STEP_DOWN: f64 = f64::from_bits((1023 - 512) << 52);

impl PathCount {
    pub(super) const ONE: PathCount = PathCount { mantissa: 1.0, exponent: 0 };

    pub(super) fn plus(self, other: PathCount) -> PathCount {
        let (large, small) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let mantissa = match large.exponent - small.exponent {
            0 => large.mantissa + small.mantissa,
            1 => large.mantissa + small.mantissa * STEP_DOWN,
            // Less than 2^-510 of the other: nothing of it survives the rounding.
            _ => large.mantissa,
        };
        if mantissa >= STEP {
            PathCount { mantissa: mantissa * STEP_DOWN, exponent: large.exponent + 1 }
        } else {
            PathCount { mantissa, exponent: large.exponent }
        }
    }

    /// Which share this is of `total`, which is not smaller.
    pub(super) fn share_of(self, total: PathCount) -> f64 {
        let ratio = self.mantissa / total.mantissa;
        match total.exponent - self.exponent {
            0 => ratio,
            1 => ratio * STEP_DOWN,
            2 => ratio * STEP_DOWN * STEP_DOWN,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power_of_two(exponent: u32) -> PathCount {
        (0..exponent).fold(PathCount::ONE, |count, _| count.plus(count))
    }

    #[test]
    fn counts_beyond_the_largest_float_keep_their_ratios() {
        let (large, half) = (power_of_two(3001), power_of_two(3000));
        assert_eq!(half.share_of(large), 0.5);
        assert_eq!(power_of_two(511).share_of(power_of_two(512)), 0.5);
        assert_eq!(power_of_two(2990).share_of(large), 1.0 / 2048.0);
        assert_eq!(PathCount::ONE.share_of(large), 0.0);
        assert_eq!(power_of_two(511).plus(power_of_two(511)), power_of_two(512));
    }

    #[test]
    fn small_counts_add_exactly() {
        let three = PathCount::ONE.plus(PathCount::ONE).plus(PathCount::ONE);
        assert_eq!(PathCount::ONE.share_of(three), 1.0 / 3.0);
    }

    #[test]
    fn a_count_just_below_the_step_adds_to_one_just_above() {
        let sum = power_of_two(512).plus(power_of_two(511));
        assert_eq!(power_of_two(511).share_of(sum), 1.0 / 3.0);
    }
}
