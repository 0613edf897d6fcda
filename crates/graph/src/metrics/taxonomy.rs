//! The taxonomy of \[Salvador20\]: volume, reuse and imbalance, each low, medium or high.
//!
//! Sections III-A and V-A there, equations 1 to 7; table II has the figures of six graphs and table IV the
//! machine. Consecutive vertices form thread blocks, and within them warps.
//!
//! - **Volume** is `(V + E) / cores` words of 4 bytes: low below 1.5 times the first-level cache, else high
//!   above a core's share of the second-level cache.
//! - **AN_L** and **AN_R** are the neighbours of a vertex inside and outside its thread block, on average.
//!   A self-edge is neither. **Reuse** is `½ (1 + (AN_L − AN_R) / (E/V))`: low below 0.15, high above 0.40.
//! - **Imbalance** is the share of the `⌈V / thread block⌉` blocks whose warps fall into two clusters, by
//!   the largest degree in each warp, with centroids more than 10 apart: low below 0.05, high above 0.25.
//!   The document clusters by k-means and does not say from where it starts; here the clustering is the
//!   optimal one, which is unique.
//!
//! The metrics are meant for symmetric graphs without self-edges, into which the document turns its inputs
//! first; on other graphs they describe the arcs as they are held. Without arcs, reuse is 0 and low.

use super::two_means::{NUMBERS_MAX, centroids_apart_by_more_than};
use crate::csr::{Csr, Vertex};
use rayon::prelude::*;
use std::fmt;
use std::ops::Add;

/// What the taxonomy needs to know of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaxonomyMachine {
    /// Cores (streaming multiprocessors, compute units).
    pub cores: u32,
    /// First-level data cache of one core.
    pub l1_bytes: u64,
    /// Second-level cache, shared by all cores.
    pub l2_bytes: u64,
    /// Threads of a thread block, one vertex each.
    pub thread_block: u32,
    /// Threads of a warp.
    pub warp: u32,
}

impl Default for TaxonomyMachine {
    /// Table IV of the document, with the thread blocks that reproduce its table II.
    fn default() -> TaxonomyMachine {
        TaxonomyMachine { cores: 15, l1_bytes: 32 << 10, l2_bytes: 4 << 20, thread_block: 256, warp: 32 }
    }
}

impl TaxonomyMachine {
    /// Says what is impossible about the machine, naming the key.
    pub fn check(&self) -> Result<(), String> {
        let TaxonomyMachine { cores, thread_block, warp, .. } = *self;
        if cores == 0 {
            return Err("cores is 0; the volume is divided among at least one core".to_string());
        }
        if warp == 0 {
            return Err("warp is 0; a warp has at least one thread".to_string());
        }
        if thread_block == 0 {
            return Err("thread_block is 0; a thread block has at least one warp".to_string());
        }
        if !thread_block.is_multiple_of(warp) {
            return Err(format!("thread_block is {thread_block}, not a multiple of warp ({warp})"));
        }
        if (thread_block / warp) as usize > NUMBERS_MAX {
            let warps = thread_block / warp;
            return Err(format!(
                "thread_block is {thread_block}, or {warps} warps; at most {NUMBERS_MAX} fit"
            ));
        }
        Ok(())
    }
}

/// Low, medium or high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Below the lower threshold.
    Low,
    /// Between the thresholds, or on one of them.
    Medium,
    /// Above the upper threshold.
    High,
}

impl Class {
    /// `L`, `M` or `H`, as table II prints it.
    pub fn letter(self) -> char {
        match self {
            Class::Low => 'L',
            Class::Medium => 'M',
            Class::High => 'H',
        }
    }

    fn of(low: bool, high: bool) -> Class {
        match (low, high) {
            (true, _) => Class::Low,
            (false, true) => Class::High,
            (false, false) => Class::Medium,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// Where a graph stands in the taxonomy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taxonomy {
    /// Words of 4 bytes per core, in KiB (equation 1).
    pub volume_kib: f64,
    /// Neighbours in the same thread block, on average (equation 4).
    pub an_local: f64,
    /// Neighbours in other thread blocks, on average (equation 5).
    pub an_remote: f64,
    /// From 0, all neighbours remote, to 1, all local (equation 6).
    pub reuse: f64,
    /// Marked blocks by blocks (equation 7).
    pub imbalance: f64,
    /// Thread blocks with imbalanced warps.
    pub marked_blocks: u64,
    /// Thread blocks, the last one perhaps not full.
    pub blocks: u64,
    /// Class of the volume.
    pub volume_class: Class,
    /// Class of the reuse.
    pub reuse_class: Class,
    /// Class of the imbalance.
    pub imbalance_class: Class,
}

impl Taxonomy {
    /// The letters of volume, reuse and imbalance, such as `HML`.
    pub fn code(&self) -> String {
        [self.volume_class, self.reuse_class, self.imbalance_class].map(Class::letter).iter().collect()
    }
}

/// Places a graph in the taxonomy. An impossible machine is refused, with the key named.
pub fn classify(csr: &Csr, machine: &TaxonomyMachine) -> Result<Taxonomy, String> {
    machine.check()?;
    let tally = tally_blocks(csr, machine);
    let blocks = u64::from(csr.num_vertices().div_ceil(machine.thread_block));
    let (volume_kib, volume_class) = volume(csr, machine);
    let (reuse, reuse_class) = reuse(csr.num_arcs(), &tally);
    Ok(Taxonomy {
        volume_kib,
        an_local: ratio(tally.local, u64::from(csr.num_vertices())),
        an_remote: ratio(tally.remote, u64::from(csr.num_vertices())),
        reuse,
        imbalance: ratio(tally.marked_blocks, blocks),
        marked_blocks: tally.marked_blocks,
        blocks,
        volume_class,
        reuse_class,
        imbalance_class: Class::of(
            blocks == 0 || tally.marked_blocks * 20 < blocks,
            tally.marked_blocks * 4 > blocks,
        ),
    })
}

const WORD_BYTES: u128 = 4;

/// Thresholds are compared as integers, so that no rounding decides a class. Where a first-level cache is
/// so large that both thresholds are passed, what fits it is low.
fn volume(csr: &Csr, machine: &TaxonomyMachine) -> (f64, Class) {
    let bytes_of_all_cores = WORD_BYTES * (u128::from(csr.num_vertices()) + u128::from(csr.num_arcs()));
    let cores = u128::from(machine.cores);
    let low = 2 * bytes_of_all_cores < 3 * u128::from(machine.l1_bytes) * cores;
    let high = bytes_of_all_cores > u128::from(machine.l2_bytes);
    (bytes_of_all_cores as f64 / f64::from(machine.cores) / 1024.0, Class::of(low, high))
}

/// Equation 6 with the average degree cancelled: `(E + local − remote) / 2E`.
fn reuse(arcs: u64, tally: &Tally) -> (f64, Class) {
    let doubled = arcs + tally.local - tally.remote;
    let low = arcs == 0 || u128::from(doubled) * 10 < u128::from(arcs) * 3;
    let high = u128::from(doubled) * 10 > u128::from(arcs) * 8;
    (ratio(doubled, arcs) / 2.0, Class::of(low, high))
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Counts over thread blocks.
#[derive(Clone, Copy, Default)]
struct Tally {
    local: u64,
    remote: u64,
    marked_blocks: u64,
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            local: self.local + other.local,
            remote: self.remote + other.remote,
            marked_blocks: self.marked_blocks + other.marked_blocks,
        }
    }
}

/// How far the centroids of a balanced block may be apart (section V-A).
const CENTROID_DISTANCE_MAX: u64 = 10;

fn tally_blocks(csr: &Csr, machine: &TaxonomyMachine) -> Tally {
    let blocks = csr.num_vertices().div_ceil(machine.thread_block);
    (0..blocks)
        .into_par_iter()
        .map_init(Vec::new, |warp_degrees, block| {
            let first = block * machine.thread_block;
            let end = first.saturating_add(machine.thread_block).min(csr.num_vertices());
            warp_degrees.clear();
            warp_degrees.extend((first..end).step_by(machine.warp as usize).map(|warp| {
                let warp_end = warp.saturating_add(machine.warp).min(end);
                (warp..warp_end).map(|vertex| csr.degree(vertex)).max().unwrap_or(0)
            }));
            let marked = centroids_apart_by_more_than(CENTROID_DISTANCE_MAX, warp_degrees);
            let (local, remote) = neighbours_of_block(csr, first..end);
            Tally { local, remote, marked_blocks: u64::from(marked) }
        })
        .reduce(Tally::default, Tally::add)
}

/// Arcs of a block that stay inside it, and arcs that leave it.
fn neighbours_of_block(csr: &Csr, block: std::ops::Range<Vertex>) -> (u64, u64) {
    let (mut local, mut remote) = (0, 0);
    for vertex in block.clone() {
        for target in csr.neighbours(vertex) {
            let inside = block.contains(target);
            local += u64::from(inside && *target != vertex);
            remote += u64::from(!inside);
        }
    }
    (local, remote)
}
