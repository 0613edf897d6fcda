//! Division by a number that is known beforehand.

/// A divisor. Clocks, slices and channels divide by the same few numbers in every simulated request, and a
/// multiplication is a tenth of a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divisor {
    divisor: u64,
    /// 2^64 divided by it, rounded down.
    reciprocal: u64,
}

impl Divisor {
    /// Divides by this number; 0 counts as 1.
    pub fn new(divisor: u64) -> Divisor {
        let divisor = divisor.max(1);
        Divisor { divisor, reciprocal: u64::MAX / divisor }
    }

    /// The number.
    #[inline(always)]
    pub fn get(self) -> u64 {
        self.divisor
    }

    /// Quotient and remainder, exact for every numerator.
    #[inline(always)]
    pub fn divide(self, numerator: u64) -> (u64, u64) {
        let mut quotient = ((u128::from(numerator) * u128::from(self.reciprocal)) >> 64) as u64;
        let mut remainder = numerator - quotient * self.divisor;
        // The reciprocal was rounded down, and so may be the product: by one, or two for the largest numerators.
        while remainder >= self.divisor {
            quotient += 1;
            remainder -= self.divisor;
        }
        (quotient, remainder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_and_remainders_are_exact_up_to_the_largest_numerators() {
        for divisor in [1, 2, 3, 12, 25, 33, 4096, 1_000_003, u64::MAX / 2, u64::MAX] {
            let near = |around: u64| around.saturating_sub(2)..=around.saturating_add(2);
            let edges = [1, 7, 1 << 20, u64::MAX / divisor].map(|times| divisor.saturating_mul(times));
            for numerator in edges.into_iter().chain([0, u64::MAX]).flat_map(near) {
                let expected = (numerator / divisor, numerator % divisor);
                assert_eq!(Divisor::new(divisor).divide(numerator), expected, "{numerator} by {divisor}");
            }
        }
    }
}
