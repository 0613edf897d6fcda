//! Weakly connected components: any labels that are equal within a component and differ between them.

use super::WrongLength;
use crate::reference::wcc;
use heddle_graph::{Graph, Vertex};
use rayon::prelude::*;
use thiserror::Error;

/// Why labels are wrong.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WrongLabels {
    /// One label per vertex.
    #[error(transparent)]
    Length(#[from] WrongLength),
    /// The ends of an arc must have one label.
    #[error(
        "an arc joins vertices {source_vertex} and {target}, but their labels are {source_label} and \
         {target_label}"
    )]
    Split {
        /// Where the arc begins.
        source_vertex: Vertex,
        /// Where it ends.
        target: Vertex,
        /// The label of the one.
        source_label: u32,
        /// The label of the other.
        target_label: u32,
    },
    /// Vertices of different components must have different labels.
    #[error("vertices {a} and {b} both have label {label}, but no path joins them")]
    Merged {
        /// The smallest vertex of one component.
        a: Vertex,
        /// The smallest vertex of another one.
        b: Vertex,
        /// Their label.
        label: u32,
    },
}

/// Judges labels of components; what numbers they are does not matter.
pub fn labels(graph: &Graph, labels: &[u32]) -> Result<(), WrongLabels> {
    WrongLength::check(graph, labels.len())?;
    let arcs = graph.out_edges();
    let split = |vertex: Vertex| {
        let own = labels[vertex as usize];
        let target = arcs.neighbours(vertex).iter().find(|&&target| labels[target as usize] != own)?;
        let target_label = labels[*target as usize];
        Some(WrongLabels::Split { source_vertex: vertex, target: *target, source_label: own, target_label })
    };
    if let Some(wrong) = arcs.vertices().into_par_iter().find_map_first(split) {
        return Err(wrong);
    }
    // Within components the labels agree, so one vertex speaks for each.
    let roots = wcc::labels(graph).into_iter().zip(0..).filter(|(root, vertex)| root == vertex);
    let mut speakers: Vec<(u32, Vertex)> = roots.map(|(root, _)| (labels[root as usize], root)).collect();
    speakers.par_sort_unstable();
    match speakers.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(WrongLabels::Merged { a: pair[0].1, b: pair[1].1, label: pair[0].0 }),
        None => Ok(()),
    }
}
