//! Published and generated figures of a surrogate in one shape, to stand above each other.

use heddle_graph::surrogate::{Measured, Published};
use serde::Serialize;

/// Figures of one graph. `None`: the document does not say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Figures {
    pub(crate) vertices: u64,
    pub(crate) arcs: u64,
    pub(crate) degree_average: f64,
    pub(crate) degree_max: Option<u64>,
    /// Iterations of a breadth-first search.
    pub(crate) depth: Option<u64>,
    pub(crate) diameter: Option<u64>,
    /// Classes of volume, reuse and imbalance, such as `HML`.
    pub(crate) taxonomy: Option<String>,
}

impl From<&Published> for Figures {
    fn from(published: &Published) -> Figures {
        Figures {
            vertices: published.vertices,
            arcs: published.arcs,
            degree_average: published.degree_average(),
            degree_max: published.degree_max,
            depth: published.depth,
            diameter: published.diameter,
            taxonomy: published.taxonomy.clone(),
        }
    }
}

impl From<&Measured> for Figures {
    fn from(measured: &Measured) -> Figures {
        Figures {
            vertices: measured.vertices,
            arcs: measured.arcs,
            degree_average: measured.arcs as f64 / measured.vertices.max(1) as f64,
            degree_max: Some(measured.degree_max),
            depth: Some(measured.depth),
            diameter: Some(measured.diameter),
            taxonomy: Some(measured.taxonomy.clone()),
        }
    }
}
