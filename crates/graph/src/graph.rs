//! A graph: outgoing arcs, and incoming ones when somebody asks.

use crate::build;
use crate::csr::Csr;
use crate::lazy::Lazy;

/// Whether an arc and its opposite are one edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Arcs stand for themselves.
    Directed,
    /// Every edge is held as two arcs (a self-loop as one).
    Undirected,
}

/// A graph held as its outgoing arcs; incoming arcs are made on first use.
#[derive(Clone, Debug)]
pub struct Graph {
    kind: Kind,
    outgoing: Csr,
    incoming: Lazy<Csr>,
}

impl Graph {
    /// A directed graph.
    pub fn directed(outgoing: Csr) -> Graph {
        Graph { kind: Kind::Directed, outgoing, incoming: Lazy::new() }
    }

    /// An undirected graph, of which `both_ways` holds every edge in both directions.
    pub fn undirected(both_ways: Csr) -> Graph {
        Graph { kind: Kind::Undirected, outgoing: both_ways, incoming: Lazy::new() }
    }

    /// A graph of that kind.
    pub fn new(kind: Kind, outgoing: Csr) -> Graph {
        Graph { kind, outgoing, incoming: Lazy::new() }
    }

    /// Directed or undirected.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether an arc stands only for itself.
    pub fn is_directed(&self) -> bool {
        self.kind == Kind::Directed
    }

    /// Whether arcs have weights.
    pub fn is_weighted(&self) -> bool {
        self.outgoing.weights().is_some()
    }

    /// Number of vertices.
    pub fn num_vertices(&self) -> u32 {
        self.outgoing.num_vertices()
    }

    /// Number of directed arcs held.
    pub fn num_arcs(&self) -> u64 {
        self.outgoing.num_arcs()
    }

    /// Arcs by source.
    pub fn out_edges(&self) -> &Csr {
        &self.outgoing
    }

    /// Arcs by target. Those of an undirected graph are its outgoing ones. May be asked for first from inside
    /// parallel work.
    pub fn in_edges(&self) -> &Csr {
        match self.kind {
            Kind::Undirected => &self.outgoing,
            Kind::Directed => self.incoming.get_or_make(|| build::transposed(&self.outgoing)),
        }
    }

    /// The outgoing arcs alone.
    pub fn into_out_edges(self) -> Csr {
        self.outgoing
    }
}

impl PartialEq for Graph {
    fn eq(&self, other: &Graph) -> bool {
        self.kind == other.kind && self.outgoing == other.outgoing
    }
}

impl Eq for Graph {}
