//! Latencies, counted exactly: percentiles are those of all values, not of a sample.

use std::collections::BTreeMap;

/// Values below this are counted in an array.
const SHORT: usize = 1 << 14;

/// How often each latency occurred.
#[derive(Clone, Debug, Default)]
pub struct Latencies {
    short: Vec<u64>,
    long: BTreeMap<u64, u64>,
    count: u64,
    sum: u128,
    max: u64,
}

impl Latencies {
    /// Counts one.
    #[inline(always)]
    pub fn add(&mut self, cycles: u64) {
        self.count += 1;
        self.sum += u128::from(cycles);
        self.max = self.max.max(cycles);
        if cycles < SHORT as u64 {
            if self.short.is_empty() {
                self.short = vec![0; SHORT];
            }
            self.short[cycles as usize] += 1;
        } else {
            *self.long.entry(cycles).or_default() += 1;
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; 0 of none.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }

    /// The longest; 0 of none.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The value that this many percent do not exceed, by nearest rank; 0 of none.
    pub fn percentile(&self, percent: u32) -> u64 {
        let rank = (u128::from(self.count) * u128::from(percent)).div_ceil(100).max(1);
        let short = self.short.iter().enumerate().map(|(value, count)| (value as u64, *count));
        let long = self.long.iter().map(|(value, count)| (*value, *count));
        let mut seen = 0u128;
        for (value, count) in short.chain(long) {
            seen += u128::from(count);
            if seen >= rank {
                return value;
            }
        }
        self.max
    }
}

#[cfg(test)]
mod tests {
    use super::Latencies;

    #[test]
    fn percentiles_are_by_nearest_rank_also_among_long_latencies() {
        let mut latencies = Latencies::default();
        assert_eq!((latencies.percentile(50), latencies.mean()), (0, 0.0));
        for value in 1..=100 {
            latencies.add(value * 1000);
        }
        let of = |percent| latencies.percentile(percent);
        assert_eq!((of(50), of(95), of(99), of(100)), (50_000, 95_000, 99_000, 100_000));
        assert_eq!((latencies.mean(), latencies.max(), latencies.count()), (50_500.0, 100_000, 100));
    }
}
