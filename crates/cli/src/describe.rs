//! Everything that `heddle graph info` says about a graph, as plain data.
//!
//! The field names are the keys of its JSON, in this order; the text page shows the same values.

mod compute;

pub(crate) use compute::{Wanted, describe, machine};

use serde::Serialize;

/// A described graph.
#[derive(Debug, Serialize)]
pub(crate) struct Description {
    /// The graph as the user named it.
    pub(crate) input: String,
    /// The file's format, or `generated`.
    pub(crate) format: String,
    /// The generator's recipe, every default spelled out.
    pub(crate) recipe: Option<String>,
    /// The file's size on disk.
    pub(crate) stored_bytes: Option<u64>,
    pub(crate) vertices: u32,
    /// Directed arcs held.
    pub(crate) arcs: u64,
    pub(crate) directed: bool,
    /// Whether the input has weights, held or not.
    pub(crate) weighted: bool,
    /// `none`, `held`, `converted`, `dropped` or `generated`.
    pub(crate) weights: &'static str,
    pub(crate) self_loops: u64,
    pub(crate) duplicates: u64,
    pub(crate) symmetric: bool,
    /// Bytes of the arrays that hold one direction.
    pub(crate) memory_bytes: u64,
    pub(crate) degree: Degree,
    pub(crate) degree_histogram: Vec<Bucket>,
    /// Left out by `--quick`.
    pub(crate) components: Option<Components>,
    /// A graph without vertices has none.
    pub(crate) bfs: Option<Bfs>,
    /// Left out by `--quick`: two vertices are at least this far apart, whatever the direction of arcs.
    pub(crate) diameter_estimate: Option<u64>,
    /// Left out by `--quick`: no two vertices of the largest component are farther apart.
    pub(crate) diameter_upper_bound: Option<u64>,
    /// Where there is none the notes say why.
    pub(crate) taxonomy: Option<Taxonomy>,
    /// Everything that was decided or changed on the way, one sentence each.
    pub(crate) notes: Vec<String>,
}

/// Out-degrees.
#[derive(Debug, Serialize)]
pub(crate) struct Degree {
    pub(crate) min: u64,
    pub(crate) max: u64,
    pub(crate) mean: f64,
    pub(crate) standard_deviation: f64,
    pub(crate) median: u64,
    pub(crate) p90: u64,
    pub(crate) p99: u64,
}

/// Vertices with a degree in an inclusive range.
#[derive(Debug, Serialize)]
pub(crate) struct Bucket {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) vertices: u64,
}

/// Weakly connected components.
#[derive(Debug, Serialize)]
pub(crate) struct Components {
    pub(crate) count: u64,
    /// Vertices of the largest.
    pub(crate) largest: u64,
}

/// A breadth-first search along the arcs.
#[derive(Debug, Serialize)]
pub(crate) struct Bfs {
    pub(crate) source: u32,
    /// Whether the user named the source.
    #[serde(skip)]
    pub(crate) source_given: bool,
    /// Arcs to the farthest vertex reached.
    pub(crate) depth: u64,
    /// Iterations of a level-synchronous search, that of the source included: one more than the depth.
    pub(crate) iterations: u64,
    pub(crate) reached: u64,
}

/// The taxonomy of \[Salvador20\], with the machine it was measured against.
#[derive(Debug, Serialize)]
pub(crate) struct Taxonomy {
    pub(crate) volume_kib: f64,
    pub(crate) an_local: f64,
    pub(crate) an_remote: f64,
    pub(crate) reuse: f64,
    pub(crate) imbalance: f64,
    pub(crate) volume_class: String,
    pub(crate) reuse_class: String,
    pub(crate) imbalance_class: String,
    pub(crate) cores: u32,
    pub(crate) l1_bytes: u64,
    pub(crate) l2_bytes: u64,
    pub(crate) thread_block: u32,
    pub(crate) warp: u32,
}
