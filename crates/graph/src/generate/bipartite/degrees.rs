//! A power-law degree sequence with an exact sum and an exact largest degree.

/// `count` degrees in falling order, of which the first is `largest`, none is zero and the sum is `sum`.
///
/// `1 + s·(((d-1)/(largest-1))^(1-exponent) - 1)` vertices, rounded down, have a degree of `d` or more; `s`
/// is what makes the sum right but for a remainder, which lifts the lowest degrees by one.
pub(super) fn power_law(count: u64, sum: u64, largest: u64, exponent: f64) -> Result<Vec<u32>, String> {
    if largest > u64::from(u32::MAX) {
        return Err(format!("a largest degree of {largest} does not fit 32 bits"));
    }
    let most = u128::from(count) * u128::from(largest);
    let least = count - 1 + largest;
    if sum < least || u128::from(sum) > most {
        return Err(format!(
            "{sum} edges; {count} vertices with 1 to {largest} of them, the largest reached, have {least} to {most}"
        ));
    }
    // What the law says of each degree from 2 on, before it is stretched.
    let law: Vec<f64> = (2..=largest)
        .map(|degree| libm::pow((degree - 1) as f64 / (largest - 1) as f64, 1.0 - exponent) - 1.0)
        .collect();
    let having = |law: f64, stretch: f64| ((stretch * law) as u64).saturating_add(1).min(count);
    let total = |stretch: f64| count + law.iter().map(|&law| having(law, stretch)).sum::<u64>();
    // The sum grows with the stretch: halve the bracket, in logarithm, until the remainder is small.
    let (mut low, mut high) = (1e-18, 1e18);
    for _ in 0..BISECTIONS {
        let middle = f64::sqrt(low * high);
        *(if total(middle) <= sum { &mut low } else { &mut high }) = middle;
    }
    let mut degrees = vec![1; count as usize];
    for &law in &law {
        degrees[..having(law, low) as usize].iter_mut().for_each(|degree| *degree += 1);
    }
    lift_lowest(&mut degrees, sum - total(low));
    Ok(degrees)
}

/// Enough to tell apart stretches whose sums differ by few edges.
const BISECTIONS: u32 = 64;

/// Adds `missing` to the sum: those at the bottom grow, a step at a time, so order and largest stay.
fn lift_lowest(degrees: &mut [u32], mut missing: u64) {
    while missing > 0 {
        let lowest = degrees.last().copied().unwrap_or(0);
        let first = degrees.partition_point(|&degree| degree > lowest);
        let lifted = (degrees.len() - first).min(missing as usize);
        degrees[first..first + lifted].iter_mut().for_each(|degree| *degree += 1);
        missing -= lifted as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_and_largest_are_exact() {
        for (count, sum, largest) in [(1000, 5000, 200), (1000, 1199, 200), (10, 100, 10), (1, 7, 7)] {
            let degrees = power_law(count, sum, largest, 2.1).unwrap();
            assert_eq!(degrees.iter().map(|&d| u64::from(d)).sum::<u64>(), sum);
            assert_eq!(u64::from(degrees[0]), largest);
            assert!(degrees.is_sorted_by(|x, y| x >= y) && degrees.iter().all(|&degree| degree > 0));
        }
    }

    #[test]
    fn impossible_sums_are_refused() {
        assert!(power_law(10, 101, 10, 2.1).is_err());
        assert!(power_law(10, 18, 10, 2.1).is_err());
    }
}
