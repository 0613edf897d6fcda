//! What is measured of a generated surrogate, and the record of it that makes `heddle graph list` instant.
//!
//! The record is `crates/graph/data/surrogates/measured.tsv`, which `heddle graph list --measure --tsv`
//! writes: a head line, then `name vertices arcs degree_max depth diameter taxonomy` between tabs, with `-`
//! for what does not exist.

use crate::failure::Failure;
use heddle_graph::Graph;
use heddle_graph::metrics::taxonomy::{self, TaxonomyMachine};
use heddle_graph::metrics::{degree, diameter, traversal};
use heddle_graph::progress::Progress;
use heddle_graph::surrogate;
use serde::Serialize;

const RECORD: &str = include_str!("../../graph/data/surrogates/measured.tsv");

/// The head line of the record.
pub(crate) const HEAD: &str = "name\tvertices\tarcs\tdegree_max\tdepth\tdiameter\ttaxonomy";

/// Figures of one graph, comparable with [`Published`](surrogate::Published) ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Figures {
    pub(crate) vertices: u64,
    pub(crate) arcs: u64,
    pub(crate) degree_average: f64,
    pub(crate) degree_max: Option<u64>,
    /// Arcs to the farthest vertex of a breadth-first search from the first vertex of largest degree.
    pub(crate) depth: Option<u64>,
    pub(crate) diameter: Option<u64>,
    /// Classes of volume, reuse and imbalance, such as `HML`.
    pub(crate) taxonomy: Option<String>,
}

impl Figures {
    /// What a document publishes.
    pub(crate) fn published(published: &surrogate::Published) -> Figures {
        Figures {
            vertices: published.vertices,
            arcs: published.arcs,
            degree_average: average(published.arcs, published.vertices),
            degree_max: published.degree_max,
            depth: published.depth,
            diameter: published.diameter,
            taxonomy: published.taxonomy.clone(),
        }
    }

    /// Generates the surrogate of that name, and measures it.
    pub(crate) fn measured(name: &str, progress: &dyn Progress) -> Result<Figures, Failure> {
        Ok(measure(&surrogate::generate(name, progress)?.graph))
    }

    /// The line of the record.
    pub(crate) fn line(&self, name: &str) -> String {
        let number = |value: Option<u64>| value.map_or_else(|| "-".to_string(), |value| value.to_string());
        let classes = self.taxonomy.as_deref().unwrap_or("-");
        let (degree, depth, diameter) = (number(self.degree_max), number(self.depth), number(self.diameter));
        format!("{name}\t{}\t{}\t{degree}\t{depth}\t{diameter}\t{classes}", self.vertices, self.arcs)
    }
}

/// What the record says of that surrogate.
pub(crate) fn recorded(name: &str) -> Option<Figures> {
    RECORD
        .lines()
        .skip(1)
        .find_map(|line| parse(line).filter(|(of, _)| *of == name))
        .map(|(_, figures)| figures)
}

fn parse(line: &str) -> Option<(&str, Figures)> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [name, vertices, arcs, degree_max, depth, diameter, taxonomy] = cells[..] else { return None };
    let (vertices, arcs) = (vertices.parse().ok()?, arcs.parse().ok()?);
    let figures = Figures {
        vertices,
        arcs,
        degree_average: average(arcs, vertices),
        degree_max: degree_max.parse().ok(),
        depth: depth.parse().ok(),
        diameter: diameter.parse().ok(),
        taxonomy: (taxonomy != "-").then(|| taxonomy.to_string()),
    };
    Some((name, figures))
}

fn average(arcs: u64, vertices: u64) -> f64 {
    if vertices == 0 { 0.0 } else { arcs as f64 / vertices as f64 }
}

fn measure(graph: &Graph) -> Figures {
    let csr = graph.out_edges();
    let source = csr.first_of_largest_degree();
    let classes = taxonomy::classify(csr, &TaxonomyMachine::default());
    Figures {
        vertices: u64::from(graph.num_vertices()),
        arcs: graph.num_arcs(),
        degree_average: average(graph.num_arcs(), u64::from(graph.num_vertices())),
        degree_max: Some(degree::degree_statistics(csr).max),
        depth: source.map(|source| u64::from(traversal::bfs_levels(csr, source).depth)),
        diameter: Some(u64::from(diameter::estimate(graph).lower_bound)),
        taxonomy: classes.ok().map(|classes| classes.code()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_record_reads_back_as_it_was_written() {
        let figures = Figures {
            vertices: 4,
            arcs: 6,
            degree_average: 1.5,
            degree_max: Some(3),
            depth: Some(2),
            diameter: None,
            taxonomy: Some("LMH".to_string()),
        };
        let line = figures.line("tiny");
        assert_eq!(line, "tiny\t4\t6\t3\t2\t-\tLMH");
        assert_eq!(parse(&line), Some(("tiny", figures)));
    }

    #[test]
    fn every_line_of_the_record_names_a_surrogate() {
        let mut lines = RECORD.lines();
        assert_eq!(lines.next(), Some(HEAD));
        for line in lines {
            let (name, _) = parse(line).unwrap_or_else(|| panic!("`{line}`"));
            assert!(surrogate::list().iter().any(|surrogate| surrogate.name == name), "{name}");
        }
    }
}
