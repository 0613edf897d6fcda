//! Graphs of points: loaded once, kept while there is room.

use super::kept::{Kept, TakesMemory};
use crate::error::LabError;
use crate::hash::sha256_of_graph;
use heddle_graph::progress::Silent;
use heddle_graph::read::{ReadOptions, WeightPolicy};
use heddle_graph::{Graph, source, transform};
use std::sync::Arc;

/// A graph in memory.
#[derive(Debug)]
pub(super) struct HeldGraph {
    pub(super) graph: Graph,
    /// Of whether it is directed, offsets, targets and weights.
    pub(super) sha256: String,
    /// Bytes of its arcs.
    pub(super) bytes: u64,
}

impl TakesMemory for HeldGraph {
    fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Name, transforms, and whether its weights matter.
type Asked = (String, Vec<String>, bool);

/// Graphs by what was asked for.
pub(super) type Graphs = Kept<Asked, HeldGraph>;

impl Graphs {
    /// A graph, made now if it is not there.
    pub(super) fn get(
        &self,
        name: &str,
        transforms: &[String],
        needs_weights: bool,
    ) -> Result<Arc<HeldGraph>, LabError> {
        let asked = (name.to_owned(), transforms.to_vec(), needs_weights);
        self.get_or_make(asked, || load(name, transforms, needs_weights))
    }
}

/// Refuses a graph that there is not; none is made.
pub(super) fn check(name: &str, transforms: &[String]) -> Result<(), LabError> {
    source::check(name)?;
    for text in transforms {
        transform::parse(text).map_err(|problem| LabError::new(format!("transform {text}: {problem}")))?;
    }
    Ok(())
}

fn load(name: &str, transforms: &[String], needs_weights: bool) -> Result<HeldGraph, LabError> {
    let weights = if needs_weights { WeightPolicy::Refuse } else { WeightPolicy::Describe };
    let mut graph =
        source::load(name, &ReadOptions { weights, progress: &Silent, ..ReadOptions::default() })?.graph;
    for text in transforms {
        let step = transform::parse(text).map_err(LabError::new)?;
        graph = transform::apply(graph, &step).graph;
    }
    let arcs = graph.out_edges();
    let weights = arcs.weights().map_or(0, |weights| weights.len() as u64);
    let bytes = 8 * (u64::from(arcs.num_vertices()) + 1) + 4 * arcs.num_arcs() + 4 * weights;
    Ok(HeldGraph { sha256: sha256_of_graph(&graph), graph, bytes })
}
