//! Rows straight from a generator, without arcs in between.
//!
//! Where every row can be made on its own there is no list of arcs to sort: blocks of rows are made in
//! parallel and joined in order, and the peak is twice the targets.

use crate::csr::{Csr, Vertex};
use crate::generate::random::{BLOCK_ITEMS, Random};
use rayon::prelude::*;

/// Rows of one block: how long each is, and all of them on end.
struct Block {
    degrees: Vec<u32>,
    targets: Vec<Vertex>,
}

/// Calls `fill` for every vertex in order, which appends the vertex's targets. Blocks run in parallel, each
/// with a random stream of its own.
pub(crate) fn csr_by_row(
    seed: u64,
    vertices: u64,
    fill: impl Fn(&mut Random, Vertex, &mut Vec<Vertex>) + Sync,
) -> Csr {
    let blocks: Vec<Block> = (0..vertices.div_ceil(BLOCK_ITEMS))
        .into_par_iter()
        .map(|block| {
            let mut random = Random::new(seed, block);
            let rows = block * BLOCK_ITEMS..((block + 1) * BLOCK_ITEMS).min(vertices);
            let mut made = Block { degrees: Vec::with_capacity(BLOCK_ITEMS as usize), targets: Vec::new() };
            for vertex in rows {
                let before = made.targets.len();
                fill(&mut random, vertex as Vertex, &mut made.targets);
                made.degrees.push((made.targets.len() - before) as u32);
            }
            made
        })
        .collect();
    join(blocks, vertices)
}

fn join(blocks: Vec<Block>, vertices: u64) -> Csr {
    let arcs = blocks.iter().map(|block| block.targets.len()).sum();
    let mut offsets = Vec::with_capacity(vertices as usize + 1);
    let mut targets = Vec::with_capacity(arcs);
    let mut end = 0;
    offsets.push(end);
    for block in blocks {
        for degree in block.degrees {
            end += u64::from(degree);
            offsets.push(end);
        }
        targets.extend_from_slice(&block.targets);
    }
    Csr::from_parts(offsets, targets, None)
}

/// The same graph without self-loops and parallel arcs, every row sorted.
pub(crate) fn simple(csr: &Csr) -> Csr {
    csr_by_row(0, u64::from(csr.num_vertices()), |_, vertex, targets| {
        let before = targets.len();
        targets.extend(csr.neighbours(vertex).iter().filter(|&&target| target != vertex));
        targets[before..].sort_unstable();
        let mut kept = before;
        for place in before..targets.len() {
            if place == before || targets[place] != targets[kept - 1] {
                targets[kept] = targets[place];
                kept += 1;
            }
        }
        targets.truncate(kept);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;

    #[test]
    fn simple_keeps_one_of_parallel_arcs_and_no_loop() {
        let arcs = [(0, 2), (0, 1), (0, 2), (0, 0), (2, 2), (1, 0)].into_iter().collect();
        let csr = simple(&build::from_arcs(&arcs, 3).unwrap());
        assert_eq!(csr.arcs().collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 0)]);
    }
}
