//! The file formats, by name.

use std::fmt;

/// A graph file format. Recognised by content, never by extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Matrix Market coordinate files, with or without their banner.
    MatrixMarket,
    /// One arc a line: SNAP, TSV, CSV.
    EdgeList,
    /// Ninth DIMACS challenge: `p sp` and `a` lines.
    Dimacs,
    /// METIS, Chaco and the tenth DIMACS challenge: one vertex a line.
    Metis,
    /// Galois binary `.gr`, versions 1 and 2.
    Galois,
    /// GAP Benchmark Suite `.sg` and `.wsg`.
    Gap,
    /// Rodinia's BFS input: vertices, source, edges.
    Rodinia,
    /// WebGraph BV: `.graph` with `.properties`.
    WebGraph,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 8] = [
        Format::MatrixMarket,
        Format::EdgeList,
        Format::Dimacs,
        Format::Metis,
        Format::Galois,
        Format::Gap,
        Format::Rodinia,
        Format::WebGraph,
    ];

    /// The name that users type and results carry.
    pub fn name(self) -> &'static str {
        match self {
            Format::MatrixMarket => "matrix-market",
            Format::EdgeList => "edge-list",
            Format::Dimacs => "dimacs",
            Format::Metis => "metis",
            Format::Galois => "galois",
            Format::Gap => "gap",
            Format::Rodinia => "rodinia",
            Format::WebGraph => "webgraph",
        }
    }

    /// The format of that name.
    pub fn by_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
