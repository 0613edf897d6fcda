//! Seeded random numbers, the same on every host.
//!
//! Long work is cut into blocks of a fixed size and each block draws from a stream of its own, so the
//! numbers do not depend on how many threads share the work. What is made of the bits (ranges, reals) is
//! spelled out here rather than taken from a library whose next version may choose differently.

use crate::arcs::{ArcList, ArcSegment};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Stream number `stream` of `seed`. Streams of one seed are independent of each other.
    pub fn new(seed: u64, stream: u64) -> Random {
        // Two rounds of a 64-bit mixer (Stafford's variant 13) keep (seed, stream) pairs apart.
        let mixed = mix(mix(seed).wrapping_add(stream.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        Random(Xoshiro256PlusPlus::seed_from_u64(mixed))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform integer below `bound`, which must not be zero. (Lemire's multiplication with rejection.)
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below zero");
        loop {
            let product = u128::from(self.bits()) * u128::from(bound);
            if product as u64 >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
        }
    }

    /// A uniform real number of `[0, 1)`, a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Puts `items` into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// Items of one block, each block drawing from its own stream.
pub const BLOCK_ITEMS: u64 = 1 << 16;

/// Calls `fill` for every block of `items` items, in parallel, and joins the arcs in block order.
pub fn arcs_by_block(
    seed: u64,
    items: u64,
    fill: impl Fn(&mut Random, std::ops::Range<u64>, &mut ArcSegment) + Sync,
) -> ArcList {
    join(ArcList::unweighted(), segments_by_block(seed, items, fill))
}

/// The same for arcs with weights.
pub fn weighted_arcs_by_block(
    seed: u64,
    items: u64,
    fill: impl Fn(&mut Random, std::ops::Range<u64>, &mut ArcSegment) + Sync,
) -> ArcList {
    join(ArcList::weighted(), segments_by_block(seed, items, fill))
}

fn segments_by_block(
    seed: u64,
    items: u64,
    fill: impl Fn(&mut Random, std::ops::Range<u64>, &mut ArcSegment) + Sync,
) -> Vec<ArcSegment> {
    (0..items.div_ceil(BLOCK_ITEMS))
        .into_par_iter()
        .map(|block| {
            let range = block * BLOCK_ITEMS..((block + 1) * BLOCK_ITEMS).min(items);
            let mut segment = ArcSegment::default();
            fill(&mut Random::new(seed, block), range, &mut segment);
            segment
        })
        .collect()
}

fn join(mut list: ArcList, segments: Vec<ArcSegment>) -> ArcList {
    segments.into_iter().for_each(|segment| list.push(segment));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_fixed() {
        // These values are the contract: if they change, every seeded graph changes.
        let mut random = Random::new(1, 0);
        let first: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        assert_eq!(first, [14_534_695_347_946_561_087, 8_071_997_691_874_813_235, 2_296_020_150_430_760_953]);
    }

    #[test]
    fn below_stays_below_and_reaches_all() {
        let mut random = Random::new(7, 3);
        let mut seen = [0u32; 5];
        (0..1000).for_each(|_| seen[random.below(5) as usize] += 1);
        assert!(seen.iter().all(|&count| count > 150), "{seen:?}");
    }

    #[test]
    fn shuffle_permutes() {
        let mut items: Vec<u32> = (0..100).collect();
        Random::new(1, 1).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
