//! The best split of numbers into a low and a high cluster.
//!
//! Two-means has one optimum (up to ties), found without any initial guess: sort, and try every split. All
//! comparisons are of exact integers. With `w` numbers, the sum `L` of the lower `k` and the sum `H` of the
//! other `w − k`, let `D = H·k − L·(w − k)`. Then the centroids are `D / (k(w − k))` apart, and the squares
//! within the clusters sum up to a constant minus `D² / (k(w − k)) / w`. So the best split has the largest
//! `D² / (k(w − k))`; of equals, the one with the smaller low cluster is taken.

use std::cmp::Ordering;

/// More numbers than this could overflow 128 bits.
pub(super) const NUMBERS_MAX: usize = 1024;

/// Whether the centroids of the best two clusters are more than `distance` apart. Sorts the numbers.
pub(super) fn centroids_apart_by_more_than(distance: u64, numbers: &mut [u64]) -> bool {
    assert!(numbers.len() <= NUMBERS_MAX);
    numbers.sort_unstable();
    let sum: u64 = numbers.iter().sum();
    let mut best: Option<Split> = None;
    let mut low_sum = 0;
    for low_count in 1..numbers.len() {
        low_sum += numbers[low_count - 1];
        let high_count = (numbers.len() - low_count) as u64;
        let low_count = low_count as u64;
        let split = Split {
            spread: (sum - low_sum) * low_count - low_sum * high_count,
            pairs: low_count * high_count,
        };
        if best.is_none_or(|best| split.cmp_quality(&best) == Ordering::Greater) {
            best = Some(split);
        }
    }
    best.is_some_and(|best| u128::from(best.spread) > u128::from(distance) * u128::from(best.pairs))
}

#[derive(Clone, Copy)]
struct Split {
    /// `D`: never negative, because the numbers are sorted.
    spread: u64,
    /// `k(w − k)`.
    pairs: u64,
}

impl Split {
    /// Compares `D² / (k(w − k))`: whole parts first, then remainders, which cannot overflow.
    fn cmp_quality(&self, other: &Split) -> Ordering {
        let parts = |split: &Split| {
            let square = u128::from(split.spread) * u128::from(split.spread);
            (square / u128::from(split.pairs), square % u128::from(split.pairs))
        };
        let ((whole, rest), (other_whole, other_rest)) = (parts(self), parts(other));
        let rests = (rest * u128::from(other.pairs)).cmp(&(other_rest * u128::from(self.pairs)));
        whole.cmp(&other_whole).then(rests)
    }
}

#[cfg(test)]
mod tests {
    use super::centroids_apart_by_more_than;
    use proptest::prelude::*;

    fn apart(numbers: &[u64]) -> bool {
        centroids_apart_by_more_than(10, &mut numbers.to_vec())
    }

    #[test]
    fn the_distance_itself_is_not_more() {
        assert!(!apart(&[3, 13]));
        assert!(apart(&[3, 14]));
        assert!(!apart(&[3, 3, 13, 13]));
        // Centroids 1/3 and 10 + 1/3 are exactly 10 apart; 1/3 and 10 + 2/3 are more.
        assert!(!apart(&[0, 0, 1, 10, 10, 11]));
        assert!(apart(&[0, 0, 1, 10, 11, 11]));
    }

    #[test]
    fn fewer_than_two_numbers_are_never_apart() {
        assert!(!apart(&[]));
        assert!(!apart(&[1000]));
        assert!(!apart(&[7; 8]));
    }

    #[test]
    fn one_large_number_stands_alone() {
        assert!(apart(&[4, 4, 4, 4, 4, 4, 4, 15]));
        assert!(!apart(&[4, 5, 6, 7, 8, 9, 10, 14]));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn equals_the_best_of_all_bipartitions(numbers in prop::collection::vec(0u64..40, 2..9)) {
            // Every assignment to two clusters, not only those along the order; costs scaled to integers.
            let mut best: Option<(u128, Vec<(u64, u64)>)> = None;
            let scale: u128 = 840; // Divisible by every cluster size up to 8.
            for assignment in 1..(1u32 << numbers.len()) - 1 {
                let side = |high: bool| -> Vec<u64> {
                    let picked = |&(i, _): &(usize, &u64)| (assignment >> i & 1 == 1) == high;
                    numbers.iter().enumerate().filter(picked).map(|(_, &n)| n).collect()
                };
                let (low, high) = (side(false), side(true));
                let cost = |side: &[u64]| {
                    let (sum, squares) = side.iter().fold((0, 0), |(s, q), &n| (s + n, q + n * n));
                    u128::from(squares) * scale - u128::from(sum * sum) * scale / side.len() as u128
                };
                let total = cost(&low) + cost(&high);
                let gap = {
                    let (a, b) = (low.iter().sum::<u64>() * high.len() as u64, high.iter().sum::<u64>() * low.len() as u64);
                    (a.abs_diff(b), (low.len() * high.len()) as u64)
                };
                match &mut best {
                    Some((least, gaps)) if *least == total => gaps.push(gap),
                    Some((least, _)) if *least < total => {}
                    _ => best = Some((total, vec![gap])),
                }
            }
            let (_, gaps) = best.unwrap();
            let verdicts: Vec<bool> = gaps.iter().map(|&(spread, pairs)| spread > 10 * pairs).collect();
            // Ties may disagree; the verdict must be that of one of the optimal splits.
            prop_assert!(verdicts.contains(&apart(&numbers)));
        }
    }
}
