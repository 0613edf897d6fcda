//! Consecutive ids in groups of heavy-tailed size: the hosts of a web, the communities of a field.

use crate::generate::random::Random;
use std::ops::Range;

/// Where each group begins.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    starts: Vec<u64>,
    total: u64,
}

/// Pareto exponent of the sizes; with it the mean is three times the smallest.
const EXPONENT: f64 = 1.5;
/// No group is larger than this many times the mean.
const LARGEST: f64 = 64.0;

impl Groups {
    /// Groups of about `mean` ids each that cover `0..total`.
    pub(crate) fn new(total: u64, mean: u64, random: &mut Random) -> Groups {
        let smallest = mean as f64 / 3.0;
        let mut starts = Vec::new();
        let mut start = 0;
        while start < total {
            starts.push(start);
            let size = smallest * libm::pow(1.0 - random.unit(), -1.0 / EXPONENT);
            start += (size.min(LARGEST * mean as f64) as u64).max(1);
        }
        Groups { starts, total }
    }

    /// The group of an id.
    pub(crate) fn of(&self, id: u64) -> Range<u64> {
        let after = self.starts.partition_point(|&start| start <= id);
        self.starts[after - 1]..self.starts.get(after).copied().unwrap_or(self.total)
    }

    /// The starts of groups at least `distance` apart, and the end.
    pub(crate) fn bounds(&self, distance: u64) -> Vec<u64> {
        let mut bounds = vec![0];
        for &start in &self.starts {
            if start - bounds[bounds.len() - 1] >= distance {
                bounds.push(start);
            }
        }
        bounds.push(self.total);
        bounds
    }

    /// All starts.
    pub(crate) fn starts(&self) -> &[u64] {
        &self.starts
    }
}

/// A member of `range`, the first ones more often as `skew` grows beyond 1.
pub(crate) fn member(range: &Range<u64>, skew: f64, random: &mut Random) -> u64 {
    let width = range.end - range.start;
    let place = skewed(random.unit(), skew) * width as f64;
    range.start + (place as u64).min(width - 1)
}

/// `unit` to the power of `skew`; small whole powers are products, which are faster and as exact.
pub(crate) fn skewed(unit: f64, skew: f64) -> f64 {
    match skew {
        1.0 => unit,
        2.0 => unit * unit,
        3.0 => unit * unit * unit,
        _ => libm::pow(unit, skew),
    }
}
