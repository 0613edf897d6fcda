//! A seeded permutation of ids that needs no table.

use crate::generate::random::Random;

/// A permutation of `0..vertices`, as rounds that are each a bijection of the ids below a power of two:
/// multiplication by an odd number, and folding of the high half onto the low one.
pub(super) struct Scatter {
    mask: u64,
    shift: u32,
    vertices: u64,
    factors: [u64; ROUNDS],
}

const ROUNDS: usize = 3;

impl Scatter {
    pub(super) fn new(scale: u32, vertices: u64, random: &mut Random) -> Scatter {
        Scatter {
            mask: (1 << scale) - 1,
            shift: scale.div_ceil(2),
            vertices,
            factors: std::array::from_fn(|_| random.bits() | 1),
        }
    }

    /// Where `id` goes.
    #[inline]
    pub(super) fn id(&self, mut id: u64) -> u64 {
        loop {
            for factor in self.factors {
                // The offset keeps zero, the id of the largest degree, from staying where it is.
                id = id.wrapping_add(factor >> 32).wrapping_mul(factor) & self.mask;
                id ^= id >> self.shift;
            }
            // An id outside walks on along its cycle until it is inside again.
            if id < self.vertices {
                return id;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_taken_once() {
        for (scale, vertices) in [(0, 1u64), (1, 2), (10, 1024), (10, 700)] {
            let scatter = Scatter::new(scale, vertices, &mut Random::new(3, 0));
            let mut ids: Vec<u64> = (0..vertices).map(|id| scatter.id(id)).collect();
            ids.sort_unstable();
            assert_eq!(ids, (0..vertices).collect::<Vec<_>>());
        }
    }
}
