//! What is measured of a surrogate, and the record of it.
//!
//! To generate and measure all surrogates takes minutes, so `data/surrogates/measured.tsv` keeps the figures;
//! a test generates every one and compares. `heddle graph list --measure --tsv` writes the file.

use crate::csr::Csr;
use crate::graph::Graph;
use crate::metrics::{TaxonomyMachine, bfs_levels, classify};

const RECORD: &str = include_str!("../../data/surrogates/measured.tsv");

/// Figures of a generated graph, comparable with [`Published`](super::Published) ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Vertices.
    pub vertices: u64,
    /// Directed arcs.
    pub arcs: u64,
    /// Largest (out-)degree.
    pub degree_max: u64,
    /// Iterations of a level-synchronous breadth-first search along the arcs, from the first vertex of
    /// largest degree. (The documents do not name the source of their searches.)
    pub depth: u64,
    /// Hops along the arcs: the longer of that search and one from the vertex that it reaches last.
    pub diameter: u64,
    /// Classes of volume, reuse and imbalance on the default machine, such as `HML`.
    pub taxonomy: String,
}

impl Measured {
    /// The head line of the record.
    pub const HEAD: &'static str = "name\tvertices\tarcs\tdegree_max\tdepth\tdiameter\ttaxonomy";

    /// Measures a graph. One without vertices has no depth.
    pub fn of(graph: &Graph) -> Measured {
        let csr = graph.out_edges();
        let (depth, diameter) = sweeps(csr);
        let taxonomy = classify(csr, &TaxonomyMachine::default()).expect("the default machine is possible");
        Measured {
            vertices: u64::from(csr.num_vertices()),
            arcs: csr.num_arcs(),
            degree_max: csr.vertices().map(|vertex| csr.degree(vertex)).max().unwrap_or(0),
            depth,
            diameter,
            taxonomy: taxonomy.code(),
        }
    }

    /// The line of the record.
    pub fn line(&self, name: &str) -> String {
        let Measured { vertices, arcs, degree_max, depth, diameter, taxonomy } = self;
        format!("{name}\t{vertices}\t{arcs}\t{degree_max}\t{depth}\t{diameter}\t{taxonomy}")
    }
}

fn sweeps(csr: &Csr) -> (u64, u64) {
    let Some(hub) = csr.first_of_largest_degree() else { return (0, 0) };
    let first = bfs_levels(csr, hub);
    let second = bfs_levels(csr, first.farthest);
    (first.iterations(), u64::from(first.depth.max(second.depth)))
}

/// What the record says of the surrogate of that name.
pub fn recorded(name: &str) -> Option<Measured> {
    records().find(|(of, _)| *of == name).map(|(_, measured)| measured)
}

/// Every line of the record that can be read.
fn records() -> impl Iterator<Item = (&'static str, Measured)> {
    RECORD.lines().skip(1).filter_map(parse)
}

fn parse(line: &str) -> Option<(&str, Measured)> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [name, vertices, arcs, degree_max, depth, diameter, taxonomy] = cells[..] else { return None };
    let measured = Measured {
        vertices: vertices.parse().ok()?,
        arcs: arcs.parse().ok()?,
        degree_max: degree_max.parse().ok()?,
        depth: depth.parse().ok()?,
        diameter: diameter.parse().ok()?,
        taxonomy: taxonomy.to_owned(),
    };
    Some((name, measured))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;

    #[test]
    fn a_line_of_the_record_reads_back_as_it_was_written() {
        let arcs = (1..5u32).map(|vertex| (vertex - 1, vertex)).collect();
        let path = Graph::undirected(build::from_undirected_arcs(&arcs, 5).unwrap());
        let measured = Measured::of(&path);
        let line = measured.line("path");
        // From vertex 1, the first of degree 2, four levels; end to end four hops.
        assert_eq!(line, "path\t5\t8\t2\t4\t4\tLHL");
        assert_eq!(parse(&line), Some(("path", measured)));
    }

    #[test]
    fn the_record_has_every_surrogate_in_the_order_of_the_list() {
        assert_eq!(RECORD.lines().next(), Some(Measured::HEAD));
        let recorded: Vec<&str> = records().map(|(name, _)| name).collect();
        let listed = super::super::list();
        assert_eq!(recorded, listed.iter().map(|surrogate| surrogate.name.as_str()).collect::<Vec<_>>());
    }

    #[test]
    fn a_graph_without_vertices_has_no_depth() {
        let measured = Measured::of(&Graph::directed(Csr::empty(0)));
        assert_eq!((measured.depth, measured.diameter, measured.degree_max), (0, 0, 0));
    }
}
