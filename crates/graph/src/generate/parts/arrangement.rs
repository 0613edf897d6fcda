//! Which vertex gets which degree: the order that decides how unevenly thread blocks are loaded.
//!
//! The taxonomy of \[Salvador20\] (section III-A3) calls a block of 256 vertices imbalanced when
//! the largest degrees of its eight warps fall into two groups more than 10 apart. [`by_warps`] places the
//! degrees so that a chosen fraction of the blocks is.

use crate::generate::random::Random;

/// Vertices of a thread block.
pub(crate) const BLOCK: usize = 256;
/// Vertices of a warp.
const WARP: usize = 32;
const WARPS: usize = BLOCK / WARP;

/// Degrees by vertex, from the descending sequence `degrees`.
pub(crate) fn arrange(mut degrees: Vec<u32>, order: &str, imbalance: f64, random: &mut Random) -> Vec<u32> {
    match order {
        "sorted" => degrees,
        "warps" => by_warps(degrees, imbalance, random),
        _ => {
            random.shuffle(&mut degrees);
            degrees
        }
    }
}

/// Puts one of the largest degrees, the leader, into every warp, so that leaders alone decide which blocks
/// are imbalanced: a balanced block gets eight leaders of neighbouring ranks, an imbalanced one a leader
/// from the top and seven from the bottom.
fn by_warps(mut degrees: Vec<u32>, imbalance: f64, random: &mut Random) -> Vec<u32> {
    let vertices = degrees.len();
    let warps = vertices.div_ceil(WARP);
    let blocks = vertices.div_ceil(BLOCK);
    random.shuffle(&mut degrees[warps..]);
    let (leaders, others) = degrees.split_at(warps);
    // A block cut short by the end of the vertices takes part like the others if it has two warps.
    let warps_of = |block: usize| (warps - block * WARPS).min(WARPS);
    let mut order: Vec<usize> = (0..blocks).collect();
    random.shuffle(&mut order);
    order.sort_by_key(|&block| warps_of(block) < 2);
    let imbalanced = (imbalance * blocks as f64 + 0.5) as usize;
    let (spiked, level) = order.split_at(imbalanced.min(blocks));
    let mut spikes = leaders[..spiked.len()].iter();
    let mut rest = leaders[spiked.len()..].iter();
    let mut by_block: Vec<Vec<u32>> = vec![Vec::new(); blocks];
    for &block in level {
        by_block[block] = rest.by_ref().take(warps_of(block)).copied().collect();
    }
    for &block in spiked {
        by_block[block].extend(spikes.next());
        by_block[block].extend(rest.by_ref().take(warps_of(block) - 1));
    }
    place(&by_block, others, vertices, random)
}

/// Fills the warps: each has its leader at a random lane and others around it.
fn place(leaders: &[Vec<u32>], others: &[u32], vertices: usize, random: &mut Random) -> Vec<u32> {
    let mut others = others.iter().copied();
    let mut arranged = Vec::with_capacity(vertices);
    for block in leaders {
        let mut block = block.clone();
        random.shuffle(&mut block);
        for leader in block {
            let width = WARP.min(vertices - arranged.len());
            let lane = random.below(width as u64) as usize;
            arranged.extend(others.by_ref().take(lane));
            arranged.push(leader);
            arranged.extend(others.by_ref().take(width - 1 - lane));
        }
    }
    arranged
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 blocks have 800 warps: leaders of 100 down to 1, eight of each, and all others 1.
    fn descending(vertices: u32) -> Vec<u32> {
        (0..vertices).map(|rank| 100u32.saturating_sub(rank / 8).max(1)).collect()
    }

    /// Blocks of which one warp's largest degree is more than 10 above the mean of the others.
    fn spiked_blocks(degrees: &[u32]) -> usize {
        let spiked = |block: &[u32]| {
            let mut maxima: Vec<u32> = block.chunks(WARP).map(|warp| *warp.iter().max().unwrap()).collect();
            maxima.sort_unstable();
            let top = maxima.pop().unwrap();
            !maxima.is_empty()
                && top * maxima.len() as u32 > maxima.iter().sum::<u32>() + 10 * maxima.len() as u32
        };
        degrees.chunks(BLOCK).filter(|block| spiked(block)).count()
    }

    #[test]
    fn every_order_keeps_the_degrees() {
        for (order, vertices) in [
            ("random", 1000),
            ("sorted", 1000),
            ("warps", 1000),
            ("warps", 1025),
            ("warps", 31),
            ("warps", 0),
        ] {
            let mut arranged = arrange(descending(vertices), order, 0.5, &mut Random::new(1, 0));
            arranged.sort_unstable_by(|a, b| b.cmp(a));
            assert_eq!(arranged, descending(vertices), "{order} {vertices}");
        }
    }

    #[test]
    fn the_chosen_fraction_of_blocks_is_imbalanced() {
        for wanted in [0, 8, 50, 100] {
            let arranged =
                arrange(descending(25_600), "warps", wanted as f64 / 100.0, &mut Random::new(1, 0));
            assert_eq!(spiked_blocks(&arranged), wanted);
        }
    }
}
