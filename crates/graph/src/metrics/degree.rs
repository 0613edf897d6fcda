//! How many arcs the vertices have.
//!
//! Sums are exact integers (squares in 128 bits), so mean and deviation are each one rounding of a single
//! well-defined number. A percentile is a degree that occurs: the smallest one that at least that share
//! of the vertices does not exceed (nearest rank); the median is the 50th.

use crate::csr::Csr;
use rayon::prelude::*;

/// Figures of the degrees of a graph. All are zero where there is no vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DegreeStatistics {
    /// Smallest degree.
    pub min: u64,
    /// Largest degree.
    pub max: u64,
    /// Arcs per vertex.
    pub mean: f64,
    /// Standard deviation of the whole population (divided by `V`).
    pub standard_deviation: f64,
    /// The degree that half of the vertices do not exceed.
    pub median: u64,
    /// The degree that 90 % of the vertices do not exceed.
    pub p90: u64,
    /// The degree that 99 % of the vertices do not exceed.
    pub p99: u64,
    /// Vertices without an arc in this direction. (In a directed graph they may still have incoming ones.)
    pub zero: u64,
}

/// The degree figures of one direction of a graph.
pub fn degree_statistics(csr: &Csr) -> DegreeStatistics {
    let counts = DegreeCounts::of(csr);
    let (Some((min, _)), Some((max, _))) = (counts.ascending().next(), counts.ascending().last()) else {
        return DegreeStatistics::default();
    };
    let vertices = u128::from(csr.num_vertices());
    let arcs = u128::from(csr.num_arcs());
    let square = |(degree, count): (u64, u64)| u128::from(count) * u128::from(degree) * u128::from(degree);
    let squares: u128 = counts.ascending().map(square).sum();
    // V² times the variance, which is never negative.
    let scaled_variance = vertices * squares - arcs * arcs;
    DegreeStatistics {
        min,
        max,
        mean: arcs as f64 / vertices as f64,
        standard_deviation: (scaled_variance as f64).sqrt() / vertices as f64,
        median: counts.percentile(50),
        p90: counts.percentile(90),
        p99: counts.percentile(99),
        zero: counts.common[0],
    }
}

/// Degrees below this are counted; there can be no more than `E / 2^16` vertices of larger ones.
const COMMON_DEGREES: usize = 1 << 16;
/// Vertices that one task counts, so many that the counts of tasks are few.
const VERTICES_PER_TASK: usize = 1 << 20;

/// How many vertices have each degree, in far less memory than a list of degrees.
struct DegreeCounts {
    common: Vec<u64>,
    /// The larger degrees, ascending, each as often as it occurs.
    rare: Vec<u64>,
    vertices: u64,
}

impl DegreeCounts {
    fn of(csr: &Csr) -> DegreeCounts {
        let offsets = csr.offsets();
        let mut all = DegreeCounts {
            common: vec![0; COMMON_DEGREES],
            rare: Vec::new(),
            vertices: csr.num_vertices().into(),
        };
        let tasks = (csr.num_vertices() as usize).div_ceil(VERTICES_PER_TASK);
        // As many tasks at once as there are threads: each has its own counts.
        let first_tasks: Vec<usize> = (0..tasks).step_by(rayon::current_num_threads()).collect();
        for first in first_tasks {
            let last = tasks.min(first + rayon::current_num_threads());
            let parts: Vec<_> = (first..last)
                .into_par_iter()
                .map(|task| {
                    let begin = task * VERTICES_PER_TASK;
                    let end = (begin + VERTICES_PER_TASK + 1).min(offsets.len());
                    count(&offsets[begin..end])
                })
                .collect();
            for (common, rare) in parts {
                all.common.iter_mut().zip(common).for_each(|(sum, count)| *sum += u64::from(count));
                all.rare.extend(rare);
            }
        }
        all.rare.par_sort_unstable();
        all
    }

    /// Degrees that occur, each with its vertices.
    fn ascending(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let common = (0..).zip(&self.common).filter(|&(_, &count)| count > 0);
        common.map(|(degree, &count)| (degree, count)).chain(self.rare.iter().map(|&degree| (degree, 1)))
    }

    fn percentile(&self, percent: u64) -> u64 {
        let rank = (self.vertices * percent).div_ceil(100).max(1);
        let mut passed = 0;
        let reaches = |&(_, count): &(u64, u64)| {
            passed += count;
            passed >= rank
        };
        self.ascending().find(reaches).map_or(0, |(degree, _)| degree)
    }
}

/// Counts the common degrees of the vertices that begin and end at these offsets, and lists the others.
fn count(offsets: &[u64]) -> (Vec<u32>, Vec<u64>) {
    let (mut common, mut rare) = (vec![0; COMMON_DEGREES], Vec::new());
    for pair in offsets.windows(2) {
        let degree = pair[1] - pair[0];
        match common.get_mut(degree as usize) {
            Some(count) => *count += 1,
            None => rare.push(degree),
        }
    }
    (common, rare)
}

/// Vertices by degree, in buckets that double: 0, 1, 2–3, 4–7, …
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// The buckets from degree 0 to the one that holds the largest degree, empty ones included.
    pub buckets: Vec<Bucket>,
}

/// A range of degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Smallest degree.
    pub low: u64,
    /// Largest degree.
    pub high: u64,
    /// Vertices with such a degree.
    pub vertices: u64,
}

/// The bucket of degree 0, and one for every power of two.
const BUCKETS: usize = 65;

/// Counts the vertices of one direction of a graph by degree.
pub fn degree_histogram(csr: &Csr) -> Histogram {
    let counts = csr
        .offsets()
        .par_windows(2)
        .fold(
            || [0u64; BUCKETS],
            |mut counts, pair| {
                counts[bucket_of(pair[1] - pair[0])] += 1;
                counts
            },
        )
        .reduce(|| [0; BUCKETS], |left, right| std::array::from_fn(|bucket| left[bucket] + right[bucket]));
    let used = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    let bucket = |(index, &vertices): (usize, &u64)| Bucket {
        low: if index == 0 { 0 } else { 1 << (index - 1) },
        high: if index == 0 { 0 } else { u64::MAX >> (64 - index) },
        vertices,
    };
    Histogram { buckets: counts[..used].iter().enumerate().map(bucket).collect() }
}

fn bucket_of(degree: u64) -> usize {
    (u64::BITS - degree.leading_zeros()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_degrees(degrees: &[u64]) -> Csr {
        let mut offsets = vec![0];
        degrees.iter().for_each(|degree| offsets.push(offsets[offsets.len() - 1] + degree));
        let arcs = offsets[degrees.len()] as usize;
        Csr::new(offsets, vec![0; arcs], None).unwrap()
    }

    #[test]
    fn figures_of_one_to_one_hundred() {
        let degrees: Vec<u64> = (1..=100).rev().collect();
        let statistics = degree_statistics(&with_degrees(&degrees));
        assert_eq!((statistics.min, statistics.max, statistics.zero), (1, 100, 0));
        assert_eq!((statistics.median, statistics.p90, statistics.p99), (50, 90, 99));
        assert_eq!(statistics.mean, 50.5);
        // The variance of 1..=n is (n² − 1)/12.
        assert_eq!(statistics.standard_deviation, (9999f64 / 12.0).sqrt());
    }

    #[test]
    fn degrees_too_large_to_be_counted_one_by_one_are_ranked_as_well() {
        let statistics = degree_statistics(&with_degrees(&[90_000, 65_535, 70_000, 0, 70_000]));
        assert_eq!((statistics.min, statistics.max, statistics.zero), (0, 90_000, 1));
        assert_eq!((statistics.median, statistics.p90), (70_000, 90_000));
    }

    #[test]
    fn equal_degrees_do_not_deviate() {
        let statistics = degree_statistics(&with_degrees(&[7; 1000]));
        assert_eq!((statistics.mean, statistics.standard_deviation), (7.0, 0.0));
        assert_eq!((statistics.median, statistics.p99), (7, 7));
    }

    #[test]
    fn no_vertex_no_figure() {
        assert_eq!(degree_statistics(&Csr::empty(0)), DegreeStatistics::default());
        assert!(degree_histogram(&Csr::empty(0)).buckets.is_empty());
        assert_eq!(degree_statistics(&Csr::empty(3)), DegreeStatistics { zero: 3, ..Default::default() });
    }

    #[test]
    fn buckets_double() {
        let histogram = degree_histogram(&with_degrees(&[0, 1, 2, 3, 4, 7, 8, 8, 0]));
        let rows: Vec<_> = histogram.buckets.iter().map(|b| (b.low, b.high, b.vertices)).collect();
        assert_eq!(rows, [(0, 0, 2), (1, 1, 1), (2, 3, 2), (4, 7, 2), (8, 15, 2)]);
    }

    #[test]
    fn every_degree_has_a_bucket() {
        assert_eq!([0, 1, 2, 3, 4, u64::MAX].map(bucket_of), [0, 1, 2, 2, 3, BUCKETS - 1]);
    }
}
