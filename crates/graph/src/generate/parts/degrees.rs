//! Degree sequences of a truncated power law, exact in their number, their sum and their largest value.
//!
//! The number of vertices of degree `k` falls as `(k − min + 1 + shift)^−exponent` from the smallest to the
//! largest degree. The exponent is not a parameter: bisection finds the one with which the degrees add up
//! to the arcs wanted, and the few units that rounding leaves over are spread evenly. The sequence holds
//! the quantiles of the law rather than random draws from it, so it is the same for every seed.

/// What a degree sequence must meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DegreeLaw {
    /// How many degrees.
    pub vertices: u64,
    /// What they add up to.
    pub sum: u64,
    /// The smallest.
    pub min: u64,
    /// The largest, which at least one vertex has.
    pub max: u64,
    /// Flattens the law near the smallest degree: 0 is a plain power law, large values an exponential.
    pub shift: f64,
}

/// Exponents beyond these put every vertex at one of the two ends.
const EXPONENT_RANGE: (f64, f64) = (-30.0, 60.0);
/// Enough to exhaust the digits of the exponent.
const BISECTIONS: u32 = 60;

impl DegreeLaw {
    /// The degrees in descending order.
    pub(crate) fn sequence(&self) -> Result<Vec<u32>, String> {
        self.check()?;
        if self.vertices == 0 {
            return Ok(Vec::new());
        }
        let (mut low, mut high) = EXPONENT_RANGE;
        for _ in 0..BISECTIONS {
            let middle = (low + high) / 2.0;
            if self.sum_at(middle) > self.sum { low = middle } else { high = middle }
        }
        let mut degrees = Vec::with_capacity(self.vertices as usize);
        self.for_each_step(high, |degree, count| {
            degrees.extend(std::iter::repeat_n(degree as u32, count as usize));
        });
        self.settle(&mut degrees);
        degrees.sort_unstable_by(|a, b| b.cmp(a));
        Ok(degrees)
    }

    fn check(&self) -> Result<(), String> {
        let DegreeLaw { vertices, sum, min, max, .. } = *self;
        if min > max {
            return Err(format!("`min_degree={min}` is above `max_degree={max}`"));
        }
        let least =
            if vertices == 0 { 0 } else { u128::from(min) * u128::from(vertices - 1) + u128::from(max) };
        let most = u128::from(max) * u128::from(vertices);
        if !(least..=most).contains(&u128::from(sum)) {
            return Err(format!(
                "{vertices} vertices of degree {min} to {max}, one of them of degree {max}, have {least} to \
                 {most} arcs, not {sum}"
            ));
        }
        Ok(())
    }

    fn sum_at(&self, exponent: f64) -> u64 {
        let mut sum = 0;
        self.for_each_step(exponent, |degree, count| sum += degree * count);
        sum
    }

    /// Passes every degree from the largest down with the number of vertices that have it.
    fn for_each_step(&self, exponent: f64, mut visit: impl FnMut(u64, u64)) {
        // Weights relative to the heavier end of the law stay between 0 and 1, however steep it is.
        let heaviest = if exponent > 0.0 { self.min } else { self.max };
        let scale = self.base(heaviest);
        let weight = |degree| libm::pow(self.base(degree) / scale, -exponent);
        let total: f64 = (self.min..=self.max).rev().map(weight).sum();
        let (mut above, mut weights) = (0, 0.0);
        for degree in (self.min..=self.max).rev() {
            weights += weight(degree);
            let share = (self.vertices as f64 * (weights / total) + 0.5) as u64;
            // One vertex has the largest degree even where the law would expect a fraction of one.
            let reached =
                if degree == self.min { self.vertices } else { share.clamp(above.max(1), self.vertices) };
            if reached > above {
                visit(degree, reached - above);
                above = reached;
            }
        }
    }

    fn base(&self, degree: u64) -> f64 {
        (degree - self.min) as f64 + 1.0 + self.shift
    }

    /// Moves single degrees up or down until the sum is exact; the first, largest one stays.
    fn settle(&self, degrees: &mut [u32]) {
        let mut excess = degrees.iter().map(|&degree| i64::from(degree)).sum::<i64>() - self.sum as i64;
        while excess != 0 {
            let others = degrees.len() - 1;
            let wanted = excess.unsigned_abs().min(others as u64) as usize;
            let step = (others / wanted.max(1)).max(1);
            for degree in degrees[1..].iter_mut().step_by(step) {
                if excess > 0 && u64::from(*degree) > self.min {
                    *degree -= 1;
                    excess -= 1;
                } else if excess < 0 && u64::from(*degree) < self.max {
                    *degree += 1;
                    excess += 1;
                }
            }
            // An even step may meet only vertices at the bound; the next pass starts one further on.
            degrees[1..].rotate_left(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn law(vertices: u64, sum: u64, min: u64, max: u64, shift: f64) -> DegreeLaw {
        DegreeLaw { vertices, sum, min, max, shift }
    }

    #[test]
    fn a_flat_law_and_the_extremes_are_met() {
        assert_eq!(law(4, 12, 3, 3, 0.0).sequence().unwrap(), [3, 3, 3, 3]);
        assert_eq!(law(3, 9, 1, 7, 0.0).sequence().unwrap(), [7, 1, 1]);
        assert_eq!(law(3, 20, 1, 7, 0.0).sequence().unwrap(), [7, 7, 6]);
        assert!(law(0, 0, 0, 0, 0.0).sequence().unwrap().is_empty());
    }

    #[test]
    fn what_no_sequence_meets_is_said() {
        let problem = law(10, 8, 1, 5, 0.0).sequence().unwrap_err();
        assert_eq!(
            problem,
            "10 vertices of degree 1 to 5, one of them of degree 5, have 14 to 50 arcs, not 8"
        );
        assert_eq!(law(9, 9, 4, 2, 0.0).sequence().unwrap_err(), "`min_degree=4` is above `max_degree=2`");
    }

    #[test]
    fn a_larger_shift_has_a_lighter_tail() {
        let squares = |shift| -> u64 {
            let degrees = law(10_000, 60_000, 1, 900, shift).sequence().unwrap();
            degrees.iter().map(|&degree| u64::from(degree) * u64::from(degree)).sum()
        };
        assert!(squares(0.0) > squares(10.0) && squares(10.0) > squares(100.0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn sum_count_and_largest_are_exact(
            vertices in 1u64..500, min in 0u64..5, span in 0u64..60, fill in 0.0f64..1.0, shift in -0.5f64..50.0,
        ) {
            let max = min + span;
            let least = min * (vertices - 1) + max;
            let sum = least + ((max * vertices - least) as f64 * fill) as u64;
            let degrees = law(vertices, sum, min, max, shift).sequence().unwrap();
            prop_assert_eq!(degrees.len() as u64, vertices);
            prop_assert_eq!(degrees.iter().map(|&degree| u64::from(degree)).sum::<u64>(), sum);
            prop_assert_eq!(u64::from(degrees[0]), max);
            prop_assert!(u64::from(*degrees.last().unwrap()) >= min);
            prop_assert!(degrees.is_sorted_by(|a, b| a >= b));
        }
    }
}
