//! What a workload is.

use super::{Answer, Session, Setting, WorkloadError};

/// One algorithm in one implementation.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Its name, as `heddle run` takes it.
    pub name: &'static str,
    /// Whether the problem's own name (`bfs`) stands for this implementation.
    pub is_default: bool,
    /// What it solves.
    pub problem: Problem,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The document, section and original that it follows.
    pub document: &'static str,
    /// Its PTX.
    pub files: &'static [KernelFile],
    /// What can be set, beside what every workload has.
    pub settings: &'static [Setting],
    /// Threads of a block, unless the user names another number.
    pub block: u32,
    /// Runs it.
    pub drive: fn(&mut Session<'_>) -> Result<Answer, WorkloadError>,
}

/// A PTX file, embedded in the program.
#[derive(Clone, Copy, Debug)]
pub struct KernelFile {
    /// Its path in the source tree, for messages.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// A graph problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Problem {
    /// Breadth-first search: depths from a source.
    Bfs,
    /// Single-source shortest paths: distances from a source.
    Sssp,
    /// Vertex colouring.
    Colouring,
    /// Maximal independent set.
    Mis,
    /// Minimum spanning forest.
    Mst,
    /// A path between two vertices.
    Stcon,
    /// PageRank.
    PageRank,
    /// Weakly connected components.
    Wcc,
    /// Betweenness centrality.
    Betweenness,
    /// Connected components (of edges without direction; the same answer as weakly connected components).
    Components,
}

impl Problem {
    /// Every problem with its short name, which is the alias of its default implementation.
    pub const NAMES: &'static [(&'static str, Problem)] = &[
        ("bfs", Problem::Bfs),
        ("sssp", Problem::Sssp),
        ("colouring", Problem::Colouring),
        ("mis", Problem::Mis),
        ("mst", Problem::Mst),
        ("stcon", Problem::Stcon),
        ("pagerank", Problem::PageRank),
        ("wcc", Problem::Wcc),
        ("bc", Problem::Betweenness),
        ("cc", Problem::Components),
    ];

    /// Its short name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|&&(_, problem)| problem == self).map_or("?", |&(name, _)| name)
    }

    /// Whether it starts at a vertex that the user may choose.
    pub fn has_source(self) -> bool {
        matches!(self, Problem::Bfs | Problem::Sssp | Problem::Stcon | Problem::Betweenness)
    }

    /// Whether edges have no direction for it.
    pub fn is_undirected(self) -> bool {
        matches!(self, Problem::Colouring | Problem::Mis | Problem::Mst | Problem::Wcc | Problem::Components)
    }

    /// Whether it needs weights.
    pub fn is_weighted(self) -> bool {
        matches!(self, Problem::Sssp | Problem::Mst)
    }
}
