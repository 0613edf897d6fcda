//! Directed graphs made row by row: every vertex draws its own targets, so out-degrees are exact and no
//! arc is ever moved.

use super::groups::skewed;
use super::pairing::Stages;
use crate::csr::{Csr, Vertex};
use crate::generate::random::Random;
use rayon::prelude::*;
use std::ops::Range;

/// Fills the rows of the vertices between each two of `bounds`, every group from a stream of its own.
/// `fill` gets the group's vertices and their targets, row after row.
pub(crate) fn by_group(
    degrees: &[u32],
    bounds: &[u64],
    seed: u64,
    fill: impl Fn(&mut Random, Range<u64>, &mut [Vertex]) + Sync,
) -> Csr {
    let mut offsets = Vec::with_capacity(degrees.len() + 1);
    let mut sum = 0u64;
    offsets.push(0);
    offsets.extend(degrees.iter().map(|&degree| {
        sum += u64::from(degree);
        sum
    }));
    let mut targets: Vec<Vertex> = vec![0; sum as usize];
    let mut rest = targets.as_mut_slice();
    let mut groups = Vec::with_capacity(bounds.len());
    for (group, bound) in bounds.windows(2).enumerate() {
        let width = offsets[bound[1] as usize] - offsets[bound[0] as usize];
        let (own, after) = rest.split_at_mut(width as usize);
        groups.push((group as u64, bound[0]..bound[1], own));
        rest = after;
    }
    groups
        .into_par_iter()
        .for_each(|(group, vertices, targets)| fill(&mut Random::new(seed, group), vertices, targets));
    Csr::from_parts(offsets, targets, None)
}

/// Rounds in which a row replaces draws that it already had.
const ROUNDS: u32 = 12;

/// Fills `row` with distinct targets in ascending order, never `source` itself. What `draw` does not
/// provide in a bounded number of rounds is taken from the ids that follow the source.
pub(crate) fn fill_distinct(
    row: &mut [Vertex],
    source: Vertex,
    vertices: u64,
    random: &mut Random,
    scratch: &mut Vec<Vertex>,
    mut draw: impl FnMut(&mut Random) -> Vertex,
) {
    scratch.clear();
    for _ in 0..ROUNDS {
        let missing = row.len() - scratch.len();
        if missing == 0 {
            break;
        }
        scratch.extend((0..missing).map(|_| draw(random)).filter(|&target| target != source));
        scratch.sort_unstable();
        scratch.dedup();
    }
    let known = scratch.len();
    let mut candidate = u64::from(source);
    while scratch.len() < row.len() {
        let target = candidate as Vertex;
        if target != source && scratch[..known].binary_search(&target).is_err() {
            scratch.push(target);
        }
        candidate = (candidate + 1) % vertices;
    }
    scratch.sort_unstable();
    row.copy_from_slice(scratch);
}

/// Where long links lead: within the stages around the source, and more often to some than to others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Popularity {
    /// The ranges of ids.
    pub stages: Stages,
    /// 1: every vertex of a stage alike. Larger: the vertex of rank r is chosen in proportion to
    /// r^(1/skew − 1), a power law of in-degrees.
    pub skew: f64,
    /// Whether popular vertices are anywhere in a stage, or the first ones.
    pub scattered: bool,
}

impl Popularity {
    /// A target for a long link of `source`.
    pub(crate) fn draw(&self, source: Vertex, random: &mut Random) -> Vertex {
        let range = self.stages.range(self.stages.near(source, random));
        let width = range.end - range.start;
        let rank = skewed(random.unit(), self.skew) * width as f64;
        let rank = (rank as u64).min(width - 1);
        // A multiplier prime to the width scatters the popular over the stage, each rank to its own place.
        let place = if self.scattered { rank * SCATTER % width } else { rank };
        (range.start + place) as Vertex
    }
}

/// The largest prime below 2^32: times any vertex id it stays within 64 bits.
const SCATTER: u64 = 4_294_967_291;
