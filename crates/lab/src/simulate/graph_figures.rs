//! Figures of a graph's structure: degrees, depth, and its place in the taxonomy of \[Salvador20\].

use crate::error::LabError;
use crate::record::{Outcome, Row};
use heddle_graph::Graph;
use heddle_graph::metrics::{TaxonomyMachine, classify};

/// The figures of a graph.
pub(super) fn figures(graph: &Graph) -> Result<Outcome, LabError> {
    let found = classify(graph.out_edges(), &TaxonomyMachine::default()).map_err(LabError::new)?;
    let run = Row {
        counts: [
            ("vertices", u64::from(graph.num_vertices())),
            ("arcs", graph.num_arcs()),
            ("blocks", found.blocks),
            ("marked_blocks", found.marked_blocks),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into(),
        reals: [
            ("volume", found.volume_kib),
            ("an_l", found.an_local),
            ("an_r", found.an_remote),
            ("reuse", found.reuse),
            ("imbalance", found.imbalance),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into(),
        texts: [("taxonomy".to_owned(), found.code())].into(),
    };
    Ok(Outcome::Done { run, launches: Vec::new() })
}
