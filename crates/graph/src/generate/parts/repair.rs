//! Makes a multigraph simple without changing a degree: every self-loop and repeated edge changes ends
//! with another edge.
//!
//! The number of attempts is bounded, so degrees for which no simple graph is found are an error and not
//! an endless search.

use super::arrangement::BLOCK;
use super::edge_set::{EdgeSet, ends, key};
use super::pairing::Stages;
use crate::csr::Vertex;
use crate::generate::random::Random;
use std::collections::BTreeSet;

/// Attempts per edge that keep the structure, and then attempts that give it up for simplicity.
const ATTEMPTS: u32 = 1000;
/// Attempts that keep the structure, for each edge of the whole graph: where it cannot be kept at all, this
/// ends the search for it.
const STRICT_PER_EDGE: u64 = 64;

/// The simple graph that results from `keys`.
pub(crate) fn repair(mut keys: Vec<u64>, stages: Stages, random: &mut Random) -> Result<EdgeSet, String> {
    use rayon::prelude::*;
    keys.par_sort_unstable();
    let mut bad = Vec::new();
    let mut previous = None;
    keys.retain(|&key| {
        let (a, b) = ends(key);
        let good = a != b && previous != Some(key);
        previous = Some(key);
        if !good {
            bad.push(key);
        }
        good
    });
    let mut repair = Repair { alive: vec![true; keys.len()], keys, added: BTreeSet::new(), stages };
    let troubled = bad.len();
    let mut strict_left = STRICT_PER_EDGE * (repair.keys.len() + troubled) as u64;
    for (done, edge) in bad.into_iter().enumerate() {
        let strict = u64::from(ATTEMPTS).min(strict_left) as u32;
        let tried = (0..strict + ATTEMPTS).find(|&tried| repair.exchange(edge, tried < strict, random));
        strict_left -= u64::from(tried.unwrap_or(strict).min(strict));
        if tried.is_none() {
            return Err(format!(
                "no simple graph with these degrees was found: {} of {troubled} repeated edges remain; fewer \
                 arcs, a smaller `max_degree` or less `local` would help",
                troubled - done
            ));
        }
    }
    Ok(repair.finish())
}

struct Repair {
    keys: Vec<u64>,
    alive: Vec<bool>,
    added: BTreeSet<u64>,
    stages: Stages,
}

impl Repair {
    /// Tries to make (a, b) and some (c, d) into (a, c) and (b, d).
    fn exchange(&mut self, edge: u64, strict: bool, random: &mut Random) -> bool {
        let (a, b) = ends(edge);
        let at_home = same_block(a, b);
        let Some(partner) = self.partner(a, at_home && strict, random) else { return false };
        let (mut c, mut d) = ends(self.keys[partner]);
        if random.bits() & 1 == 1 {
            std::mem::swap(&mut c, &mut d);
        }
        let (first, second) = (key(a, c), key(b, d));
        let fits = |x: Vertex, y: Vertex| same_block(x, y) == at_home && self.stages.allow(x, y);
        let kept = !strict || (same_block(c, d) == at_home && fits(a, c) && fits(b, d));
        if !kept || a == c || b == d || first == second || self.holds(first) || self.holds(second) {
            return false;
        }
        self.alive[partner] = false;
        self.added.insert(first);
        self.added.insert(second);
        true
    }

    /// A random living edge: of the block of `vertex`, or of its stage and the one before.
    fn partner(&self, vertex: Vertex, within_block: bool, random: &mut Random) -> Option<usize> {
        let range = if within_block {
            let first = vertex as u64 / BLOCK as u64 * BLOCK as u64;
            first..first + BLOCK as u64
        } else {
            let stage = self.stages.of(vertex);
            self.stages.range(stage.saturating_sub(1)).start..self.stages.range(stage).end
        };
        let low = self.keys.partition_point(|&key| key >> 32 < range.start);
        let high = self.keys.partition_point(|&key| key >> 32 < range.end);
        if low == high {
            return None;
        }
        let index = low + random.below((high - low) as u64) as usize;
        self.alive[index].then_some(index)
    }

    fn holds(&self, key: u64) -> bool {
        self.added.contains(&key) || self.keys.binary_search(&key).is_ok_and(|index| self.alive[index])
    }

    fn finish(self) -> EdgeSet {
        let Repair { mut keys, alive, added, .. } = self;
        let mut index = 0;
        keys.retain(|_| {
            index += 1;
            alive[index - 1]
        });
        keys.extend(added);
        EdgeSet::from_keys(keys)
    }
}

fn same_block(a: Vertex, b: Vertex) -> bool {
    a as usize / BLOCK == b as usize / BLOCK
}
